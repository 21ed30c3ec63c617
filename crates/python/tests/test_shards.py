"""Plans, their shards, and the results of shards put together, without Ray."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import types
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Optional

import pytest

import boughs
import boughs.cluster
from boughs import _boughs

HERE = Path(__file__).parent.parent
#: Columns of a store that no two runs have alike: dates and measured times.
TIMES = ("began", "seconds", "thinking")


def run_all(plan: boughs.Plan, out: Path, shards: Optional[Sequence[int]] = None) -> Path:
    """Runs shards of a plan in this process, by default all from the last to the first."""
    for shard in reversed(range(plan.shards)) if shards is None else shards:
        assert boughs.cluster.shard(plan.path, shard, out)
    return out


def content(store: Path) -> list[dict[str, Any]]:
    """The rows of a store without dates and measured times."""
    opened = boughs.Store(store)
    tables = [opened.events(), opened.games()]
    return [{name: row[name] for name in row if name not in TIMES} for table in tables for row in table.rows()]


def test_merged_games_are_those_of_one_machine(tmp_path: Path) -> None:
    contest: dict[str, Any] = dict(games=10, iterations=60, openings="random:4", seed=7)
    one = boughs.match("connect4", "mcts:c=1", "flat", store=tmp_path / "one.db", **contest)
    plan = boughs.match("connect4", "mcts:c=1", "flat", plan=tmp_path / "plan.json", shard_size=3, **contest)
    assert isinstance(plan, boughs.Plan)
    assert (plan.kind, plan.units, plan.unit, plan.shards, plan.cores) == ("match", 10, "games", 4, 1)
    out = run_all(plan, tmp_path / "shards")
    assert not boughs.cluster.shard(plan.path, 1, out)  # It is there.
    merged = boughs.cluster.merge(out, tmp_path / "merged.db")
    assert isinstance(merged, boughs.Match) and repr(merged) == repr(one)
    assert content(tmp_path / "merged.db") == content(tmp_path / "one.db")
    assert merged.details["played"] == 10 and merged.seconds > 0
    again = boughs.cluster.merge(out, tmp_path / "merged.db")
    assert again.details["kept"] == 10 and content(tmp_path / "merged.db") == content(tmp_path / "one.db")


def test_merged_tournaments_are_rated_alike(tmp_path: Path) -> None:
    contest: dict[str, Any] = dict(rounds=3, iterations=30, gauntlet=True)
    names = ["mcts", "flat", "random"]
    one = boughs.tournament("tictactoe", names, **contest)
    plan = boughs.tournament("tictactoe", names, plan=tmp_path / "plan.json", shard_size=5, **contest)
    merged = boughs.cluster.merge(run_all(plan, tmp_path / "shards"))
    assert plan.units == 12 and repr(merged) == repr(one) and merged.meetings.rows() == one.meetings.rows()


def test_merged_cases_are_scored_alike(tmp_path: Path) -> None:
    cases: dict[str, Any] = dict(agent="solution2", seeds=range(3, 8), iterations=30)
    one = boughs.judge("ahc015", **cases)
    plan = boughs.judge("ahc015", plan=tmp_path / "plan.json", shard_size=2, **cases)
    store = tmp_path / "cases.db"
    merged = boughs.cluster.merge(run_all(plan, tmp_path / "shards"), store)
    assert plan.kind == "judge" and plan.shards == 3 and merged.total == one.total
    assert merged.cases["score"].tolist() == one.cases["score"].tolist() and boughs.Store(store).cases().size == 5


def test_merged_rounds_are_one_measurement(tmp_path: Path) -> None:
    plan = boughs.scale(
        "tictactoe", threads=[1], parallel=["shared"], iterations=500, rounds=2, plan=tmp_path / "plan.json"
    )
    assert plan.kind == "scale" and plan.shards == 2 and plan.cores is None and "a whole machine" in repr(plan)
    store = tmp_path / "scale.db"
    merged = boughs.cluster.merge(run_all(plan, tmp_path / "shards"), store)
    assert merged.table["parallel"].tolist() == ["shared", "roof"] and merged.runs.size == 4
    (row,) = boughs.Store(store).measurements().rows()
    assert row["is_over"] and row["command"].startswith("boughs.scale(")


def test_learning_goes_on_from_round_to_round(tmp_path: Path) -> None:
    terms: dict[str, Any] = dict(games=4, round=2, positions=200)
    one = boughs.learn(**terms)
    weights, rounds = tmp_path / "weights.json", 0
    while (plan := boughs.learn(plan=tmp_path / f"{rounds}.json", out=weights, shard_size=1, **terms)) is not None:
        out = run_all(plan, tmp_path / f"{rounds}")
        merged = boughs.cluster.merge(out, weights=weights)
        rounds += 1
    assert rounds == 2 and merged.games == 4 and merged.features.rows() == one.features.rows()
    with pytest.raises(boughs.Error, match="has not what was learned before the round of this plan"):
        boughs.cluster.merge(tmp_path / "0", weights=weights)


def test_a_test_is_decided_by_the_first_shards(tmp_path: Path) -> None:
    contest: dict[str, Any] = dict(sprt=(0, 100), games=1_000, iterations=30)
    one = boughs.match("tictactoe", "mcts", "random", concurrency=1, **contest)
    plan = boughs.match("tictactoe", "mcts", "random", plan=tmp_path / "plan.json", shard_size=4, **contest)
    assert plan.has_test
    last = -(-one.games // 4) - 1
    text, _ = _boughs.read_plan(plan.path)
    folder = _boughs.ShardFolder(tmp_path / "shards", text)
    for shard in [*range(1, last + 1), last + 5]:
        folder.put(shard, _boughs.run_shard(text, shard))
        assert not folder.is_decided()  # The first shard is missing.
    folder.put(0, _boughs.run_shard(text, 0))
    assert folder.is_decided()
    merged = boughs.cluster.merge(tmp_path / "shards")
    assert (merged.decision, merged.games) == (one.decision, one.games) and merged.decision == "accept_h1"
    outcome = boughs.cluster.run(plan.path, tmp_path / "shards")  # Needs no Ray.
    assert outcome.is_decided and outcome.run == 0 and outcome.found == last + 2


def test_other_plans_and_damaged_shards_are_refused(tmp_path: Path) -> None:
    plan = boughs.match("tictactoe", "mcts", "flat", games=6, iterations=20, plan=tmp_path / "p.json", shard_size=2)
    text, _ = _boughs.read_plan(plan.path)
    checksum = json.loads(text)["program"]["checksum"]
    with pytest.raises(boughs.Error, match="and this is Boughs"):
        _boughs.run_shard(text.replace(checksum, "0123456789abcdef"), 0)
    with pytest.raises(boughs.Error, match="this is no plan"):
        _boughs.run_shard("{}", 0)
    with pytest.raises(boughs.Error, match="numbered from 0 to 2, and none with the number 3"):
        _boughs.run_shard(text, 3)
    out = tmp_path / "shards"
    folder = _boughs.ShardFolder(out, text)
    results = _boughs.run_shard(text, 0)
    with pytest.raises(boughs.Error, match="shard 1 has the results of shard 0"):
        folder.put(1, results)
    with pytest.raises(boughs.Error, match="shard 0 was made by"):
        folder.put(0, results.replace(checksum, "0123456789abcdef"))
    with pytest.raises(boughs.Error, match="shard 0 is damaged"):
        folder.put(0, results.replace('"round":0', '"round":1'))
    assert folder.missing() == [0, 1, 2]
    folder.put(0, results)
    assert folder.missing() == [1, 2]
    (file,) = out.glob("shard-*")
    file.write_text(results[:-40])
    assert folder.missing() == [0, 1, 2]
    with pytest.raises(boughs.Error, match="missing: 2 of 3 shards, 1-2|shard 0 is"):
        boughs.cluster.merge(out)
    other = boughs.match("tictactoe", "mcts", "flat", games=4, iterations=20, plan=tmp_path / "other.json")
    with pytest.raises(boughs.Error, match="has the shards of another plan"):
        boughs.cluster.run(other.path, out)


def test_the_program_and_the_package_share_plans_and_shards(tmp_path: Path) -> None:
    program = HERE.parent.parent / "target" / "release" / "boughs"
    if not program.exists():
        pytest.skip("there is no release build of the program")

    def call(*words: object) -> None:
        done = subprocess.run([program, *map(str, words)], cwd=tmp_path, capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, f"{done.stderr} (is target/release built of these sources?)"

    call("match", "tictactoe", "mcts", "flat", "--iterations", 20, "--games", 4, "--shard-size", 2, "--plan", "p.json")
    text, _ = _boughs.read_plan(tmp_path / "p.json")
    _boughs.ShardFolder(tmp_path / "shards", text).put(1, _boughs.run_shard(text, 1))
    call("shard", "p.json", "--id", 0, "--out", "shards")
    call("merge", "shards", "--store", "a.db")
    merged = boughs.cluster.merge(tmp_path / "shards", tmp_path / "b.db")
    rows = [content(tmp_path / name) for name in ("a.db", "b.db")]
    assert [row.pop("command").split("--store ")[1].rpartition("/")[2] for row, *_ in rows] == ["a.db", "b.db"]
    assert rows[0] == rows[1] and merged.games == 4
    boughs.match("tictactoe", "mcts", "flat", iterations=20, games=4, plan=tmp_path / "q.json")
    call("shard", "q.json", "--id", 0, "--out", "others")
    call("merge", "others", "--store", "c.db")
    command = boughs.Store(tmp_path / "c.db").events()["command"][0]
    assert command == "boughs.match(game='tictactoe', a='mcts', b='flat', games=4, iterations=20, seed=0)"


def test_ctrl_c_ends_a_shard(tmp_path: Path) -> None:
    plan = boughs.match("connect4", "mcts", "mcts", games=2, time=30.0, plan=tmp_path / "plan.json")
    text, _ = _boughs.read_plan(plan.path)
    # The tests may run where Ctrl-C is ignored.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        _boughs.run_shard(text, 0)
    timer.join()
    signal.signal(signal.SIGINT, before)


def match(**arguments: Any) -> object:
    call: Callable[..., object] = boughs.match
    return call("tictactoe", "mcts", "flat", **arguments)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda p: match(plan=p, store=p.with_suffix(".db")), "a plan plays nothing, so it has no use for store"),
        (lambda p: match(plan=p, concurrency=2), "a plan plays nothing, so it has no use for concurrency"),
        (lambda p: match(plan=p, progress=print), "a plan plays nothing, so it has no use for progress"),
        (lambda p: match(shard_size=2), "shard_size is for a plan"),
        (lambda p: match(plan=p, shard_size=0), "shard_size = 0 is no number of games"),
        (lambda p: match(plan=p, sprt=(0, 5)), "a plan needs games beside sprt: the most games to play"),
        (lambda p: match(plan="/no/folder/p.json"), "'/no/folder/p.json' cannot be written"),
        (lambda p: boughs.scale("tictactoe", plan=p), "a plan needs threads"),  # type: ignore[call-overload]
        (lambda p: boughs.cluster.run(p, "shards"), "plan.json': No such file"),
        (lambda p: boughs.cluster.run(p, "shards", retries=-1), "retries = -1 is too small; give at least 0"),
        (lambda p: boughs.cluster.merge("/no/folder"), "'/no/folder' has no plan"),
    ],
)
def test_faults_are_sentences(call: Callable[[Path], object], sentence: str, tmp_path: Path) -> None:
    with pytest.raises(boughs.Error) as caught:
        call(tmp_path / "plan.json")
    assert sentence in str(caught.value), str(caught.value)
    assert not (tmp_path / "plan.json").exists()


class Reference:
    """A task of the Ray below."""

    def __init__(self, work: Callable[[], Any], name: str) -> None:
        self.work, self.name, self.is_cancelled = work, name, False


class FakeRay(types.ModuleType):
    """Ray on one thread: a task runs when it is waited for."""

    def __init__(self, cores: Sequence[int], fails: Callable[[str], bool] = lambda name: False) -> None:
        super().__init__("ray")
        self.cores, self.fails = cores, fails
        self.options: dict[str, Any] = {}
        self.started: list[Reference] = []
        self.most = self.waiting = 0
        self.is_ready = self.is_down = False

    def is_initialized(self) -> bool:
        return self.is_ready

    def init(self, **_: object) -> None:
        pass

    def shutdown(self) -> None:
        self.is_down = True

    def nodes(self) -> list[dict[str, Any]]:
        dead = {"Alive": False, "Resources": {"CPU": 64.0}}
        return [dead, *({"Alive": True, "Resources": {"CPU": float(cores)}} for cores in self.cores)]

    def put(self, value: object) -> object:
        return value

    def remote(self, **options: Any) -> Callable[[Callable[..., Any]], Any]:
        self.options = options
        ray = self

        class Task:
            def __init__(self, function: Callable[..., Any], name: str = "") -> None:
                self.function, self.name = function, name

            def options(self, name: str) -> Task:
                return Task(self.function, name)

            def remote(self, *arguments: Any) -> Reference:
                reference = Reference(lambda: self.function(*arguments), self.name)
                ray.started.append(reference)
                ray.waiting += 1
                ray.most = max(ray.most, ray.waiting)
                return reference

        return Task

    def wait(self, references: list[Reference], timeout: float) -> tuple[list[Reference], list[Reference]]:
        return references[:1], references[1:]

    def get(self, reference: Reference) -> Any:
        self.waiting -= 1
        if self.fails(reference.name):
            raise RuntimeError("the worker died\nsee its log")
        return reference.work()

    def cancel(self, reference: Reference) -> None:
        reference.is_cancelled = True


@pytest.fixture
def small(tmp_path: Path) -> str:
    """A plan of six shards."""
    path = tmp_path / "plan.json"
    return boughs.match("tictactoe", "mcts", "flat", games=12, iterations=20, plan=path, shard_size=2).path


def test_a_run_bounds_its_window_and_tells_its_progress(
    small: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ray = FakeRay([1, 1])
    monkeypatch.setitem(sys.modules, "ray", ray)
    seen: list[tuple[int, int]] = []
    out = tmp_path / "shards"
    run_all(boughs.Plan(small, "match", 12, "games", 6, 1, "", False), out, [2])
    outcome = boughs.cluster.run(small, out, progress=lambda done, all: seen.append((done, all)))
    assert outcome == boughs.cluster.Outcome(shards=6, found=1, run=5, is_decided=False)
    assert ray.most == 4 and ray.is_down and ray.options == {"num_cpus": 1, "max_retries": 5}
    assert [task.name for task in ray.started] == [f"shard {shard}" for shard in (0, 1, 3, 4, 5)]
    assert seen == [(done, 6) for done in range(1, 7)]
    assert boughs.cluster.merge(out).games == 12 and capsys.readouterr() == ("", "")
    again = boughs.cluster.run(small, out)
    assert again == boughs.cluster.Outcome(shards=6, found=6, run=0, is_decided=False)


def test_progress_is_written_where_it_is_asked_for(
    small: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "ray", FakeRay([1]))
    boughs.cluster.run(small, tmp_path / "lines", progress=True)
    assert capsys.readouterr() == ("", "0/6 shards\n6/6 shards  0s left\n")
    boughs.cluster.run(small, tmp_path / "silence")
    assert capsys.readouterr() == ("", "")
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    boughs.cluster.run(small, tmp_path / "terminal")
    line = capsys.readouterr().err
    assert line.startswith("\r0/6 shards\x1b[K\r1/6 shards  ") and line.endswith("\r\x1b[K") and "\n" not in line
    boughs.cluster.run(small, tmp_path / "nothing", progress=False)
    assert capsys.readouterr() == ("", "")


def test_shards_that_fail_do_not_stop_the_others_and_are_named(
    small: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "ray", FakeRay([4], lambda name: name in ("shard 1", "shard 3", "shard 4")))
    with pytest.raises(boughs.Error) as caught:
        boughs.cluster.run(small, tmp_path / "shards", window=2, retries=0)
    assert str(caught.value) == (
        "3 of 6 shards failed: 1,3-4; shard 1: RuntimeError: the worker died; the same call runs them again"
    )
    monkeypatch.setitem(sys.modules, "ray", FakeRay([4]))
    assert boughs.cluster.run(small, tmp_path / "shards").run == 3


def test_a_run_ends_with_the_decision_of_a_test(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ray = FakeRay([2, 2])
    monkeypatch.setitem(sys.modules, "ray", ray)
    contest: dict[str, Any] = dict(sprt=(0, 100), games=1_000, iterations=30)
    plan = boughs.match("tictactoe", "mcts", "random", plan=tmp_path / "plan.json", shard_size=4, **contest)
    outcome = boughs.cluster.run(plan.path, tmp_path / "shards")
    assert outcome.is_decided and 0 < outcome.run < 100
    assert len(ray.started) == outcome.run + 7 and ray.is_down
    assert boughs.cluster.merge(tmp_path / "shards").decision == "accept_h1"


def test_cores_are_those_of_the_plan_or_of_the_largest_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ray = FakeRay([2, 8, 4])
    monkeypatch.setitem(sys.modules, "ray", ray)
    scale = boughs.scale("tictactoe", threads=[1], iterations=500, rounds=1, plan=tmp_path / "scale.json")
    boughs.cluster.run(scale.path, tmp_path / "scale")
    assert ray.options["num_cpus"] == 8
    plan = boughs.match("tictactoe", "mcts:threads=3", "flat", games=2, iterations=20, plan=tmp_path / "m.json")
    assert plan.cores == 3
    boughs.cluster.run(plan.path, tmp_path / "match", concurrency=2)
    assert ray.options["num_cpus"] == 6
    with pytest.raises(boughs.Error, match="a shard takes 9 cores, and the largest machine of the cluster has 8"):
        boughs.cluster.run(plan.path, tmp_path / "more", concurrency=3)
    monkeypatch.setitem(sys.modules, "ray", FakeRay([0]))
    with pytest.raises(boughs.Error, match="a shard takes 1 cores, and the largest machine of the cluster has 0"):
        boughs.cluster.run(scale.path, tmp_path / "none")


def test_without_ray_one_sentence_says_how_to_get_it(
    small: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    assert boughs.cluster.main([small, "--out", str(tmp_path / "shards")]) == 2
    assert capsys.readouterr().err == "python -m boughs.cluster: Ray is not installed; pip install 'boughs[ray]'\n"


def test_an_address_without_a_cluster_is_named(
    small: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "ray", FakeRay([1]))
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # It does not listen.
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        assert boughs.cluster.main([small, "--out", str(tmp_path / "shards"), "--address", address]) == 2
    error = capsys.readouterr().err
    assert f"Ray at '{address}' does not answer: ConnectionRefusedError: " in error and error.count("\n") == 1


def test_the_command_line_runs_and_merges(
    small: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "ray", FakeRay([1]))
    words = [small, "--out", str(tmp_path / "shards"), "--store", str(tmp_path / "games.db")]
    assert boughs.cluster.main(words) == 0
    out = capsys.readouterr().out
    assert "ran 6 shards of 6; 0 in" in out and "mcts against flat in tictactoe" in out
    assert boughs.Store(tmp_path / "games.db").games().size == 12
    for wrong, sentence in [
        ([], "the following arguments are required: PLAN, --out"),
        ([small, "--out", "x", "--retries", "many"], "invalid int value: 'many'"),
    ]:
        with pytest.raises(SystemExit) as ended:
            boughs.cluster.main(wrong)
        error = capsys.readouterr().err
        assert ended.value.code == 2 and sentence in error and error.count("\n") == 1, error
    with pytest.raises(SystemExit) as ended:
        boughs.cluster.main(["--help"])
    assert ended.value.code == 0 and "Example:" in capsys.readouterr().out


@pytest.mark.parametrize("is_ready", [False, True])
def test_ctrl_c_ends_what_runs(
    is_ready: bool, small: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ray = FakeRay([1])
    ray.is_ready = is_ready
    monkeypatch.setitem(sys.modules, "ray", ray)

    def interrupt(references: list[Reference], timeout: float) -> tuple[list[Reference], list[Reference]]:
        raise KeyboardInterrupt

    monkeypatch.setattr(ray, "wait", interrupt)
    assert boughs.cluster.main([small, "--out", str(tmp_path / "shards")]) == 130
    # Tasks end with a connection of their own.
    assert [task.is_cancelled for task in ray.started] == [is_ready, is_ready] and ray.is_down != is_ready
    assert "interrupted; the same command goes on" in capsys.readouterr().err
