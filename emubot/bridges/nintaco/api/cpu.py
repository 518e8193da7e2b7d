"""The CPU of the machine: registers, flags, memory, interrupts; ids 26-49 and 67-77 of the API."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from emubot.bridges.nintaco.api.blocks import Blocks
from emubot.bridges.nintaco.api.calls import Calls


class Cpu(Calls):
    """Addresses are modulo $10000. 16- and 32-bit values are little-endian in memory; 32-bit values are signed.

    Registers have 8 bits, the program counter has 16. Peek means read without side effects.
    """

    def get_a(self) -> int:
        """The accumulator; id 26."""
        return self._number(26)

    def set_a(self, value: int) -> None:
        """Set the accumulator; id 27."""
        self._void(27, value)

    def get_s(self) -> int:
        """The stack pointer; id 28."""
        return self._number(28)

    def set_s(self, value: int) -> None:
        """Set the stack pointer; id 29."""
        self._void(29, value)

    def get_pc(self) -> int:
        """The program counter; id 30."""
        return self._number(30)

    def set_pc(self, value: int) -> None:
        """Set the program counter; id 31."""
        self._void(31, value)

    def get_x(self) -> int:
        """Index register X; id 32."""
        return self._number(32)

    def set_x(self, value: int) -> None:
        """Set index register X; id 33."""
        self._void(33, value)

    def get_y(self) -> int:
        """Index register Y; id 34."""
        return self._number(34)

    def set_y(self, value: int) -> None:
        """Set index register Y; id 35."""
        self._void(35, value)

    def get_p(self) -> int:
        """The processor status; id 36."""
        return self._number(36)

    def set_p(self, value: int) -> None:
        """Set the processor status; id 37."""
        self._void(37, value)

    def is_n(self) -> bool:
        """The negative flag; id 38."""
        return self._flag(38)

    def set_n(self, value: bool) -> None:
        """Set the negative flag; id 39."""
        self._void(39, bool(value))

    def is_v(self) -> bool:
        """The overflow flag; id 40."""
        return self._flag(40)

    def set_v(self, value: bool) -> None:
        """Set the overflow flag; id 41."""
        self._void(41, bool(value))

    def is_d(self) -> bool:
        """The decimal flag; id 42."""
        return self._flag(42)

    def set_d(self, value: bool) -> None:
        """Set the decimal flag; id 43."""
        self._void(43, bool(value))

    def is_i(self) -> bool:
        """The interrupt-disable flag; id 44."""
        return self._flag(44)

    def set_i(self, value: bool) -> None:
        """Set the interrupt-disable flag; id 45."""
        self._void(45, bool(value))

    def is_z(self) -> bool:
        """The zero flag; id 46."""
        return self._flag(46)

    def set_z(self, value: bool) -> None:
        """Set the zero flag; id 47."""
        self._void(47, bool(value))

    def is_c(self) -> bool:
        """The carry flag; id 48."""
        return self._flag(48)

    def set_c(self, value: bool) -> None:
        """Set the carry flag; id 49."""
        self._void(49, bool(value))

    def request_interrupt(self) -> None:
        """Raise the CPU's IRQ; id 67."""
        self._void(67)

    def acknowledge_interrupt(self) -> None:
        """Clear the CPU's IRQ; id 68."""
        self._void(68)

    def peek_cpu(self, address: int) -> int:
        """One byte, without side effects; id 69."""
        return self._number(69, address)

    def read_cpu(self, address: int) -> int:
        """One byte as the CPU reads it, with side effects; id 70."""
        return self._number(70, address)

    def write_cpu(self, address: int, value: int) -> None:
        """Write one byte; id 71."""
        self._void(71, address, value)

    def peek_cpu_16(self, address: int) -> int:
        """Two bytes, without side effects; id 72."""
        return self._number(72, address)

    def read_cpu_16(self, address: int) -> int:
        """Two bytes as the CPU reads them; id 73."""
        return self._number(73, address)

    def write_cpu_16(self, address: int, value: int) -> None:
        """Write two bytes; id 74."""
        self._void(74, address, value)

    def peek_cpu_32(self, address: int) -> int:
        """Four bytes, without side effects; id 75."""
        return self._number(75, address)

    def read_cpu_32(self, address: int) -> int:
        """Four bytes as the CPU reads them; id 76."""
        return self._number(76, address)

    def write_cpu_32(self, address: int, value: int) -> None:
        """Write four bytes; id 77."""
        self._void(77, address, value)

    def peek_block(self, address: int, length: int) -> bytes:
        """Returns `length` bytes of CPU memory, without side effects; all of one frame if an event is held."""
        blocks = Blocks([(address, length)])
        _, words = self.peek_words(blocks)
        first = address % 4
        return words.astype("<u4").tobytes()[first : first + length]

    def peek_words(self, blocks: Blocks) -> tuple[int, NDArray[np.uint32]]:
        """Returns the frame counter, and the words of `blocks` by ascending address as uint32, lowest byte first.

        Raises NoMachine if no cartridge runs.
        """
        return self._counted_replies(blocks.peeks, blocks.count)
