"""The kernel cache: never stale, heals itself, private to its owner; each case in a fresh interpreter."""

from __future__ import annotations

import ast
import os
import re
import shutil
import stat
import subprocess
import sys
import textwrap
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import ModuleType

import pytest

from emubot.jit import warm

if os.environ.get("NUMBA_DISABLE_JIT") == "1":
    pytest.skip("nothing is compiled with NUMBA_DISABLE_JIT=1", allow_module_level=True)

PLUGIN = """
from emubot.jit import kernel
from toyplugin.inner import inner

@kernel
def outer(x):
    return inner(x) + 1
"""
INNER = """
from emubot.jit import kernel

@kernel
def inner(x):
    return x * {factor}
"""
CALL = """
import logging
logging.basicConfig(level=logging.WARNING)
from toyplugin.outer import outer
from emubot.jit import cache_folder, is_warm, warm_up
warm_up([("outer", lambda: outer(9))], "toyplugin")
import numba.core.config
assert not numba.core.config.CACHE_DIR, "other people's kernels are cached where they want"
print(outer(10), sum(outer.stats.cache_hits.values()), is_warm("toyplugin"), cache_folder("toyplugin"))
"""


def written(package: Path) -> Path:
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "outer.py").write_text(PLUGIN)
    (package / "inner.py").write_text(INNER.format(factor=2))
    return package


