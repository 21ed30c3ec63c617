"""Experiments: matches, tournaments, scaling, judged cases, learning and replays."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Sequence
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any, Optional, Union, overload

from . import _boughs
from ._table import Table, counted

if TYPE_CHECKING:
    import pandas

AnyPath = Union[str, "PathLike[str]"]
#: A function of the number of parts that are done and of all parts (None if that is open).
Progress = Optional[Callable[[int, Optional[int]], object]]


@dataclasses.dataclass(frozen=True)
class Interval:
    """An estimate with its 95 % interval. A bound that is not known is NaN."""

    value: float
    low: float
    high: float

    @classmethod
    def _of(cls, estimate: dict[str, dict[str, float]]) -> Interval:
        (numbers,) = estimate.values()
        nan = float("nan")
        return cls(numbers.get("value", nan), numbers.get("low", nan), numbers.get("high", nan))

    def __str__(self) -> str:
        return f"{self.value:+.1f} ({self.low:+.1f} to {self.high:+.1f})"


@dataclasses.dataclass(frozen=True)
class Match:
    """The result of a match of A, the first contestant, against B."""

    game: str
    contestants: list[str]
    limit: str
    wins: int
    draws: int
    losses: int
    #: The difference in Elo, and the probability that A is stronger at all.
    elo: Interval
    los: float
    #: The mean rewards of A and B.
    rewards: tuple[Interval, Interval]
    #: Pairs of games that brought A 0, 1/2, 1, 3/2 and 2 points.
    pairs: list[int]
    #: The decision of the sequential test, if there is one: ``accept_h0``, ``accept_h1`` or ``continue``.
    decision: str | None
    seconds: float
    #: All figures, as the program writes them.
    details: dict[str, Any]

    @property
    def games(self) -> int:
        """The number of games."""
        return self.wins + self.draws + self.losses

    def __repr__(self) -> str:
        first, second = self.contestants
        return (
            f"{first} against {second} in {self.game}, {self.limit} a move: won {self.wins}, drew {self.draws}, lost "
            f"{self.losses}; Elo {self.elo}"
        )


@dataclasses.dataclass(frozen=True)
class Tournament:
    """The result of a tournament: ratings, and the games of each pairing."""

    game: str
    contestants: list[str]
    limit: str
    #: A row for each contestant, best first: contestant, elo, low, high, games, points.
    ratings: Table
    #: A row for each pairing: first, second, wins, draws, losses.
    meetings: Table
    seconds: float
    details: dict[str, Any]

    def to_pandas(self) -> pandas.DataFrame:
        """The ratings as a data frame."""
        return self.ratings.to_pandas()

    def __repr__(self) -> str:
        return f"{self.game}, {self.limit} a move\n{self.ratings!r}"

    def _repr_html_(self) -> str:
        return self.ratings._repr_html_()


@dataclasses.dataclass(frozen=True)
class Scaling:
    """The growth of throughput with the number of threads."""

    game: str
    #: A row for each kind of parallelisation and number of threads: parallel, threads, playouts_per_second and its
    #: plus_minus, speed_up, efficiency, runs.
    table: Table
    #: Every run: parallel, threads, round, playouts, seconds, cores_busy, disturbed.
    runs: Table
    warnings: list[str]
    details: dict[str, Any]
    _plot: str = dataclasses.field(repr=False, default="")

    def to_pandas(self) -> pandas.DataFrame:
        """The rows as a data frame."""
        return self.table.to_pandas()

    def __repr__(self) -> str:
        return "\n".join([f"{self.game}\n{self.table!r}", *(f"warning: {warning}" for warning in self.warnings)])

    def _repr_svg_(self) -> str:
        return self._plot


@dataclasses.dataclass(frozen=True)
class Judgement:
    """The scores of the cases of a contest."""

    game: str
    contestant: str
    total: float
    mean: float
    #: Half the 95 % interval of the mean; NaN for a single case.
    plus_minus: float
    #: A row for each case: case, score, best_before, seconds, slowest_ms, playouts, fault.
    cases: Table

    def __repr__(self) -> str:
        error = "" if self.plus_minus != self.plus_minus else f" ± {self.plus_minus:,.1f}"
        return f"{self.contestant} in {self.game}: {counted(self.cases.size, 'cases')}, {self.mean:,.1f}{error} each"

    def to_pandas(self) -> pandas.DataFrame:
        """The cases as a data frame."""
        return self.cases.to_pandas()


@dataclasses.dataclass(frozen=True)
class Learned:
    """Weights that were learned by games of an agent against itself."""

    game: str
    games: int
    #: A row for each feature: name, weight, and its worth for the first and the second player.
    features: Table
    #: The course of learning: games, first, turns, error.
    curve: Table

    def __repr__(self) -> str:
        return f"{self.game}, {counted(self.games, 'games')}\n{self.features!r}"

    def to_pandas(self) -> pandas.DataFrame:
        """The features as a data frame."""
        return self.features.to_pandas()


@dataclasses.dataclass(frozen=True)
class Replay:
    """The path of UCB1 in the tree of a puzzle, and why."""

    answer: str
    explanation: str


@dataclasses.dataclass(frozen=True)
class Stage:
    """A stage of a tuning, whose games are in the store of ``boughs tune``."""

    game: str
    games: int
    #: Games that the store did not have before.
    new: int
    #: The command that plans the next stage.
    next: str


@dataclasses.dataclass(frozen=True)
class Plan:
    """The file of a plan: an experiment as plain data, cut into shards that any machine runs by itself."""

    path: str
    #: ``match``, ``tournament``, ``tune``, ``judge``, ``scale`` or ``learn``.
    kind: str
    #: The number of games, cases or rounds, and their name.
    units: int
    unit: str
    shards: int
    #: The number of cores of a shard; None if it takes a whole machine.
    cores: int | None
    checksum: str
    #: True if a sequential test may end the games early.
    has_test: bool

    @classmethod
    def _of(cls, path: AnyPath, facts: dict[str, Any]) -> Plan:
        return cls(path=fspath(path), **facts)

    def __repr__(self) -> str:
        cores = "a whole machine" if self.cores is None else "one core" if self.cores == 1 else f"{self.cores} cores"
        return f"{self.path}: {counted(self.units, self.unit)} in {counted(self.shards, 'shards')}, {cores} each"


#: Number of games or cases of a shard, where nothing else is asked for.
_SHARD_SIZE = 20


def _plan_file(plan: AnyPath | None, shard_size: int | None, **others: object) -> tuple[str, int] | None:
    """The file of a plan and the size of its shards. A plan plays nothing, so it refuses some other arguments."""
    if plan is None:
        if shard_size is not None:
            raise _boughs.Error("shard_size is for a plan; leave it out, or name the file of a plan with plan")
        return None
    for name, value in others.items():
        if value is not None:
            raise _boughs.Error(f"a plan plays nothing, so it has no use for {name}; leave one of them out")
    size = _SHARD_SIZE if shard_size is None else shard_size
    if size < 1:
        raise _boughs.Error(f"shard_size = {size} is no number of games; give at least 1")
    return fspath(plan), size


def _command(name: str, **arguments: Any) -> str:
    """The call as text, by which a store remembers an experiment."""
    given = ", ".join(f"{key}={value!r}" for key, value in arguments.items() if value is not None)
    return f"boughs.{name}({given})"


def _optional(path: AnyPath | None) -> str | None:
    return None if path is None else fspath(path)


@overload
def match(
    game: str, a: str, b: str, *, plan: AnyPath, shard_size: int | None = ..., games: int | None = ...,
    sprt: tuple[float, float] | None = ..., time: float | None = ..., iterations: int | None = ...,
    grace: float | None = ..., openings: str = ..., seed: int = ...,
) -> Plan: ...  # fmt: skip
@overload
def match(
    game: str, a: str, b: str, *, games: int | None = ..., sprt: tuple[float, float] | None = ...,
    time: float | None = ..., iterations: int | None = ..., grace: float | None = ..., openings: str = ...,
    seed: int = ..., concurrency: int | None = ..., store: AnyPath | None = ..., progress: Progress = ...,
) -> Match: ...  # fmt: skip
def match(
    game: str,
    a: str,
    b: str,
    *,
    games: int | None = None,
    sprt: tuple[float, float] | None = None,
    time: float | None = None,
    iterations: int | None = None,
    grace: float | None = None,
    openings: str = "start",
    seed: int = 0,
    concurrency: int | None = None,
    store: AnyPath | None = None,
    progress: Progress = None,
    plan: AnyPath | None = None,
    shard_size: int | None = None,
) -> Match | Plan:
    """Play two agents or programs against each other, and measure which one is stronger.

    Games come in pairs with the same opening and the seats changed. ``time`` is in seconds for a move, 0.1 without a
    limit. ``sprt=(0, 20)`` plays until it is clear if A is stronger by 0 or by 20 Elo. ``openings`` is ``start``,
    ``random:4``, ``random:2-6`` or the name of a file. ``store`` keeps every game, and the same call goes on from
    there. Ctrl-C ends the match; a store keeps the games that are over.

    ``plan`` names a file: then nothing is played, and the file gets a plan of shards with ``shard_size`` games, 20
    without it, for many machines (`boughs.cluster`).

    >>> import boughs
    >>> result = boughs.match("tictactoe", "mcts", "random", games=20, iterations=50)
    >>> result.games, result.wins > result.losses
    (20, True)
    """
    count = games if games is not None else (100 if sprt is None else 1 << 48)
    file = _plan_file(plan, shard_size, store=store, concurrency=concurrency, progress=progress)
    if file is not None and games is None and sprt is not None:
        raise _boughs.Error("a plan needs games beside sprt: the most games to play")
    found: dict[str, Any] = json.loads(
        _boughs.play_contest(
            "match",
            game,
            [a, b],
            count,
            sprt=sprt,
            time=time,
            iterations=iterations,
            grace=grace,
            openings=openings,
            seed=seed,
            concurrency=concurrency,
            store=_optional(store),
            command=_command("match", game=game, a=a, b=b, games=games, time=time, iterations=iterations, seed=seed),
            progress=progress,
            plan=file,
        )
    )
    return _match(found) if file is None else Plan._of(file[0], found)


def _match(found: dict[str, Any]) -> Match:
    meeting = found["meetings"][0]
    strength = meeting["strength"]
    test = meeting["sprt"]
    return Match(
        game=found["game"],
        contestants=found["contestants"],
        limit=found["limit"],
        wins=strength["games"]["wins"],
        draws=strength["games"]["draws"],
        losses=strength["games"]["losses"],
        elo=Interval._of(strength["elo"]),
        los=strength["los"],
        rewards=(Interval._of(meeting["rewards"][0]), Interval._of(meeting["rewards"][1])),
        pairs=strength["pairs"],
        decision=None if test is None else test["decision"],
        seconds=found["seconds"],
        details=found,
    )


@overload
def tournament(
    game: str, contestants: Sequence[str], *, plan: AnyPath, shard_size: int | None = ..., rounds: int = ...,
    gauntlet: bool = ..., time: float | None = ..., iterations: int | None = ..., grace: float | None = ...,
    openings: str = ..., seed: int = ...,
) -> Plan: ...  # fmt: skip
@overload
def tournament(
    game: str, contestants: Sequence[str], *, rounds: int = ..., gauntlet: bool = ..., time: float | None = ...,
    iterations: int | None = ..., grace: float | None = ..., openings: str = ..., seed: int = ...,
    concurrency: int | None = ..., store: AnyPath | None = ..., progress: Progress = ...,
) -> Tournament: ...  # fmt: skip
def tournament(
    game: str,
    contestants: Sequence[str],
    *,
    rounds: int = 50,
    gauntlet: bool = False,
    time: float | None = None,
    iterations: int | None = None,
    grace: float | None = None,
    openings: str = "start",
    seed: int = 0,
    concurrency: int | None = None,
    store: AnyPath | None = None,
    progress: Progress = None,
    plan: AnyPath | None = None,
    shard_size: int | None = None,
) -> Tournament | Plan:
    """Play several agents or programs against each other, and rate them by the model of Bradley and Terry.

    In a round two contestants meet twice, with the seats changed. With ``gauntlet`` the first plays all others, and
    they do not play each other. The other arguments are those of `match`.

    >>> import boughs
    >>> result = boughs.tournament("tictactoe", ["mcts", "flat", "random"], rounds=5, iterations=50)
    >>> result.ratings["contestant"][-1]
    'random'
    """
    if len(contestants) < 2:
        raise _boughs.Error("a tournament has at least two contestants")
    file = _plan_file(plan, shard_size, store=store, concurrency=concurrency, progress=progress)
    found: dict[str, Any] = json.loads(
        _boughs.play_contest(
            "tournament",
            game,
            list(contestants),
            rounds,
            gauntlet=gauntlet,
            time=time,
            iterations=iterations,
            grace=grace,
            openings=openings,
            seed=seed,
            concurrency=concurrency,
            store=_optional(store),
            command=_command(
                "tournament", game=game, contestants=list(contestants), rounds=rounds, time=time, iterations=iterations
            ),
            progress=progress,
            plan=file,
        )
    )
    return _tournament(found) if file is None else Plan._of(file[0], found)


def _tournament(found: dict[str, Any]) -> Tournament:
    names: list[str] = found["contestants"]
    ratings = []
    for row in found["ratings"]["table"]:
        elo = Interval._of(row["elo"])
        ratings.append(
            {
                "contestant": names[row["contestant"]],
                "elo": elo.value,
                "low": elo.low,
                "high": elo.high,
                "games": row["games"],
                "points": row["points"],
            }
        )
    meetings = [
        {"first": names[row["first"]], "second": names[row["second"]], **row["strength"]["games"]}
        for row in found["meetings"]
    ]
    return Tournament(
        game=found["game"],
        contestants=names,
        limit=found["limit"],
        ratings=Table.of_rows(ratings, ("contestant", "elo", "low", "high", "games", "points")),
        meetings=Table.of_rows(meetings, ("first", "second", "wins", "draws", "losses")),
        seconds=found["seconds"],
        details=found,
    )


@overload
def scale(
    game: str, *, plan: AnyPath, threads: Sequence[int], parallel: Sequence[str] | None = ..., time: float | None = ...,
    iterations: int | None = ..., rounds: int = ..., agent: str | None = ..., seed: int = ...,
) -> Plan: ...  # fmt: skip
@overload
def scale(
    game: str, *, threads: Sequence[int] | None = ..., parallel: Sequence[str] | None = ..., time: float | None = ...,
    iterations: int | None = ..., rounds: int = ..., agent: str | None = ..., seed: int = ...,
    store: AnyPath | None = ..., progress: Progress = ...,
) -> Scaling: ...  # fmt: skip
def scale(
    game: str,
    *,
    threads: Sequence[int] | None = None,
    parallel: Sequence[str] | None = None,
    time: float | None = None,
    iterations: int | None = None,
    rounds: int = 7,
    agent: str | None = None,
    seed: int = 0,
    store: AnyPath | None = None,
    progress: Progress = None,
    plan: AnyPath | None = None,
) -> Scaling | Plan:
    """Measure how throughput grows with the number of threads.

    Every round runs every configuration once, in shuffled order: the kinds of parallelisation ``shared`` (tree),
    ``independent`` (root) and ``batched`` (leaf), and the ``roof``, random playouts without a tree. ``threads`` are 1,
    2, 4 ... and all cores, unless they are given; 1 is always added. ``time`` is in seconds for each run. ``plan`` is
    that of `match`; each shard is a round, which takes a whole machine.

    >>> import boughs
    >>> scaling = boughs.scale("tictactoe", threads=[1], parallel=["shared"], iterations=1_000, rounds=1)
    >>> sorted(set(scaling.table["parallel"]))
    ['roof', 'shared']
    """
    file = _plan_file(plan, None if plan is None else 1, store=store, progress=progress)
    if file is not None and threads is None:
        raise _boughs.Error("a plan needs threads, because machines may have other numbers of cores")
    found: dict[str, Any] = json.loads(
        _boughs.scale(
            game,
            threads=None if threads is None else list(threads),
            parallel=None if parallel is None else list(parallel),
            time=time,
            iterations=iterations,
            rounds=rounds,
            agent=agent,
            seed=seed,
            store=_optional(store),
            command=_command("scale", game=game, threads=threads, parallel=parallel, time=time, rounds=rounds),
            progress=progress,
            plan=file,
        )
    )
    return _scaling(found) if file is None else Plan._of(file[0], found)


def _scaling(found: dict[str, Any]) -> Scaling:
    rows = []
    for line in found["lines"]:
        speed = line["playouts_per_second"] or {}
        rows.append(
            {
                "parallel": line["mode"],
                "threads": line["threads"],
                "playouts_per_second": speed.get("mean"),
                "plus_minus": speed.get("plus_minus"),
                "speed_up": (line["speed_up"] or {}).get("mean"),
                "efficiency": (line["efficiency"] or {}).get("mean"),
                "runs": line["runs"],
            }
        )
    runs = [{**run, "parallel": run["mode"], "seconds": run["wall"]} for run in found["runs"]]
    plot = found.pop("plot")
    return Scaling(
        game=found["game"],
        table=Table.of_rows(
            rows,
            ("parallel", "threads", "playouts_per_second", "plus_minus", "speed_up", "efficiency", "runs"),
        ),
        runs=Table.of_rows(
            runs,
            ("parallel", "threads", "round", "playouts", "playouts_per_second", "seconds", "cores_busy", "disturbed"),
        ),
        warnings=found["warnings"],
        details=found,
        _plot=plot or "",
    )


@overload
def judge(
    game: str = ..., agent: str | None = ..., *, plan: AnyPath, shard_size: int | None = ...,
    seeds: range | None = ..., cases: AnyPath | None = ..., time: float | None = ..., iterations: int | None = ...,
    margin: float | None = ..., seed: int = ...,
) -> Plan: ...  # fmt: skip
@overload
def judge(
    game: str = ..., agent: str | None = ..., *, seeds: range | None = ..., cases: AnyPath | None = ...,
    time: float | None = ..., iterations: int | None = ..., margin: float | None = ..., seed: int = ...,
    concurrency: int | None = ..., store: AnyPath | None = ..., progress: Progress = ...,
) -> Judgement: ...  # fmt: skip
def judge(
    game: str = "ahc015",
    agent: str | None = None,
    *,
    seeds: range | None = None,
    cases: AnyPath | None = None,
    time: float | None = None,
    iterations: int | None = None,
    margin: float | None = None,
    seed: int = 0,
    concurrency: int | None = None,
    store: AnyPath | None = None,
    progress: Progress = None,
    plan: AnyPath | None = None,
    shard_size: int | None = None,
) -> Judgement | Plan:
    """Play the cases of a contest, and score each.

    Cases come from ``seeds``, such as ``range(0, 20)``, or from the files of the folder ``cases``. ``agent`` may be a
    program: ``cmd:./bot`` or ``rs:bot.rs``. ``time`` is in seconds for a case, 2 without a limit. ``plan`` is that of
    `match`.

    >>> import boughs
    >>> int(boughs.judge(agent="solution2", seeds=range(0, 3)).cases["score"].min()) > 0
    True
    """
    if seeds is not None and seeds.step != 1:
        raise _boughs.Error(f"{seeds} leaves seeds out; give a range with a step of 1")
    file = _plan_file(plan, shard_size, store=store, concurrency=concurrency, progress=progress)
    found: dict[str, Any] = json.loads(
        _boughs.judge(
            game,
            agent=agent,
            seeds=None if seeds is None else (seeds.start, seeds.stop),
            cases=_optional(cases),
            time=time,
            iterations=iterations,
            margin=margin,
            seed=seed,
            concurrency=concurrency,
            store=_optional(store),
            command=_command("judge", game=game, agent=agent, seeds=seeds, time=time, iterations=iterations),
            progress=progress,
            plan=file,
        )
    )
    return _judgement(found) if file is None else Plan._of(file[0], found)


def _judgement(found: dict[str, Any]) -> Judgement:
    mean = found["mean"] or {}
    nan = float("nan")
    columns = ("case", "score", "best_before", "seconds", "slowest_ms", "playouts", "fault")
    return Judgement(
        game=found["game"],
        contestant=found["contestant"],
        total=found["total"],
        mean=mean.get("mean", nan),
        plus_minus=nan if mean.get("plus_minus") is None else mean["plus_minus"],
        cases=Table.of_rows(found["cases"], columns),
    )


@overload
def learn(
    game: str = ..., *, plan: AnyPath, shard_size: int | None = ..., games: int | None = ..., out: AnyPath | None = ...,
    seed: int = ..., round: int | None = ..., rate: float | None = ..., slowing: float | None = ...,
    decay: float | None = ..., explore: float | None = ..., positions: int | None = ...,
) -> Plan | None: ...  # fmt: skip
@overload
def learn(
    game: str = ..., *, games: int | None = ..., out: AnyPath | None = ..., threads: int | None = ..., seed: int = ...,
    round: int | None = ..., rate: float | None = ..., slowing: float | None = ..., decay: float | None = ...,
    explore: float | None = ..., positions: int | None = ..., progress: Progress = ...,
) -> Learned: ...  # fmt: skip
def learn(
    game: str = "green-circle",
    *,
    games: int | None = None,
    out: AnyPath | None = None,
    threads: int | None = None,
    seed: int = 0,
    round: int | None = None,
    rate: float | None = None,
    slowing: float | None = None,
    decay: float | None = None,
    explore: float | None = None,
    positions: int | None = None,
    progress: Progress = None,
    plan: AnyPath | None = None,
    shard_size: int | None = None,
) -> Learned | Plan | None:
    """Learn weights for the features of a game by games of an agent against itself, by TD(lambda).

    ``decay`` is the lambda of TD(lambda). ``out`` is a file that keeps the weights after each round of games; the same
    call goes on from there, and agents read it by ``weights=FILE``. ``plan`` is that of `match`, for the games of the
    next round. The result is None if nothing is left to plan.

    >>> import boughs
    >>> boughs.learn("green-circle", games=2, round=2, positions=200).games
    2
    """
    file = _plan_file(plan, shard_size, threads=threads, progress=progress)
    text = _boughs.learn(
        game,
        games=games,
        out=_optional(out),
        threads=threads,
        seed=seed,
        round=round,
        rate=rate,
        slowing=slowing,
        decay=decay,
        explore=explore,
        positions=positions,
        command=_command("learn", game=game, games=games, seed=seed, round=round),
        progress=progress,
        plan=file,
    )
    if text is None:
        return None
    found: dict[str, Any] = json.loads(text)
    return _learned(found) if file is None else Plan._of(file[0], found)


def _learned(found: dict[str, Any]) -> Learned:
    features = [
        {**feature, "first": worth[0], "second": worth[1]}
        for feature, worth in zip(found["features"], found["worth"])
    ]
    return Learned(
        game=found["game"],
        games=found["games"],
        features=Table.of_rows(features, ("name", "weight", "first", "second")),
        curve=Table.of_rows(found["curve"], ("games", "first", "turns", "error")),
    )


def replay(text: str) -> Replay:
    """The path of UCB1 in the tree of a puzzle's recorded playouts.

    A puzzle is a line with the number of playouts and the constant C, then a line for each playout: its moves, one
    letter each, and its score.

    >>> import boughs
    >>> print(boughs.replay("3 0.1\\nbaa 30\\nab 20\\nbbb 4\\n").answer)
    a
    """
    return Replay(*_boughs.replay_puzzle(text))


def replay_log(path: AnyPath) -> dict[str, Any]:
    """Check the log of a search: every playout by the rules, every node by its playouts.

    Returns the game and the numbers of playouts and nodes. A log that is wrong is a `boughs.Error`.
    """
    game, playouts, nodes = _boughs.replay_log(fspath(path))
    return {"game": game, "playouts": playouts, "nodes": nodes}
