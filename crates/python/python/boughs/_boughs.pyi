"""The extension module, written in Rust. Users call the functions and classes of the package boughs instead."""

from collections.abc import Callable, Sequence
from os import PathLike
from typing import Any, Optional, Union, final

import numpy as np
from numpy.typing import NDArray

_Path = Union[str, PathLike[str]]
_Progress = Optional[Callable[[int, Optional[int]], object]]

class Error(ValueError): ...

@final
class Position:
    def __new__(cls, game: str, moves: str = "") -> Position: ...
    @property
    def spec(self) -> str: ...
    @property
    def players(self) -> int: ...
    @property
    def bounds(self) -> Optional[tuple[float, float]]: ...
    def turn(self) -> Optional[int]: ...
    def moves(self) -> list[str]: ...
    def codes(self) -> NDArray[np.uint32]: ...
    def chance(self) -> list[int]: ...
    def play(self, choice: Union[str, int]) -> None: ...
    def play_all(self, moves: str) -> None: ...
    def rewards(self) -> list[float]: ...
    def copy(self) -> Position: ...
    def board(self) -> str: ...
    def board_for(self, player: int) -> str: ...
    def grid(self) -> Optional[NDArray[np.int8]]: ...

@final
class Search:
    def __new__(
        cls,
        game: object,
        moves: object = None,
        agent: Optional[str] = None,
        threads: Optional[int] = None,
        memory: Optional[str] = None,
        seed: int = 0,
        evaluator: object = None,
    ) -> Search: ...
    @property
    def agent(self) -> str: ...
    @property
    def spec(self) -> str: ...
    @property
    def is_running(self) -> bool: ...
    def board(self) -> str: ...
    def turn(self) -> Optional[int]: ...
    def start(
        self,
        time: Optional[float] = None,
        iterations: Optional[int] = None,
        early_stop: bool = True,
        unlimited: bool = False,
    ) -> None: ...
    def wait(self, seconds: Optional[float] = None) -> bool: ...
    def stop(self) -> None: ...
    def report(self) -> Optional[dict[str, Any]]: ...
    def advance(self, choice: object) -> None: ...

def agent_text(text: str) -> str: ...
def check_game(game: object, games: int, seed: int) -> str: ...
def default_agent_text(game: str) -> str: ...
def game_list() -> list[tuple[str, str, str, str]]: ...
def play_contest(
    kind: str,
    game: str,
    contestants: Sequence[str],
    count: int,
    *,
    gauntlet: bool = False,
    sprt: Optional[tuple[float, float]] = None,
    time: Optional[float] = None,
    iterations: Optional[int] = None,
    grace: Optional[float] = None,
    openings: str = "start",
    seed: int = 0,
    concurrency: Optional[int] = None,
    store: Optional[_Path] = None,
    command: str = "",
    progress: _Progress = None,
) -> str: ...
def scale(
    game: str,
    *,
    threads: Optional[Sequence[int]] = None,
    parallel: Optional[Sequence[str]] = None,
    time: Optional[float] = None,
    iterations: Optional[int] = None,
    rounds: int = 7,
    agent: Optional[str] = None,
    seed: int = 0,
    store: Optional[_Path] = None,
    command: str = "",
    progress: _Progress = None,
) -> str: ...
def judge(
    game: str,
    *,
    agent: Optional[str] = None,
    seeds: Optional[tuple[int, int]] = None,
    cases: Optional[_Path] = None,
    time: Optional[float] = None,
    iterations: Optional[int] = None,
    margin: Optional[float] = None,
    seed: int = 0,
    concurrency: Optional[int] = None,
    store: Optional[_Path] = None,
    command: str = "",
    progress: _Progress = None,
) -> str: ...
def learn(
    game: str,
    *,
    games: Optional[int] = None,
    out: Optional[_Path] = None,
    threads: Optional[int] = None,
    seed: int = 0,
    round: Optional[int] = None,
    rate: Optional[float] = None,
    slowing: Optional[float] = None,
    decay: Optional[float] = None,
    explore: Optional[float] = None,
    positions: Optional[int] = None,
    progress: _Progress = None,
) -> str: ...
def replay_puzzle(text: str) -> tuple[str, str]: ...
def replay_log(path: _Path) -> tuple[str, int, int]: ...
def store_overview(path: _Path) -> str: ...
def store_games(path: _Path, event: Optional[int]) -> str: ...
def store_measurement(path: _Path, id: int) -> tuple[str, str]: ...
def after_fork() -> None: ...
def stop_all() -> None: ...