@pytest.fixture
def plugin(tmp_path: Path) -> Path:
    return written(tmp_path / "toyplugin")


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A plug-in that stays as it is, and the cache after its first start, to be copied."""
    folder = tmp_path_factory.mktemp("compiled")
    plugin, cache = written(folder / "toyplugin"), folder / "cache"
    (first, *_), _ = call(plugin, cache)
    assert first == "21"
    return plugin, cache


def call(plugin: Path, cache: Path, code: str = CALL) -> tuple[list[str], str]:
    environment = {**os.environ, "PYTHONPATH": str(plugin.parent), "EMUBOT_CACHE_DIR": str(cache)}
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", textwrap.dedent(code)],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split(maxsplit=3), done.stderr


def test_a_second_start_loads_instead_of_compiling(compiled: tuple[Path, Path]) -> None:
    (second, hits, warm, folder), said = call(*compiled)
    assert (second, hits, warm, said) == ("21", "1", "True", "")
    assert stat.S_IMODE(Path(folder.strip()).stat().st_mode) == stat.S_IRWXU


def test_the_same_sources_in_another_folder_compile_nothing(compiled: tuple[Path, Path], tmp_path: Path) -> None:
    plugin, cache = compiled
    moved = tmp_path / "elsewhere" / plugin.name
    shutil.copytree(plugin, moved, ignore=shutil.ignore_patterns("__pycache__"))
    (moved / "outer.py").touch()  # when they were written does not matter either
    (result, hits, warm, _), _ = call(moved, cache)
    assert (result, hits, warm) == ("21", "1", "True")


def test_a_constant_compiles_nothing_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """numba alone would compile a callee, and all below it, once for each constant that it is called with."""
    from emubot import jit

    monkeypatch.setattr("emubot.jit.store.cache_folder", lambda scope: None)

    @jit.kernel
    def inner(x: int) -> int:
        return x * 2

    @jit.kernel
    def outer(x: int) -> int:
        return inner(x) + inner(3) + inner(x=5)

    assert outer(10) == 36
    assert [str(signature) for signature in inner.inner.signatures] == ["(int64,)"]  # type: ignore[attr-defined]


def test_a_start_is_warm_once_everything_was_compiled(plugin: Path, tmp_path: Path) -> None:
    asked = """
        import toyplugin.outer
        from emubot.jit import is_warm, warm_up
        print(is_warm("toyplugin"))
        toyplugin.outer.outer(3)
        print(is_warm("toyplugin"))
        warm_up([], "toyplugin")
        print(is_warm("toyplugin"))
    """
    assert call(plugin, tmp_path / "cache", asked)[0] == ["False", "False", "True"]


def test_a_return_to_sources_whose_kernels_were_dropped_is_no_warm_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from emubot.jit import is_warm, mark

    def at(version: str) -> None:
        monkeypatch.setattr(warm, "scope_hash", lambda scope: version * 12)

    monkeypatch.setattr(warm, "cache_folder", lambda scope: tmp_path)
    (tmp_path / "compiling.lock").touch()
    for number, version in enumerate("abab" + "cab"):
        at(version)
        mark("toyplugin", f"map-{version * 16}")
        os.utime(tmp_path / warm._marker("toyplugin", f"map-{version * 16}"), (number, number))
    warm_ones = []
    for version in "abc":
        at(version)
        warm_ones.append(is_warm("toyplugin", f"map-{version * 16}"))
    assert warm_ones == [True, True, False]


def test_what_is_changed_in_another_file_is_never_stale(plugin: Path, tmp_path: Path) -> None:
    """A constant in a file without kernels, and a kernel."""
    (plugin / "constants.py").write_text("FACTOR = 5\n")
    (plugin / "inner.py").write_text("from toyplugin.constants import FACTOR\n" + INNER.format(factor="FACTOR"))
    (result, *_), _ = call(plugin, tmp_path / "cache")
    assert result == "51"
    # Of another length: Python itself takes a file of the same length and the same second for unchanged.
    (plugin / "constants.py").write_text("FACTOR = 0x7\n")
    (result, hits, *_), _ = call(plugin, tmp_path / "cache")
    assert (result, hits) == ("71", "0")
    (plugin / "inner.py").write_text(INNER.format(factor=3))
    (result, hits, *_), _ = call(plugin, tmp_path / "cache")
    assert (result, hits) == ("31", "0")


ALSO = pytest.mark.slow


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("kind", "damage"),
    [
        ("*.nbi", b""),
        ("*.nbc", None),
        pytest.param("*.nbi", b"\x80\x04garbage" * 20, marks=ALSO),
        pytest.param("*.nbi", None, marks=ALSO),
        pytest.param("*.nbc", b"", marks=ALSO),
        pytest.param("*.nbc", b"\x80\x04garbage" * 20, marks=ALSO),
    ],
)
def test_a_damaged_file_is_rebuilt_in_the_same_process(
    compiled: tuple[Path, Path], tmp_path: Path, kind: str, damage: bytes | None
) -> None:
    plugin, cache = compiled[0], tmp_path / "cache"
    shutil.copytree(compiled[1], cache)
    files = list(cache.rglob(kind))
    assert files
    for file in files:
        content = file.read_bytes()
        file.write_bytes(content[: len(content) // 2] if damage is None else damage)
    (result, _, _, _), said = call(plugin, cache)
    assert result == "21"
    assert "damaged" in said
    (result, hits, *_), said = call(plugin, cache)
    assert (result, hits, said) == ("21", "1", ""), "healed for good"


def test_an_unwritable_cache_is_one_warning_and_no_more(plugin: Path, tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("a file where the folder should be")
    (result, _, warm, folder), said = call(plugin, blocked)
    assert (result, warm, folder.strip()) == ("21", "False", "None")
    assert said.count("EMUBOT_CACHE_DIR") == 1


SEVERAL = """
import logging, subprocess, sys
logging.basicConfig(level=logging.WARNING)
import toyplugin
from emubot.jit import cache_folder
child = "import toyplugin; from emubot.jit import cache_folder; cache_folder('emubot')"
print(cache_folder("toyplugin"), cache_folder("emubot"), subprocess.call([sys.executable, "-c", child]))
"""


def test_the_warning_is_given_once_for_all_scopes_and_processes(plugin: Path, tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("a file where the folder should be")
    said, warnings = call(plugin, blocked, SEVERAL)
    assert said == ["None", "None", "0"]
    assert warnings.count("EMUBOT_CACHE_DIR") == 1


FOREIGN = """
import logging, os
logging.basicConfig(level=logging.WARNING)
import toyplugin
from emubot.jit import cache_folder
folder = cache_folder("toyplugin")
cache_folder.cache_clear()
if os.geteuid() == 0:
    os.chown(folder, 12345, -1)
