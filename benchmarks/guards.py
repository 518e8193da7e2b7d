"""Takes each guard of docs/measurements/faults.md out of a copy of the checkout and sees that its test fails.

    python benchmarks/guards.py                 every guard, those apart that an earlier run has tried
    python benchmarks/guards.py --only cache    those whose name has this in it, again
    python benchmarks/guards.py --tests         the tests as they are, nothing taken out: all must pass

What was tried is kept in a file (`--ledger`) under a hash of guard and test, so that a change has them tried again.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).parents[1]
_SECONDS: Final = 200  # of one test; one that hangs without its guard has failed
_FAILED: Final = 1  # pytest's code for tests that failed


class Guard(NamedTuple):
    """`text` of `file` is the guard, `instead` what stands there without it; `test` must then fail."""

    name: str
    file: str
    text: str
    instead: str
    test: str


GUARDS: Final = (
    Guard(
        "a port where nobody answers is one sentence",
        "emubot/bridges/scripted/reach.py",
        "    except OSError as failure:\n        raise EmulatorNotFound(",
        "    except ValueError as failure:\n        raise EmulatorNotFound(",
        "tests/bridges/fceux/test_bridge.py::test_nobody_there_is_said_with_the_remedy",
    ),
    Guard(
        "after a lost connection pads are forgotten",
        "emubot/bridges/scripted/bridge.py",
        "        notices.lost(str(lost))\n        self._forget_pads()\n",
        "        notices.lost(str(lost))\n",
        "tests/bridges/fceux/test_bridge.py::test_after_a_lost_connection_the_pads_are_forgotten_and_the_epoch_grows",
    ),
    Guard(
        "another cartridge after a lost connection",
        "emubot/bridges/scripted/bridge.py",
        "                if facts != self._facts:",
        "                if False:",
        "tests/bridges/fceux/test_bridge.py::test_another_cartridge_after_a_lost_connection_is_an_error",
    ),
    Guard(
        "a message has one deadline as a whole",
        "emubot/bridges/scripted/wire.py",
        "self._stream.receive(_SLICE if waits else max(due - time.monotonic(), 0.001))",
        "self._stream.receive(self._patience)",
        "tests/bridges/fceux/test_bridge.py::test_a_frame_that_drips_is_given_up_as_a_whole_in_time",
    ),
    Guard(
        "lengths that a peer claims are bounded",
        "emubot/bridges/scripted/wire.py",
        "header[: len(_MAGIC)] != _MAGIC or int.from_bytes(header[8:12]) > _LARGEST",
        "header[: len(_MAGIC)] != _MAGIC",
        "tests/bridges/fceux/test_bridge.py::test_a_wrong_greeting_is_an_error_at_once",
    ),
    Guard(
        "counts that Nintaco claims are bounded",
        "emubot/bridges/nintaco/api/wire.py",
        "if not 0 <= count <= _LONGEST_REPLY:",
        "if False:",
        "tests/bridges/nintaco/test_parts.py::test_an_answer_of_more_elements_than_any_is_refused_before_they_come",
    ),
    Guard(
        "strangers' words are shown without control characters",
        "emubot/text.py",
        '"".join(char if char.isprintable() else "?" for char in cut)',
        "cut",
        "tests/test_text.py::test_what_cannot_be_seen_is_shown_as_a_question_mark",
    ),
    Guard(
        "a host beyond this machine is warned of",
        "emubot/session/emulators.py",
        "if host is not None and not _is_this_machine(host):",
        "if False:",
        "tests/session/test_emulators.py::test_another_machine_is_warned_of",
    ),
    Guard(
        "whoever asks after a core's crash hears of it",
        "emubot/bridges/hosted/process.py",
        "        if self._failure is not None:\n            raise CoreCrashed(self._failure)\n",
        "",
        "tests/bridges/hosted/test_faults.py::test_a_core_that_ends_is_an_error_that_says_how_and_where",
    ),
    Guard(
        "a core that hangs is ended",
        "emubot/bridges/hosted/process.py",
        "                if time.monotonic() >= until:",
        "                if False:",
        "tests/bridges/hosted/test_faults.py::test_a_core_that_hangs_is_ended",
    ),
    Guard(
        "only the published wheel is installed",
        "emubot/bridges/libretro/installing.py",
        "    if digest != _published():",
        "    if False:",
        "tests/bridges/test_installing.py::test_a_wheel_that_was_not_published_installs_nothing",
    ),
    Guard(
        "an error in a core's callback is raised after the frame",
        "emubot/bridges/libretro/core.py",
        "        if error is not None:\n            raise error\n",
        "",
        "tests/bridges/test_libretro_hazards.py::test_an_exception_in_a_callback_comes_out_after_the_frame",
    ),
    Guard(
        "the current folder is never searched for cores",
        "emubot/bridges/libretro/finding.py",
        "    known = [*(path",
        "    known = [Path(), *(path",
        "tests/bridges/test_finding.py::test_the_current_folder_is_never_searched",
    ),
    Guard(
        "a cartridge's size is checked before it is read",
        "emubot/cartridge/opening.py",
        "    if len(unpacked) > SIZE_LIMIT:",
        "    if False:",
        "tests/test_cartridge.py::test_files_and_archives_that_cannot_be_used",
    ),
    Guard(
        "members packed in ways that may claim any memory",
        "emubot/cartridge/opening.py",
        "if members[0].compress_type not in _COMPRESSIONS:",
        "if False:",
        "tests/test_hostile_files.py::test_members_whose_unpacking_may_claim_any_memory_are_not_unpacked",
    ),
    Guard(
        "a header that promises more than the file has",
        "emubot/cartridge/image.py",
        "    if len(data) < end:",
        "    if False:",
        "tests/test_cartridge.py::test_what_is_no_cartridge_says_why",
    ),
    Guard(
        "eight frames must make sense before the first button",
        "emubot/pilot/liveness.py",
        "return self._trust >= _TRUST",
        "return True",
        "tests/benchmarks/test_fuzz.py::test_nothing_is_pressed_on_nonsense_and_a_pilot_that_does_is_found",
    ),
    Guard(
        "a counter that stands still is no running game",
        "emubot/pilot/liveness.py",
        "moved = last is not None and 0 < now - last <= _FRAMES_APART",
        "moved = True",
        "tests/pilot/test_liveness.py",
    ),
    Guard(
        "a frame of play with a floating cell is of an unknown phase",
        "emubot/games/colours/decode/decode.py",
        "self._field_fault(*board) or self._judge(counters)",
        "self._judge(counters)",
        "tests/games/test_gate.py::test_in_play_nothing_is_pressed_on_such_a_frame_and_the_game_goes_on",
    ),
    Guard(
        "no field of pairs that floats reaches a kernel",
        "emubot/games/colours/decode/gate.py",
        "    fault = snapshot.fault or field_fault(snapshot.playfield, snapshot.hidden, rules)\n",
        "    fault = snapshot.fault\n",
        "tests/games/test_gate.py::test_what_no_game_can_have_is_refused_in_a_sentence",
    ),
    Guard(
        "no capsule in a wall reaches a kernel",
        "emubot/games/colours/decode/gate.py",
        "piece is not None and not piece_is_inside(piece, rules)",
        "False",
        "tests/games/test_gate.py::test_what_no_game_can_have_is_refused_in_a_sentence",
    ),
    Guard(
        "no orientation that blocks do not have reaches a kernel",
        "emubot/games/tetris/decode/gate.py",
        "not all(0 <= orientation < ORIENTATIONS for orientation in shown)",
        "False",
        "tests/games/test_gate.py::test_what_no_game_can_have_is_refused_in_a_sentence",
    ),
    Guard(
        "a recorded game with such a frame is not reviewed",
        "emubot/judging/moves.py",
        "if snapshot.fault is not None:",
        "if False:",
        "tests/cli/test_explain_pairs.py::test_nor_is_a_game_with_such_a_field_reviewed",
    ),
    Guard(
        "a pair that cannot be is none",
        "emubot/games/colours/decode/decode.py",
        "return piece if gate.is_inside(piece, pivot, self._rules, above=not self._codes.usual) else None",
        "return piece",
        "tests/games/colours/test_decode.py::test_a_piece_that_cannot_be_is_none",
    ),
    Guard(
        "no item hangs on a colour",
        "emubot/games/colours/decode/decode.py",
        "if place is None or not gate.is_pair(pivot, satellite):",
        "if place is None:",
        "tests/games/colours/test_decode.py::test_a_piece_that_cannot_be_is_none",
    ),
    Guard(
        "a run's settings are of their types",
        "emubot/training/plan.py",
        "            plan._check_types()\n",
        "",
        "tests/training/test_plan.py::test_settings_that_no_plan_has_are_refused",
    ),
    Guard(
        "a piece beside the field is none",
        "emubot/games/tetris/decode/piece_tables.py",
        "return piece if inside else None",
        "return piece",
        "tests/games/tetris/test_tables.py::test_a_piece_beside_below_or_far_above_the_field_is_none",
    ),
    Guard(
        "where no placement is left nothing is pressed",
        "emubot/pilot/piece_in_play.py",
        "            return\n        placement = planned.placement\n",
        "            pass\n        placement = planned.placement\n",
        "tests/pilot/test_pilot.py::test_where_no_placement_is_left_the_game_is_let_go_to_its_end",
    ),
    Guard(
        "opposite directions are sent to no emulator",
        "emubot/bridges/protocol.py",
        "    if not legal(pad):",
        "    if False:",
        "tests/benchmarks/test_fuzz.py::test_a_port_that_is_not_the_pilots_and_opposite_directions_are_faults",
    ),
    Guard(
        "a pipe is never opened",
        "emubot/files.py",
        "        _refuse(path.stat().st_mode)\n",
        "",
        "tests/test_files.py::test_pipes_devices_sockets_and_folders_are_not_opened",
    ),
    Guard(
        "no anchors and aliases in maps",
        "emubot/rammap/strict_yaml.py",
        "if isinstance(event, yaml.NodeEvent) and event.anchor is not None:",
        "if False:",
        "tests/rammap/test_errors.py::test_an_alias_bomb_is_refused_before_it_grows",
    ),
    Guard(
        "no key twice in maps",
        "emubot/rammap/strict_yaml.py",
        "            if name in mapping:",
        "            if False:",
        "tests/rammap/test_errors.py::test_each_mistake_has_its_sentence",
    ),
    Guard(
        "maps are not nested deeply",
        "emubot/rammap/strict_yaml.py",
        "if depth > DEPTH_LIMIT:",
        "if False:",
        "tests/rammap/test_errors.py::test_nothing_is_nested_deeply",
    ),
    Guard(
        "files are read up to a size",
        "emubot/files.py",
        "if len(content) > most:",
        "if False:",
        "tests/test_files.py::test_a_file_is_read_up_to_its_limit",
    ),
    Guard(
        "no control characters from maps",
        "emubot/rammap/strict_yaml.py",
        "if not is_one_line(event.value):",
        "if False:",
        "tests/rammap/test_errors.py::test_no_control_character_comes_through_a_key_a_value_or_a_tag",
    ),
    Guard(
        "keys are not nested deeply",
        "emubot/view/window/bindings.py",
        "    except RecursionError:",
        "    except StopIteration:",
        "tests/view/test_window_bindings.py::test_a_file_that_is_nested_deeply_is_one_sentence",
    ),
    Guard(
        "nothing is unpickled",
        "emubot/weights.py",
        "import json\n",
        "import json\nimport pickle\n",
        "tests/test_repository.py::test_nothing_is_ever_unpickled",
    ),
    Guard(
        "another package's mistake is told under its name",
        "emubot/bridges/__init__.py",
        "    except Exception as",
        "    except StopIteration as",
        "tests/bridges/test_open_bridge.py::test_a_broken_package_is_told_by_name_and_touches_no_other",
    ),
    Guard(
        "an output that is there is refused",
        "emubot/atomic.py",
        "    if _may_be_replaced(path) and not force:",
        "    if False:",
        "tests/test_atomic.py::test_a_file_that_is_there_is_replaced_by_force_alone",
    ),
    Guard(
        "three signals end it in good order",
        "emubot/systems/signals.py",
        '_known("SIGINT", "SIGTERM", "SIGBREAK" if sys.platform == "win32" else "SIGHUP")',
        '_known("SIGINT")',
        "tests/test_interrupts.py::test_a_command_ends_with_one_sentence_and_130",
    ),
    Guard(
        "weights are finite and no larger than a lost game",
        "emubot/weights.py",
        "        if largest > MOST_WEIGHT:",
        "        if False:",
        "tests/test_weights.py::test_mistakes_are_named",
    ),
    Guard(
        "weights have no key twice",
        "emubot/weights.py",
        "    if len(found) != len(pairs):",
        "    if False:",
        "tests/test_weights.py::test_mistakes_are_named",
    ),
    Guard(
        "weights of other features are refused",
        "emubot/weights.py",
        "        if unknown:",
        "        if False:",
        "tests/test_weights.py::test_other_features_are_refused_with_the_differences",
    ),
    Guard(
        "a trace's arrays fit each other",
        "emubot/trace/archive.py",
        "if name in arrays and arrays[name].shape != shape:",
        "if False:",
        "tests/trace/test_trace.py::test_missing_arrays_wrong_types_shapes_and_orders_are_named",
    ),
    Guard(
        "segments of a recording are checksummed",
        "emubot/trace/segments.py",
        "if len(content) < length or _checksum(content) != checksum:",
        "if len(content) < length:",
        "tests/trace/test_part.py::test_a_flipped_byte_gives_the_segments_before_it",
    ),
    Guard(
        "each second of a recording is on the disk",
        "emubot/pilot/recording.py",
        "self._clock() - self._kept >= _SECOND:",
        "False:",
        "tests/pilot/test_recording.py::test_each_second_is_on_the_disk_and_no_longer_in_memory",
    ),
    Guard(
        "damaged compiled code is compiled again",
        "emubot/jit/store.py",
        "        except Exception as damage:  # a damaged pickle",
        "        except StopAsyncIteration as damage:  # a damaged pickle",
        "tests/test_jit.py::test_a_damaged_file_is_rebuilt_in_the_same_process",
    ),
    Guard(
        "compiled code of another user is not run",
        "emubot/jit/sources.py",
        'if not is_ours(folder.stat()):',
        "if False:",
        "tests/test_jit.py::test_a_folder_of_another_user_is_not_used",
    ),
    Guard(
        "a piece elsewhere than planned is planned anew",
        "emubot/pilot/piece_in_play.py",
        "elif steering.active and not steering.agrees(current) and not self._rests(piece, current):",
        "elif False:",
        "tests/pilot/test_pilot.py::test_lost_presses_are_noticed_counted_and_survived",
    ),
    Guard(
        "what is replaced is a regular file",
        "emubot/atomic.py",
        "    if found is not None:\n        raise UsageError(",
        "    if False:\n        raise UsageError(",
        "tests/test_atomic.py::test_what_is_no_regular_file_is_never_replaced",
    ),
    Guard(
        "a file is seen on the disk before it takes its name",
        "emubot/atomic.py",
        "            os.fsync(file.fileno())\n        part.replace(path)",
        "        part.replace(path)",
        "tests/test_atomic.py::test_file_and_folder_are_seen_on_the_disk_in_order",
    ),
    Guard(
        "a full disk leaves the file as it was",
        "emubot/atomic.py",
        "        with part.open(\"xb\") as file:",
        "        with path.open(\"wb\") as file:",
        "tests/test_atomic.py::test_a_full_disk_leaves_the_file_as_it_was",
    ),
    Guard(
        "a checkpoint's checksum",
        "emubot/training/checkpoint.py",
        "if hashlib.sha256(body).hexdigest().encode() != checksum:",
        "if False:",
        "tests/training/test_folder.py::test_a_corrupt_last_checkpoint_is_passed_over",
    ),
    Guard(
        "a history belongs to its checkpoint",
        "emubot/training/folder.py",
        "if (digest.hexdigest(), length) != (checkpoint.history_sha256, checkpoint.history_bytes):",
        "if False:",
        "tests/training/test_folder.py::test_a_history_that_is_not_the_checkpoints_is_not_gone_on_with",
    ),
    Guard(
        "what came after the checkpoint is cut off",
        "emubot/training/folder.py",
        "            os.truncate(path / HISTORY, checkpoint.history_bytes)",
        "            pass",
        "tests/training/test_folder.py::test_what_came_after_the_checkpoint_is_cut_off",
    ),
    Guard(
        "a run's folder is one run's at a time",
        "emubot/atomic.py",
        "        held.acquire()\n",
        "        pass\n",
        "tests/training/test_folder.py::test_a_folder_is_one_runs_at_a_time",
    ),
    Guard(
        "a task that ends its workers is given up",
        "emubot/trials/executors.py",
        "DEATHS: Final = 3",
        "DEATHS: Final = 1",
        "tests/trials/test_executors.py::test_workers_that_die_are_replaced_and_lose_nobody_elses_work",
    ),
    Guard(
        "results come in the order of the tasks",
        "emubot/trials/executors.py",
        "return [done[index] for index in range(len(tasks))]",
        "return list(done.values())",
        "tests/trials/test_executors.py::test_results_come_in_the_order_of_the_tasks",
    ),
    Guard(
        "what a wait says comes at growing intervals",
        "emubot/pilot/waiting.py",
        "        if now < scheduled and not news:\n            return\n",
        "",
        "tests/pilot/test_waiting.py::test_a_long_wait_is_said_at_growing_intervals",
    ),
)  # fmt: skip


def main() -> int:
    made = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("--only", metavar="WORD", help="guards with this in their name, again")
    made.add_argument("--tests", action="store_true", help="take nothing out")
    made.add_argument("--ledger", type=Path, default=Path("guards.json"), help="default guards.json")
    options = made.parse_args()
    chosen = [guard for guard in GUARDS if options.only is None or options.only in guard.name]
    tried = json.loads(options.ledger.read_text(encoding="utf-8")) if options.ledger.exists() else {}
    with tempfile.TemporaryDirectory(prefix="emubot-guards-") as folder:
        copy = _copied(Path(folder))
        if options.tests:
            code = _run(copy, *dict.fromkeys(guard.test for guard in chosen))
            return _FAILED if code is None else code
        held = 0
        for guard in chosen:
            key = _key(guard)
            if key not in tried or options.only is not None:
                tried[key] = _without(copy, guard)
                options.ledger.write_text(json.dumps(tried, indent=1) + "\n", encoding="utf-8")
            held += tried[key] == "failed"
            print(f"{tried[key]:<10} {guard.name}  ({guard.file}, {guard.test})", flush=True)
    print(f"{held} of {len(chosen)} tests failed without their guard")
    return 0 if held == len(chosen) else 1


def _copied(folder: Path) -> Path:
    """What git knows of, as it is now."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True, text=True).stdout
    for name in filter(None, listed.split("\0")):
        source, target = ROOT / name, folder / "checkout" / name
        if source.is_file():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target)
    for words in (["init", "-q"], ["add", "-A"]):  # some tests ask git which files there are
        subprocess.run(["git", *words], cwd=folder / "checkout", check=True)
    return folder / "checkout"


