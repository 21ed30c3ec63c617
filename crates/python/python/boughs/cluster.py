"""Experiments on many machines: the shards of a plan, by Ray or by another scheduler, and their results put together.

>>> import boughs.cluster, os, tempfile
>>> path = os.path.join(tempfile.mkdtemp(), "plan.json")
>>> plan = boughs.match("connect4", "mcts:c=0.7", "mcts", games=40, iterations=200, plan=path)
>>> plan.units, plan.unit, plan.shards
(40, 'games', 2)

With a cluster of Ray, and ``pip install 'boughs[ray]'`` on each of its machines, the rest is two calls:

>>> def main():
...     boughs.cluster.run(path, "shards", address="auto")
...     return boughs.cluster.merge("shards", store="games.db")

The same from a shell: ``python -m boughs.cluster plan.json --out shards --address auto --store games.db``. Slurm,
Kubernetes and others run the shards by `shard`, or by the program's ``boughs shard``, without Ray.
"""

from __future__ import annotations

import argparse
import dataclasses
import importlib
import json
import logging
import socket
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from os import fspath
from typing import Any, NoReturn, Optional, TextIO, Union

from . import _boughs
from ._experiments import (
    AnyPath,
    Judgement,
    Learned,
    Match,
    Plan,
    Scaling,
    Stage,
    Tournament,
    _judgement,
    _learned,
    _match,
    _optional,
    _scaling,
    _tournament,
)
from ._table import counted

__all__ = ["Outcome", "main", "merge", "run", "shard"]

#: True for a line of text on standard error, False for nothing, or a function of the number of shards that are done and
#: of all. None is a line if standard error is a terminal.
Progress = Union[Callable[[int, int], object], bool, None]

#: The time between two looks at the cluster, in seconds.
_GLANCE = 0.5
#: The longest wait for an answer of the cluster's address, in seconds.
_PATIENCE = 10.0
#: The time between two counts of the cluster's cores, in seconds.
_COUNT = 5.0
#: The time between two lines of text where standard error is no terminal, in seconds.
_LINE = 30.0


@dataclasses.dataclass(frozen=True)
class Outcome:
    """The end of a run: all shards that are needed are in the folder."""

    #: The number of shards of the plan.
    shards: int
    #: Shards that were in the folder before.
    found: int
    #: Shards that this call has run.
    run: int
    #: True if a sequential test has ended the games early.
    is_decided: bool


def run(
    plan: AnyPath,
    out: AnyPath,
    *,
    address: str | None = None,
    retries: int = 5,
    window: int | None = None,
    concurrency: int = 1,
    runtime_env: dict[str, Any] | None = None,
    progress: Progress = None,
) -> Outcome:
    """Run the shards of a plan on Ray, and keep their results in the folder ``out``.

    ``plan`` is a file that `boughs.match` and other experiments write with their argument ``plan``, or the program with
    ``--plan``. The machines need no shared disk: results come back by value, and this call writes them. Shards that the
    folder has are not run again, so the same call goes on after a crash of any machine, this one included.

    ``address`` is that of the cluster, as in ``ray.init``: ``"auto"`` for the one that this machine belongs to. Without
    it Ray looks for one, and starts one on this machine alone if there is none. Where Ray is initialised already, that
    cluster is used. A shard takes as many cores as its plan says, times ``concurrency``,
    the number of games at a time, and a round of `boughs.scale` takes a whole machine. A shard whose worker or machine
    dies is run again by Ray, ``retries`` times. At most ``window`` shards are handed to Ray at a time, without it twice
    as many as run at once. ``runtime_env`` is Ray's: it installs packages and copies files to the machines.

    Shards that fail do not stop the others. At the end a `boughs.Error` names them and the reason of the first. If a
    sequential test is decided by the first shards, the others are not run. Ctrl-C ends the shards that run.
    """
    for name, value, least in (("retries", retries, 0), ("window", window, 1), ("concurrency", concurrency, 1)):
        if value is not None and value < least:
            raise _boughs.Error(f"{name} = {value} is too small; give at least {least}")
    text, found = _boughs.read_plan(fspath(plan))
    facts = Plan._of(plan, json.loads(found))
    folder = _boughs.ShardFolder(fspath(out), text)
    missing = folder.missing()
    count = facts.shards - len(missing)
    line = _Line.of(progress, facts.shards)
    if not missing or folder.is_decided():
        line.end()
        return Outcome(shards=facts.shards, found=count, run=0, is_decided=bool(missing))
    with _Cluster(address, runtime_env) as cluster:
        tasks = _Tasks(cluster, text, facts, concurrency, retries)
        try:
            return _drive(folder, facts, missing, tasks, window, line)
        finally:
            tasks.cancel()
            line.end()


