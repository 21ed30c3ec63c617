"""Fixtures of the tests."""

from __future__ import annotations

import pytest
from own_games import Nim


@pytest.fixture
def nim() -> Nim:
    return Nim()
