"""The price of merging: two ranks of MPI that merge, and two programs that search alone at the same time.

    cargo build --release --features mpi
    python3 benches/ranks.py [ROUNDS]

Both ways make as many playouts with the same settings, each process on one core. Rounds are interleaved, and the
report is the median of their ratios. It needs two idle cores.
"""

import json
import os
import statistics
import subprocess
import sys

PROGRAM = os.path.join(os.path.dirname(__file__), "..", "target", "release", "boughs")
ENVIRONMENT = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
CASES = [("connect4", 6_000_000), ("othello", 600_000), ("go:size=9", 400_000)]


def search(game: str, playouts: int) -> list[str]:
    limits = ["--iterations", str(playouts), "--no-early-stop", "--memory", "512M"]
    return [PROGRAM, "analyze", game, "--agent", "mcts", "--json", *limits]


def seconds(*commands: list[str]) -> float:
    """The time of the slowest of these searches, which run at the same time."""
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, env=ENVIRONMENT) for command in commands]
    return max(json.loads(process.communicate()[0])["seconds"] for process in running)


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 11
    for game, playouts in CASES:
        alone = search(game, playouts)
        merged = ["mpirun", "-n", "2", "--bind-to", "none", *alone, "--mpi"]
        ratios = []
        for number in range(rounds):
            if number % 2:
                together, apart = seconds(merged), seconds(alone, alone)
            else:
                apart, together = seconds(alone, alone), seconds(merged)
            ratios.append(together / apart)
        quarter = statistics.quantiles(ratios, n=4)
        print(f"{game}: {statistics.median(ratios):.3f} times the time of searching alone"
              f" (quartiles {quarter[0]:.3f} to {quarter[2]:.3f}, {rounds} rounds)", flush=True)


if __name__ == "__main__":
    main()