else:
    os.geteuid = lambda: 12345
print(cache_folder("toyplugin"))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="files have no such owners")
def test_a_folder_of_another_user_is_not_used(plugin: Path, tmp_path: Path) -> None:
    """Its owner could put pickles there, and a pickle is a program."""
    said, warnings = call(plugin, tmp_path / "cache", FOREIGN)
    assert said == ["None"]
    assert warnings.count("\n") == 1
    assert "belongs to another user; set EMUBOT_CACHE_DIR to a folder of your own" in warnings


FOLDERS = """
import importlib
import toyplugin
from toyplugin import inner
from emubot.jit import sources
for _ in range(4):
    with open(inner.__file__, "a") as source:
        source.write("# another version\\n")
    sources.module_folder.cache_clear()
    print(importlib.reload(inner).inner(3))
"""


def test_only_the_newest_folders_are_kept(plugin: Path, tmp_path: Path) -> None:
    """Here those of the versions of one module; those of the versions of emubot are pruned by the same function."""
    results, _ = call(plugin, tmp_path / "cache", FOLDERS)
    assert [result.strip() for result in results] == ["6"] * 4
    kept = [path for path in (tmp_path / "cache").rglob("inner-*") if path.is_dir()]
    assert len(kept) == 2
    assert all(any(folder.iterdir()) for folder in kept)


COUNTED = """
import logging
logging.basicConfig(level=logging.WARNING)
from numba.core import event
class Compiled(event.Listener):
    def on_start(self, begun):
        names.append(begun.data["dispatcher"].py_func.__name__)
    def on_end(self, ended):
        pass
names = []
event.register("numba:compile", Compiled())
from toyplugin.outer import outer
print(outer(10), "+".join(names) or "nothing")
"""


@pytest.mark.slow
def test_an_edit_compiles_only_the_kernels_that_depend_on_it(plugin: Path, tmp_path: Path) -> None:
    (plugin / "deep.py").write_text(INNER.format(factor=1).replace("inner", "deep"))
    middle = "from toyplugin.deep import deep\n" + INNER.format(factor="deep(2)")
    (plugin / "inner.py").write_text(middle)
    assert call(plugin, tmp_path / "cache", COUNTED)[0] == ["21", "outer+inner+deep"]
    assert call(plugin, tmp_path / "cache", COUNTED)[0] == ["21", "nothing"]
    (plugin / "outer.py").write_text(PLUGIN.replace("+ 1", "+ 0x2"))
    assert call(plugin, tmp_path / "cache", COUNTED)[0] == ["22", "outer"]
    (plugin / "inner.py").write_text(middle + "# another version\n")
    assert call(plugin, tmp_path / "cache", COUNTED)[0] == ["22", "outer+inner"]


@pytest.mark.slow
def test_a_kernel_that_was_compiled_anew_is_no_stale_part_of_another_one(plugin: Path, tmp_path: Path) -> None:
    """Its name in the code may be another one then, so its callers are compiled anew, too, and nobody is warned."""
    (plugin / "deep.py").write_text(INNER.format(factor=1).replace("inner", "deep"))
    (plugin / "inner.py").write_text("from toyplugin.deep import deep\n" + INNER.format(factor="deep(2)"))
    assert call(plugin, tmp_path / "cache", COUNTED)[0] == ["21", "outer+inner+deep"]
    for file in (tmp_path / "cache").rglob("deep*"):
        if file.is_file():
            file.unlink()
    (plugin / "outer.py").write_text(PLUGIN.replace("+ 1", "+ 0x2"))
    others = "from numba.core import bytecode\nnext(bytecode.FunctionIdentity._unique_ids)\n"
    other = COUNTED.replace("names = []\n", "names = []\n" + others)
    (result, compiled), said = call(plugin, tmp_path / "cache", other)
    assert (result, said) == ("22", "")
    assert sorted(compiled.split("+")) in (["deep", "inner", "outer"], ["deep", "outer"])