def _without(copy: Path, guard: Guard) -> str:
    """What became of the test without the guard: `failed` is as it should be."""
    path = copy / guard.file
    text = path.read_text(encoding="utf-8")
    if text.count(guard.text) != 1:
        sys.exit(f"{guard.name}: {guard.file} has its text {text.count(guard.text)} times")
    try:
        path.write_text(text.replace(guard.text, guard.instead), encoding="utf-8")
        code = _run(copy, guard.test)
    finally:
        path.write_text(text, encoding="utf-8")
    return {0: "passed", _FAILED: "failed", None: "failed"}.get(code, f"code {code}")


def _run(copy: Path, *tests: str) -> int | None:
    """Pytest's exit code for these tests of the copy; None where they do not end."""
    words = [sys.executable, "-m", "pytest", "-q", "-x", "-n", "0", "-p", "no:cacheprovider", *tests]
    environment = {**os.environ, "PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        done = subprocess.run(
            words, cwd=copy, env=environment, capture_output=True, text=True, check=False, timeout=_SECONDS
        )
    except subprocess.TimeoutExpired:
        return None
    if done.returncode not in (0, _FAILED) or len(tests) > 1:
        print(done.stdout[-2000:] + done.stderr[-2000:], file=sys.stderr)
    return done.returncode


def _key(guard: Guard) -> str:
    """A guard as it was tried: its text, the file of its test, what it guards."""
    test = (ROOT / guard.test.partition("::")[0]).read_text(encoding="utf-8")
    return hashlib.sha256("\0".join([*guard, test]).encode()).hexdigest()


if __name__ == "__main__":
    sys.exit(main())
