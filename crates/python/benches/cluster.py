"""Throughput of two workers of Ray, against two games at a time in one process of the program.

Run it on an idle machine of two cores or more, in a network of its own where Ray guesses a wrong address:

unshare -n bash -c 'ip link set lo up; exec python benches/cluster.py --program ../../target/release/boughs'

In a round both sides play the same games, one after the other in random order. The time of Ray is that of the whole
command: its connection to the cluster, the start of its workers, and the files of the shards. "busy" is the share of
the time in which games were played.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from ray.cluster_utils import Cluster

import boughs

SIDES = ("connect4", "mcts:c=0.7", "mcts")
ITERATIONS = 20_000


def words(games: int) -> list[str]:
    """The match of both sides."""
    limits = ["--iterations", str(ITERATIONS), "--games", str(games), "--openings", "random:4", "--seed", "3"]
    return ["match", *SIDES, *limits]


def timed(*command: object) -> float:
    """The seconds that a command takes."""
    began = time.monotonic()
    subprocess.run([str(word) for word in command], check=True, capture_output=True)
    return time.monotonic() - began


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--program", type=Path, required=True, help="the release build of the program")
    arguments.add_argument("--rounds", type=int, default=5)
    arguments.add_argument("--shards", type=int, default=20)
    arguments.add_argument("--seconds", type=float, default=10.0, help="the time of a shard")
    given = arguments.parse_args()

    node: dict[str, Any] = dict(num_cpus=1, object_store_memory=80_000_000, include_dashboard=False)
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    # Workers of Ray give way to other processes of the machine, unless they are told not to.
    os.environ["RAY_worker_niceness"] = "0"
    cluster = Cluster(initialize_head=True, head_node_args=node)
    cluster.add_node(**node)
    folder = Path(tempfile.mkdtemp())

    trial = 20
    seconds = timed(given.program, *words(trial), "--concurrency", 2) * 2 / trial
    size = max(2, round(given.seconds / seconds / 2) * 2)
    games = size * given.shards
    plan = folder / "plan.json"
    subprocess.run(
        [given.program, *words(games), "--plan", plan, "--shard-size", str(size)], check=True, capture_output=True
    )
    print(f"{games} games in {given.shards} shards of about {size * seconds:.1f} s", flush=True)

    def by_program(store: Path) -> float:
        return timed(given.program, *words(games), "--concurrency", 2, "--store", store)

    def by_ray(store: Path) -> float:
        command = [sys.executable, "-m", "boughs.cluster", plan, "--out", store.with_suffix(""), "--store", store]
        return timed(*command, "--address", cluster.address)

    print(f"{'round':>5} {'program s':>10} {'busy':>6} {'Ray s':>10} {'busy':>6} {'ratio':>6} {'load':>6}")
    ratios = []
    for number in range(given.rounds):
        seconds_of: dict[str, float] = {}
        busy: dict[str, float] = {}
        sides = [("program", by_program), ("ray", by_ray)]
        random.shuffle(sides)
        for name, side in sides:
            store = folder / f"{name}-{number}.db"
            seconds_of[name] = side(store)
            played = boughs.Store(store).games()["seconds"]
            assert len(played) == games
            busy[name] = played.sum() / 2 / seconds_of[name]
        ratios.append(seconds_of["program"] / seconds_of["ray"])
        print(
            f"{number:5} {seconds_of['program']:10.1f} {busy['program']:6.3f} {seconds_of['ray']:10.1f} "
            f"{busy['ray']:6.3f} {ratios[-1]:6.3f} {os.getloadavg()[0]:6.1f}",
            flush=True,
        )
    print(f"throughput of Ray / program: {statistics.median(ratios):.3f} (median), {min(ratios):.3f} at least")
    cluster.shutdown()


if __name__ == "__main__":
    main()