@pytest.mark.parametrize(
    "line", ["from toyplugin.numbers import A", "from .numbers import (\n    A,\n)", "import toyplugin.numbers"]
)
def test_kernels_depend_on_what_their_modules_import_and_on_nothing_else(line: str, tmp_path: Path) -> None:
    from emubot.jit import digest_of_sources

    package = written(tmp_path / "toyplugin")
    (package / "numbers.py").write_text("from toyplugin import deep\nA = deep.A\n")
    (package / "deep.py").write_text("A = 1\n")
    (package / "planner.py").write_text("from toyplugin.outer import outer\n")
    (package / "inner.py").write_text(f"{line}\n" + INNER.format(factor=2))

    def digest(changed: str | None = None) -> str:
        if changed is not None:
            (package / changed).write_text((package / changed).read_text() + "# another version\n")
        return digest_of_sources("toyplugin")

    with pytest.MonkeyPatch.context() as patched:
        module = ModuleType("toyplugin")
        module.__file__ = str(package / "__init__.py")
        patched.setitem(sys.modules, "toyplugin", module)
        first = digest()
        assert digest("planner.py") == first, "no kernel reads it"
        digests = [digest(name) for name in ("outer.py", "inner.py", "numbers.py", "deep.py")]
    assert len({first, *digests}) == 5


def test_no_kernel_reads_a_constant_of_the_modules_that_its_cache_leaves_out() -> None:
    import emubot
    from emubot.jit.sources import _WITHOUT_KERNELS

    package = Path(emubot.__file__).parent
    left_out = {name.removesuffix(".py") for name in _WITHOUT_KERNELS}
    assert all((package / name).exists() for name in _WITHOUT_KERNELS)
    with_kernels = [
        path for path in package.rglob("*.py") if re.search("^@(kernel|lean|inlined)", path.read_text(), re.M)
    ]
    assert with_kernels
    for path in with_kernels:
        assert path.relative_to(package).parts[0].removesuffix(".py") not in left_out, f"{path} has a kernel"
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("emubot."):
                names = [alias.name for alias in node.names]
                known = (node.module or "").split(".")[1] not in left_out
                assert known or all(name[0].isupper() and not name.isupper() for name in names), f"{path}: {names}"


PLAIN = """
import numba
from toyplugin.outer import outer

@numba.njit
def plain(x):
    return outer(x) + 100

print(plain(10))
"""


@pytest.mark.slow
def test_what_numba_compiles_its_own_way_may_call_a_kernel(plugin: Path, tmp_path: Path) -> None:
    """It gets the code of all kernels below; the second time from the disk."""
    for _ in range(2):
        assert call(plugin, tmp_path / "cache", PLAIN) == (["121"], "")


def test_a_kernel_may_call_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    from emubot import jit

    monkeypatch.setattr("emubot.jit.store.cache_folder", lambda scope: None)

    @jit.kernel
    def factorial(x: int) -> int:
        return 1 if x < 2 else x * factorial(x - 1)

    @jit.kernel
    def caller(x: int) -> int:
        return factorial(x) + 1

    assert (caller(5), factorial(4)) == (121, 24)


def test_a_lean_kernel_counts_no_references(monkeypatch: pytest.MonkeyPatch) -> None:
    import numpy as np

    from emubot import jit

    monkeypatch.setattr("emubot.jit.store.cache_folder", lambda scope: None)  # of cached code nothing is shown

    def highest(table: np.ndarray) -> float:
        row = table[0]
        for index in range(len(table)):
            if table[index, 0] > row[0]:
                row = table[index]
        return float(row[0])

    table = np.arange(6.0).reshape(3, 2)
    code = {}
    for decorator in (jit.kernel, jit.lean):
        compiled = decorator(highest)
        assert compiled(table) == 4.0
        (code[decorator],) = compiled.inspect_llvm().values()  # type: ignore[attr-defined]
    assert "NRT_" in code[jit.kernel]
    assert "NRT_" not in code[jit.lean]