def _drive(
    folder: _boughs.ShardFolder, plan: Plan, missing: list[int], tasks: _Tasks, window: int | None, line: _Line
) -> Outcome:
    """Runs the missing shards."""
    found = done = plan.shards - len(missing)
    waiting = iter(missing)
    failed: dict[int, str] = {}
    is_decided = False
    line.show(done, failed)
    while not is_decided:
        for shard in _up_to((window or tasks.window()) - len(tasks.running), waiting):
            tasks.start(shard)
        if not tasks.running:
            break
        for shard, result in tasks.ended():
            if isinstance(result, str):
                folder.put(shard, result)
                done += 1
            else:
                failed[shard] = _reason(result)
        line.show(done, failed)
        is_decided = plan.has_test and folder.is_decided()
    if failed and not is_decided:
        shards = sorted(failed)
        raise _boughs.Error(
            f"{len(shards)} of {plan.shards} shards failed: {_boughs.shard_list(shards)}; shard {shards[0]}: "
            f"{failed[shards[0]]}; the same call runs them again"
        )
    return Outcome(shards=plan.shards, found=found, run=done - found, is_decided=is_decided)


def _up_to(count: int, waiting: Iterator[int]) -> Iterator[int]:
    """The next ones, at most this number."""
    for _, shard in zip(range(count), waiting):
        yield shard


def _reason(error: Exception) -> str:
    """The reason of a failure in one sentence."""
    cause = getattr(error, "cause", None)
    if isinstance(cause, _boughs.Error):
        return str(cause)
    lines = [line.strip() for line in str(cause or error).splitlines() if line.strip()]
    name = type(cause or error).__name__
    # The last line of a failed import on a worker names the module; all other errors of Ray begin with the reason.
    return f"{name}: {lines[-1] if cause else lines[0]}" if lines else name


def _run_shard(plan: str, shard: int, concurrency: int) -> str:
    """Runs a shard on a worker."""
    return _boughs.run_shard(plan, shard, concurrency=concurrency)


def shard(plan: AnyPath, number: int, out: AnyPath, *, concurrency: int = 1) -> bool:
    """Run one shard in this process, and keep its results in the folder ``out``.

    A scheduler calls this for each number from 0 to ``shards - 1`` of the plan, in any order. The result is False if
    the folder has the shard already, which is then not run again.

    >>> import boughs.cluster, os, tempfile
    >>> folder = tempfile.mkdtemp()
    >>> path, out = os.path.join(folder, "plan.json"), os.path.join(folder, "shards")
    >>> plan = boughs.match("tictactoe", "mcts", "flat", games=4, iterations=20, plan=path, shard_size=2)
    >>> [boughs.cluster.shard(path, number, out) for number in (0, 1, 0)]
    [True, True, False]
    >>> boughs.cluster.merge(out).games
    4
    """
    text, _ = _boughs.read_plan(fspath(plan))
    folder = _boughs.ShardFolder(fspath(out), text)
    if folder.has(number):
        return False
    folder.put(number, _boughs.run_shard(text, number, concurrency=concurrency))
    return True


class _Cluster:
    """The connection to Ray, which is closed at the end if it was made here."""

    def __init__(self, address: str | None, runtime_env: dict[str, Any] | None) -> None:
        try:
            self.ray: Any = importlib.import_module("ray")
        except ImportError:
            raise _boughs.Error("Ray is not installed; pip install 'boughs[ray]'") from None
        self.address, self.runtime_env = address, runtime_env
        self.is_ours = not self.ray.is_initialized()

    def __enter__(self) -> _Cluster:
        if self.is_ours:
            try:
                self._try_address()
                self.ray.init(
                    address=self.address,
                    runtime_env=self.runtime_env,
                    log_to_driver=False,
                    logging_level=logging.ERROR,
                )
            except (OSError, RuntimeError, ValueError) as error:
                where = "Ray does not start" if self.address is None else f"Ray at '{self.address}' does not answer"
                raise _boughs.Error(f"{where}: {_reason(error)}") from error
        return self

    def _try_address(self) -> None:
        """Raises an error if no process listens at the address. Ray would wait for minutes and end this process."""
        host, _, port = (self.address or "").rpartition(":")
        if port.isdigit() and "/" not in host:
            socket.create_connection((host.strip("[]"), int(port)), timeout=_PATIENCE).close()

    def __exit__(self, *_: object) -> None:
        if self.is_ours:
            self.ray.shutdown()

    def cores(self) -> list[int]:
        """The number of cores of each machine."""
        alive = [node["Resources"] for node in self.ray.nodes() if node["Alive"]]
        return [int(resources.get("CPU", 0)) for resources in alive]


