"""Plans on two raylets, with workers, a raylet and drivers that are killed: every game is there once."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest
from ray.cluster_utils import Cluster

import boughs
import boughs.cluster

#: The longest wait for a state of the cluster, in seconds.
PATIENCE = 60
#: The games of the tests. A game takes about a tenth of a second.
GAMES: dict[str, Any] = dict(games=36, iterations=4_000, openings="random:4", seed=3)
SIDES = ("connect4", "mcts:c=0.7", "mcts")
NODE: dict[str, Any] = dict(num_cpus=1, object_store_memory=80_000_000, include_dashboard=False)


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    cluster = Cluster(initialize_head=True, head_node_args=NODE)
    cluster.add_node(**NODE)
    yield cluster
    cluster.shutdown()


@pytest.fixture(scope="module")
def one(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """The games of one machine."""
    store = tmp_path_factory.mktemp("one") / "games.db"
    boughs.match(*SIDES, store=store, **GAMES)
    return content(store)


def content(store: Path) -> list[dict[str, Any]]:
    """The rows of a store without dates and measured times."""
    opened = boughs.Store(store)
    tables = [opened.events(), opened.games()]
    times = ("began", "seconds", "thinking")
    return [{name: row[name] for name in row if name not in times} for table in tables for row in table.rows()]


class Driver:
    """The command that runs a plan."""

    def __init__(self, cluster: Cluster, folder: Path) -> None:
        self.folder, self.out, self.store = folder, folder / "shards", folder / "games.db"
        self.plan = folder / "plan.json"
        if not self.plan.exists():
            boughs.match(*SIDES, plan=self.plan, shard_size=3, **GAMES)
        words = [self.plan, "--out", self.out, "--store", self.store, "--address", cluster.address]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "boughs.cluster", *map(str, words)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            # It heeds Ctrl-C even where this process was started without.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
        )

    def shards(self) -> int:
        """The number of shards that are done."""
        return len(list(self.out.glob("shard-*")))

    def comes_to(self, shards: int) -> None:
        """Waits until this number of shards are done and others run."""
        wait_until(lambda: (self.shards() >= shards and bool(workers())) or self.process.poll() is not None)
        assert self.process.poll() is None and self.shards() < 12, "the run ended before anything was killed"

    def end(self) -> tuple[str, str]:
        """Waits for the end of the run. Returns its output and its errors, without those of Ray's own code."""
        out, err = self.process.communicate(timeout=PATIENCE)
        return out, "".join(line for line in err.splitlines(keepends=True) if not line.startswith("["))

    def has_all(self, one: list[dict[str, Any]]) -> None:
        """Waits for the end of the run, which has every game once, as one machine plays them."""
        out, err = self.end()
        assert self.process.returncode == 0, err
        assert content(self.store) == one and err == ""
        assert sorted(path.name for path in self.out.iterdir()) == sorted(
            ["plan.json", *(f"shard-{shard:06}.jsonl" for shard in range(12))]
        )


def wait_until(holds: Callable[[], bool]) -> None:
    until = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < until, "it takes too long"
        time.sleep(0.02)


def workers() -> list[psutil.Process]:
    """The processes that run a shard."""
    return [process for process in psutil.process_iter() if title(process).startswith("ray::shard")]


def title(process: psutil.Process) -> str:
    try:
        return " ".join(process.cmdline())
    except psutil.Error:
        return ""


def test_a_worker_is_killed(cluster: Cluster, tmp_path: Path, one: list[dict[str, Any]]) -> None:
    driver = Driver(cluster, tmp_path)
    for shards in (1, 4):
        driver.comes_to(shards)
        workers()[0].kill()
    driver.has_all(one)


def test_a_driver_is_killed_and_runs_again(cluster: Cluster, tmp_path: Path, one: list[dict[str, Any]]) -> None:
    driver = Driver(cluster, tmp_path)
    driver.comes_to(3)
    driver.process.kill()
    driver.end()
    wait_until(lambda: not workers())
    found = driver.shards()
    assert 3 <= found < 12 and not driver.store.exists()
    again = Driver(cluster, tmp_path)
    again.has_all(one)
    done, err = Driver(cluster, tmp_path).end()
    assert "ran 0 shards of 12; 12 in" in done and err == ""


def test_ctrl_c_ends_the_shards_that_run(cluster: Cluster, tmp_path: Path, one: list[dict[str, Any]]) -> None:
    driver = Driver(cluster, tmp_path)
    driver.comes_to(2)
    driver.process.send_signal(signal.SIGINT)
    _, err = driver.end()
    assert driver.process.returncode == 130
    assert err == "python -m boughs.cluster: interrupted; the same command goes on\n"
    wait_until(lambda: not workers())
    Driver(cluster, tmp_path).has_all(one)


def test_shards_that_fail_are_named(cluster: Cluster, tmp_path: Path) -> None:
    bot = tmp_path / "bot"
    bot.write_text("#!/bin/sh\n")
    bot.chmod(0o755)
    plan = boughs.judge("ahc015", f"cmd:{bot}", seeds=range(0, 6), plan=tmp_path / "plan.json", shard_size=2)
    bot.write_text("#!/bin/sh\necho\n")
    with pytest.raises(boughs.Error) as caught:
        boughs.cluster.run(plan.path, tmp_path / "shards", address=cluster.address)
    assert str(caught.value) == (
        f"3 of 3 shards failed: 0-2; shard 0: '{bot}' of the plan is missing here or has another content; copy it to "
        "every machine, or write the plan again; the same call runs them again"
    )
    bot.write_text("#!/bin/sh\n")
    assert boughs.cluster.run(plan.path, tmp_path / "shards", address=cluster.address).run == 3


def test_a_decided_test_ends_the_run(cluster: Cluster, tmp_path: Path) -> None:
    contest: dict[str, Any] = dict(sprt=(0, 100), games=10_000, iterations=30)
    one = boughs.match("tictactoe", "mcts", "random", concurrency=1, **contest)
    plan = boughs.match("tictactoe", "mcts", "random", plan=tmp_path / "plan.json", shard_size=4, **contest)
    outcome = boughs.cluster.run(plan.path, tmp_path / "shards", address=cluster.address)
    assert outcome.is_decided and outcome.run < 100
    merged = boughs.cluster.merge(tmp_path / "shards")
    assert (merged.decision, merged.games) == (one.decision, one.games)


def test_a_machine_dies(cluster: Cluster, tmp_path: Path, one: list[dict[str, Any]]) -> None:
    driver = Driver(cluster, tmp_path)
    driver.comes_to(2)
    (node,) = cluster.worker_nodes
    (raylet,) = node.all_processes["raylet"]
    os.kill(raylet.process.pid, signal.SIGKILL)
    driver.has_all(one)