def test_a_kernel_makes_arrays_also_where_a_lean_one_calls_it(monkeypatch: pytest.MonkeyPatch) -> None:
    import numpy as np

    from emubot import jit

    monkeypatch.setattr("emubot.jit.store.cache_folder", lambda scope: None)

    @jit.kernel
    def total(numbers: np.ndarray) -> float:
        return float((np.zeros_like(numbers) + numbers).sum())

    @jit.lean
    def caller(numbers: np.ndarray) -> float:
        return total(numbers)

    assert caller(np.arange(4.0)) == 6.0


TOGETHER = """
import os, sys, time
from numba.core import event
class Compiled(event.Listener):
    def on_start(self, begun):
        names.append(begun.data["dispatcher"].py_func.__name__)
    def on_end(self, ended):
        pass
names = []
event.register("numba:compile", Compiled())
from toyplugin.outer import outer
from emubot.jit import is_warm, warm_up
cold = is_warm("toyplugin")
open(os.path.join({place!r}, str(os.getpid())), "w").close()
while len(os.listdir({place!r})) < {of}:
    time.sleep(0.01)
warm_up([("outer", lambda: outer(9))], "toyplugin")
print(outer(10), cold, is_warm("toyplugin"), "+".join(names) or "nothing")
"""


def test_processes_that_start_together_compile_once(plugin: Path, tmp_path: Path) -> None:
    place = tmp_path / "started"
    place.mkdir()
    code = TOGETHER.format(place=str(place), of=4)
    with ThreadPoolExecutor(4) as pool:
        said = [each.result()[0] for each in [pool.submit(call, plugin, tmp_path / "cache", code) for _ in range(4)]]
    told = sorted(" ".join(each).strip() for each in said)
    assert told == ["21 False True nothing"] * 3 + ["21 False True outer+inner"]


HELD = """
import os, sys, time
from emubot.jit.warm import warm_up
def wait():
    open({told!r}, "w").close()
    time.sleep({seconds})
warm_up([("quick", lambda: None, 2.0), ("slow", wait, 6.0)], "toyplugin", title="toys")
print("numba" in sys.modules)
"""
LOOKED = """
from emubot.jit.sources import cache_folder
from emubot.jit.turns import under_way
from emubot.jit.warm import cost, is_warm, mark, warm_up
mark("toyplugin", "other")
warm_up([("loaded", lambda: None)], "toyplugin", purpose="other")  # which waits for nobody
stage = under_way(cache_folder("toyplugin"))
print(stage and (stage.title, stage.job, stage.done, stage.of), is_warm("toyplugin"))
print(stage and [round(number, 1) for number in stage.estimate], end=" ")
print(round(cost([("quick", None, 2.0), ("slow", None, 6.0)], "toyplugin", "toys"), 2))
"""


def test_a_compilation_is_seen_by_others_and_a_killed_one_harms_nothing(plugin: Path, tmp_path: Path) -> None:
    cache, told = tmp_path / "cache", tmp_path / "told"
    environment = {**os.environ, "PYTHONPATH": str(plugin.parent), "EMUBOT_CACHE_DIR": str(cache)}
    code = "import toyplugin\n" + HELD.format(told=str(told), seconds=60)
    with subprocess.Popen([sys.executable, "-c", code], env=environment) as compiling:
        try:
            until = time.monotonic() + 60
            while not told.exists():
                assert time.monotonic() < until
                time.sleep(0.02)
            seen, _ = call(plugin, cache, "import toyplugin\n" + LOOKED)
        finally:
            compiling.kill()
    assert " ".join(seen).split("\n")[0] == "('toys', 'slow', 1, 2) False"
    share, remaining = (float(number.strip("[],")) for number in " ".join(seen).split("\n")[1].split()[:2])
    assert 0.25 <= share < 1
    assert 0 <= remaining <= 6
    after, _ = call(plugin, cache, "import toyplugin\n" + LOOKED)
    assert " ".join(after).split() == ["None", "False", "None", "6.05"], "what was finished is kept"
    again, _ = call(plugin, cache, "import toyplugin\n" + HELD.format(told=str(told), seconds=0))
    assert again == ["False"], "nor is the compiler needed for that"