class _Tasks:
    """The shards that Ray has got and that have not ended."""

    def __init__(self, cluster: _Cluster, text: str, plan: Plan, concurrency: int, retries: int) -> None:
        self.cluster, self.ray, self.concurrency = cluster, cluster.ray, concurrency
        largest = max(cluster.cores(), default=0)
        # A whole machine has at least a core: the largest one.
        self.cores = max(largest, 1) if plan.cores is None else plan.cores * concurrency
        if self.cores > largest:
            raise _boughs.Error(
                f"a shard takes {self.cores} cores, and the largest machine of the cluster has {largest}; start a "
                "larger one first, or take fewer threads or games at a time"
            )
        options: dict[str, Any] = {"num_cpus": self.cores, "max_retries": retries}
        if cluster.runtime_env is not None and not cluster.is_ours:
            options["runtime_env"] = cluster.runtime_env
        self.task = self.ray.remote(**options)(_run_shard)
        self.plan = self.ray.put(text)
        self.running: dict[Any, int] = {}
        self.counted: tuple[float, int] | None = None

    def window(self) -> int:
        """Twice the number of shards that run at once. Machines come and go, so they are counted again."""
        now = time.monotonic()
        if self.counted is None or now > self.counted[0] + _COUNT:
            at_once = sum(cores // max(self.cores, 1) for cores in self.cluster.cores())
            self.counted = now, max(2 * at_once, 2)
        return self.counted[1]

    def start(self, shard: int) -> None:
        task = self.task.options(name=f"shard {shard}")
        self.running[task.remote(self.plan, shard, self.concurrency)] = shard

    def ended(self) -> list[tuple[int, str | Exception]]:
        """The shards that have ended, each with its results or its error; none if that takes long."""
        ready, _ = self.ray.wait(list(self.running), timeout=_GLANCE)
        ended: list[tuple[int, str | Exception]] = []
        for reference in ready:
            shard = self.running.pop(reference)
            try:
                ended.append((shard, self.ray.get(reference)))
            except Exception as error:
                ended.append((shard, error))
        return ended

    def cancel(self) -> None:
        """Ends the shards that run."""
        # Those of a connection end with it. Ray 2.60 may end this process if a task completes while it is cancelled.
        if not self.cluster.is_ours:
            for reference in self.running:
                self.ray.cancel(reference)


class _Line:
    """The progress of a run."""

    def __init__(self, shards: int) -> None:
        self.shards = shards

    @staticmethod
    def of(progress: Progress, shards: int) -> _Line:
        if callable(progress):
            return _Told(progress, shards)
        # Standard error may be closed.
        stream: Optional[TextIO] = sys.stderr
        is_terminal = stream is not None and stream.isatty()
        if stream is None or progress is False or (progress is None and not is_terminal):
            return _Line(shards)
        return _Written(stream, is_terminal, shards)

    def show(self, done: int, failed: dict[int, str]) -> None:
        """Shows the number of shards that are done, and those that failed."""

    def end(self) -> None:
        """Removes the line."""


class _Told(_Line):
    """Progress for a function."""

    def __init__(self, function: Callable[[int, int], object], shards: int) -> None:
        super().__init__(shards)
        self.function, self.last = function, -1

    def show(self, done: int, failed: dict[int, str]) -> None:
        if done != self.last:
            self.last = done
            self.function(done, self.shards)


class _Written(_Line):
    """Progress as text: a line of a terminal that changes, or now and then a line of a file."""

    def __init__(self, stream: TextIO, is_terminal: bool, shards: int) -> None:
        super().__init__(shards)
        self.stream, self.is_terminal = stream, is_terminal
        #: The time of the first call, and the number of shards that were done then.
        self.began: tuple[float, int] | None = None
        self.written: float | None = None

    def show(self, done: int, failed: dict[int, str]) -> None:
        now = time.monotonic()
        began, first = self.began = self.began or (now, done)
        text = f"{done}/{self.shards} shards"
        if failed:
            text += f", {len(failed)} failed"
        if done > first:
            left = (now - began) / (done - first) * (self.shards - done - len(failed))
            text += f"  {_duration(left)} left"
        if self.is_terminal:
            self.stream.write(f"\r{text}\x1b[K")
            self.stream.flush()
        elif self.written is None or now > self.written + _LINE or done == self.shards:
            self.written = now
            self.stream.write(text + "\n")
            self.stream.flush()

    def end(self) -> None:
        if self.is_terminal:
            self.stream.write("\r\x1b[K")
            self.stream.flush()


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes // 60}h {minutes % 60}m" if minutes >= 60 else f"{minutes}m {rest}s" if minutes else f"{rest}s"


def merge(
    out: AnyPath, store: AnyPath | None = None, *, weights: AnyPath | None = None
) -> Match | Tournament | Judgement | Scaling | Learned | Stage:
    """Put the results of all shards together, as if one machine had done everything.

    ``out`` is the folder of `run`. The result is that of the experiment: a `boughs.Match` for a plan of `boughs.match`,
    and so on. ``store`` gets the games in the order of their numbers, the best scores of cases, or the measurement.
    ``weights`` is the file that `boughs.learn` was given as ``out``. To merge again adds nothing to a store. `shard` has an
    example.
    """
    found: dict[str, Any] = json.loads(
        _boughs.merge_shards(fspath(out), store=_optional(store), weights=_optional(weights))
    )
    kind = found.pop("plan")["kind"]
    if kind == "match":
        return _match(found)
    if kind == "tournament":
        return _tournament(found)
    if kind == "judge":
        return _judgement(found)
    if kind == "scale":
        return _scaling(found)
    if kind == "learn":
        return _learned(found)
    games = found["kept"] + found["played"]
    return Stage(game=found["game"], games=games, new=found["played"], next=found["next"])


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message}; --help lists all arguments\n")


