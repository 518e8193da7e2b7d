"""Trainings of pages: children `emubot train` that are started and stopped, and what pages are told; plays nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from contextlib import suppress
from typing import Any, Final

from emubot.arena import entrants, runs
from emubot.arena.connection import PageConnection
from emubot.arena.form import Value
from emubot.arena.request import TellEntrants, TellRun, ToTrainings, Train
from emubot.arena.train_form import name_of, words_of
from emubot.errors import EmubotError, UsageError
from emubot.program import program
from emubot.systems.processes import ask_to_end

MOST_TRAININGS: Final = 2  # at once: each may have as many processes as there are processors
_FAREWELL: Final = 20.0  # seconds in which a training that was stopped has to end
_LAST_WORDS: Final = 600


class Trainings:
    """The trainings that run. `tell_all` tells every page that may start one."""

    def __init__(self, tell_all: Callable[[dict[str, Any]], None]) -> None:
        self._tell_all = tell_all
        self._histories = runs.Histories()
        self._running: dict[str, asyncio.subprocess.Process | None] = {}  # None: it is being started
        self._stopping: set[str] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def running(self) -> list[str]:
        """The names of the runs that run now."""
        return list(self._running)

    def hear(self, client: PageConnection, message: ToTrainings) -> None:
        """Do what a page asks. Raises UsageError for what is not offered."""
        if isinstance(message, TellRun):
            self._later(self._answer(client, message))
        elif isinstance(message, TellEntrants):
            self._later(self._tell_entrants(client))
        elif isinstance(message, Train):
            name = self.start(message.options)
            self._tell_all(self.listed())
            client.tell(event="training", name=name)  # which the page then chooses from the list
        else:
            self.stop(message.name) if message.type == "stop-run" else self.go_on(message.name)
            self._tell_all(self.listed())

    def listed(self) -> dict[str, Any]:
        """Returns the event that names all runs, and those that run."""
        return {"event": "runs", "names": runs.names(), "running": self.running}

    def start(self, chosen: Mapping[str, Value]) -> str:
        """Begin a run and return its name. Raises UsageError for what is not offered, or if too many run."""
        words = words_of(chosen)
        self._check_number()
        name = runs.new_name(name_of(chosen))
        runs.keep_options(name, chosen)
        self._begin(name, words)
        return name

    def go_on(self, name: str) -> None:
        """Continue a run that was stopped. Raises UsageError if this page did not start it, or if too many run."""
        chosen = runs.options_of(name)
        if name in self._running:
            raise UsageError(f"{name} is running.")
        self._check_number()
        self._begin(name, words_of(chosen))

    def stop(self, name: str) -> None:
        """Ask a run to end; what is finished is kept. Raises UsageError if it does not run here."""
        if name not in self._running:
            raise UsageError(f"{name} does not run.")
        self._stopping.add(name)
        process = self._running[name]
        if process is not None:
            ask_to_end(process)

    async def close(self) -> None:
        """Stop all runs and wait for their end."""
        for name in self.running:
            self.stop(name)
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=_FAREWELL)
        for process in self._running.values():
            if process is not None:
                with suppress(ProcessLookupError):
                    process.kill()

    def _check_number(self) -> None:
        if len(self._running) >= MOST_TRAININGS:
            raise UsageError(f"{MOST_TRAININGS} trainings are running, which is the most: stop one first.")

    def _begin(self, name: str, words: list[str]) -> None:
        self._running[name] = None
        self._later(self._run(name, words))

    def _later(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _answer(self, client: PageConnection, message: TellRun) -> None:
        """Tell a page what a run has reached. Reading is done beside the event loop."""
        try:
            told = await asyncio.to_thread(self._histories.of, message.name, message.since)
        except EmubotError as wrong:
            client.tell(event="run", name=message.name, failed=str(wrong))
        else:
            client.tell(event="run", running=message.name in self._running, **told)

    async def _tell_entrants(self, client: PageConnection) -> None:
        """Tell a page whose weights may play on a wall. Reading is done beside the event loop."""
        client.tell(event="entrants", entrants=await asyncio.to_thread(entrants.listed))

    async def _run(self, name: str, words: list[str]) -> None:
        out = str(runs.folder() / name)
        try:
            process = await asyncio.create_subprocess_exec(
                *program(),
                *words,
                *("--out", out, "--quiet"),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.DEVNULL,
                stderr=asyncio.subprocess.PIPE,
            )
        except OSError as failure:
            del self._running[name]
            self._tell_all(self.listed())
            self._tell_all({"event": "said", "message": f"The training cannot be started: {failure.strerror}."})
            return
        self._running[name] = process
        if name in self._stopping:
            ask_to_end(process)
        assert process.stderr is not None
        last = ""
        with suppress(ValueError, OSError):  # a line without an end
            while line := await process.stderr.readline():
                last = line.decode("utf-8", "replace").strip().removeprefix("emubot: ")[:_LAST_WORDS] or last
        code = await process.wait()
        was_stopped = name in self._stopping
        self._stopping.discard(name)
        del self._running[name]
        self._tell_all(self.listed())
        if code != 0 and not was_stopped:
            self._tell_all({"event": "said", "message": last or f"emubot train has ended with code {code}."})
