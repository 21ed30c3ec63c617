"""The price of merging: two ranks of MPI that merge, and two programs that search alone at the same time.

    cargo build --release --features mpi
    python3 benches/ranks.py [ROUNDS]

Both ways make as many playouts with the same settings, each process on one core and started by mpirun. Rounds are interleaved, and the
report is the median of their ratios with its 95 % interval. It needs two idle cores.
"""

import json
import math
import os
import statistics
import subprocess
import sys

PROGRAM = os.path.join(os.path.dirname(__file__), "..", "target", "release", "boughs")
ENVIRONMENT = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
CASES = [("connect4", 2_000_000), ("othello", 200_000), ("go:size=9", 100_000)]


def search(game: str, playouts: int) -> list[str]:
    limits = ["--iterations", str(playouts), "--no-early-stop", "--memory", "512M"]
    return [PROGRAM, "analyze", game, "--agent", "mcts", "--json", *limits]


def job(ranks: int) -> list[str]:
    return ["mpirun", "-n", str(ranks), "--bind-to", "none"]


def seconds(*commands: list[str]) -> float:
    """The time of the slowest of these searches, which run at the same time."""
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, env=ENVIRONMENT) for command in commands]
    return max(json.loads(process.communicate()[0])["seconds"] for process in running)


def interval(ratios: list[float]) -> tuple[float, float]:
    """The 95 % interval of the median, from the order of the ratios."""
    left_out = max(math.floor(len(ratios) / 2 - 0.98 * math.sqrt(len(ratios))) - 1, 0)
    return sorted(ratios)[left_out], sorted(ratios)[-1 - left_out]


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 61
    for game, playouts in CASES:
        alone = [*job(1), *search(game, playouts)]
        merged = [*job(2), *search(game, playouts), "--mpi"]
        ratios = []
        for number in range(rounds):
            if number % 2:
                together, apart = seconds(merged), seconds(alone, alone)
            else:
                apart, together = seconds(alone, alone), seconds(merged)
            ratios.append(together / apart)
        low, high = interval(ratios)
        print(f"{game}: {statistics.median(ratios):.3f} times the time of searching alone"
              f" ({low:.3f} to {high:.3f}, {rounds} rounds)", flush=True)


if __name__ == "__main__":
    main()