def _parser() -> _Parser:
    parser = _Parser(
        prog="python -m boughs.cluster",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description=(
            "Run the shards of a plan on Ray, and put their results together.\n\n"
            "Shards that the folder has are not run again, so the same command goes on after a crash.\n"
            "Shards that fail do not stop the others; they are named at the end."
        ),
        epilog=(
            "Example:\n"
            "  ray start --head\n"
            "  boughs match connect4 mcts:c=0.7 mcts --iterations 200 --games 40 --plan plan.json\n"
            "  python -m boughs.cluster plan.json --out shards --address auto --store games.db"
        ),
    )
    number: dict[str, Any] = dict(type=int, metavar="N")
    parser.add_argument("plan", metavar="PLAN", help="the plan, as 'boughs match --plan' writes it")
    parser.add_argument("--out", metavar="DIR", required=True, help="folder for the results of the shards")
    parser.add_argument("--address", help="address of the cluster, as in ray.init [default: auto, or a new one]")
    parser.add_argument("--store", metavar="FILE", help="put all results into this store at the end")
    parser.add_argument("--weights", metavar="FILE", help="with a plan of 'boughs learn', its file of weights")
    retries = "times that a shard is run again whose worker or machine dies [default: 5]"
    parser.add_argument("--retries", default=5, **number, help=retries)
    parser.add_argument("--window", **number, help="shards handed to Ray at a time [default: twice those that run]")
    parser.add_argument("--concurrency", default=1, **number, help="games of a shard at a time [default: 1]")
    return parser


def main(words: Sequence[str] | None = None) -> int:
    """Run the command line ``python -m boughs.cluster``, and return its exit code."""
    parser = _parser()
    given = parser.parse_args(words)
    try:
        outcome = run(
            given.plan,
            given.out,
            address=given.address,
            retries=given.retries,
            window=given.window,
            concurrency=given.concurrency,
        )
        ending = ", and the test is decided" if outcome.is_decided else ""
        done = counted(outcome.run, "shards")
        print(f"ran {done} of {outcome.shards}; {outcome.found} in {given.out} before{ending}")
        if given.store is None and given.weights is None:
            print(f"put all together: the same command with --store FILE, or boughs merge {given.out}")
            return 0
        merged = merge(given.out, given.store, weights=given.weights)
        print(merged)
        return 0
    except KeyboardInterrupt:
        print(f"{parser.prog}: interrupted; the same command goes on", file=sys.stderr)
        return 130
    except (_boughs.Error, OSError) as error:
        print(f"{parser.prog}: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    # Ray finds the function of a shard by the name of its module, which is another one here.
    from boughs.cluster import main as run_main

    sys.exit(run_main())
