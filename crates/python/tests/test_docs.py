"""The examples of the documentation: docstrings, the README, and the notebook."""

from __future__ import annotations

import doctest
import importlib
import re
from pathlib import Path

import pytest

import boughs

HERE = Path(__file__).parent.parent
MODULES = ["_boughs", "cluster", "_experiments", "_games", "_report", "_search", "_store", "_table", "openspiel", ""]


@pytest.mark.parametrize("name", MODULES)
def test_examples_of_docstrings_run(name: str) -> None:
    if name == "openspiel":
        pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")
    module = importlib.import_module(f"boughs.{name}".rstrip("."))
    finder, runner = doctest.DocTestFinder(), doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    examples = 0
    # The class of the extension module names the package as its own.
    found = finder.find(module, module.__name__, module=module)
    if name == "_boughs":
        found = finder.find(boughs.Position, "Position", module=False)
    for test in found:
        examples += len(test.examples)
        runner.run(test)
    assert runner.failures == 0 and examples > 0


def test_everything_public_is_documented() -> None:
    for name in boughs.__all__:
        if name != "CHANCE":
            assert getattr(boughs, name).__doc__, name


def test_the_readme_runs(capsys: pytest.CaptureFixture[str]) -> None:
    text = (HERE / "README.md").read_text()
    programs = re.findall(r"```python\n(.*?)```", text, re.S)
    assert len(programs) > 8
    names: dict[str, object] = {}
    for program in programs:
        exec(program, names)
    out = capsys.readouterr().out
    assert "there is no game 'conect4'; did you mean connect4?" in out and "random games" in out


def test_the_notebook_runs(tmp_path: Path) -> None:
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("matplotlib")
    notebook = nbformat.read(HERE / "examples" / "tutorial.ipynb", as_version=4)
    assert len(notebook.cells) == 15
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    data = [output.get("data", {}) for output in outputs]
    assert sum("image/svg+xml" in found for found in data) == 3 and sum("image/png" in found for found in data) == 2
    assert not [output for output in outputs if output.get("name") == "stderr"]
    nbformat.write(notebook, tmp_path / "run.ipynb")
