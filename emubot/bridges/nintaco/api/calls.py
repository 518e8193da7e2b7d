"""The table of all calls of Nintaco's API: the id, the arguments and the answer of each.

Source: facts, Nintaco 3.6; listeners 3.4. Three calls are left out. `power_cycle` (id 120) and `close` (id 133) stop
the emulator for good while a listener is registered (facts, Nintaco 0.5): use `reset` and `open`. The server measures
its whole buffer for `getCharsWidth` (id 164) and then ends the connection: `get_chars_width` sends id 163.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Concatenate, TypeVar

from emubot.bridges.nintaco.api import checks
from emubot.bridges.nintaco.api.answers import (
    COUNT,
    FLAG,
    FLAG_OF_EMULATOR,
    NUMBER,
    NUMBER_OF_EMULATOR,
    PICTURE,
    TEXT,
    TEXT_OF_MACHINE,
    TEXTS,
    TV_SYSTEM,
    Answer,
    TvSystem,
)
from emubot.bridges.nintaco.api.engine import ApiCall, ApiState, Check, Listening
from emubot.bridges.nintaco.api.events import (
    AccessHandler,
    AccessKind,
    DotHandler,
    EventKind,
    PlainHandler,
    ScanlineHandler,
    SpriteZeroHandler,
    StatusHandler,
)

T = TypeVar("T")


class Button(IntEnum):
    """A controller's buttons as the API numbers them."""

    A = 0
    B = 1
    SELECT = 2
    START = 3
    UP = 4
    DOWN = 5
    LEFT = 6
    RIGHT = 7


def sends(number: int, arguments: str = "", note: str = "", check: Check | None = None) -> ApiCall[..., None]:
    """A call without an answer."""
    return ApiCall(number, arguments, None, note, check)


def asks(number: int, arguments: str, answer: Answer[T], note: str = "", check: Check | None = None) -> ApiCall[..., T]:
    """A call with an answer."""
    return ApiCall(number, arguments, answer, note, check)


def value(number: int, note: str) -> tuple[ApiCall[[], int], ApiCall[[int], None]]:
    """Two calls that read and write a number."""
    return asks(number, "", NUMBER, note), sends(number + 1, "value", note)


def switch(number: int, note: str) -> tuple[ApiCall[[], bool], ApiCall[[bool], None]]:
    """Two calls that read and write a flag."""
    return asks(number, "", FLAG, note), sends(number + 1, "value:flag", note)


def listens(kind: EventKind, arguments: str = "", note: str = "", check: Check | None = None) -> ApiCall[..., int]:
    """A call that adds a listener; it returns the listener's number, for `remove_listener`."""
    return Listening(kind, f"handler:any {arguments}", None, note, check)


class Calls(ApiState):
    """A row for each call, by room of the API.

    Addresses are modulo $10000. 16- and 32-bit values are little-endian in memory; 32-bit values are signed. Peek means
    read without side effects. A drawing goes into the frame that a frame listener holds: draw again in every frame what
    is to stay. Its coordinates are pixels from the top left of 256 by 240, its angles degrees counter-clockwise from
    three o'clock. As in Java, an outline of `width` by `height` covers one pixel more in each direction; a filled shape
    does not. Paths are on the emulator's machine; opening, saving and loading happen some time after the call, and
    opening and loading then send DEACTIVATE and ACTIVATE events.
    """

    # Listeners. Handlers run one at a time while the emulator stands still, and may make any call. Work of more than a
    # few milliseconds slows the game down. Of several listeners of a kind, the last one added is called first.
    add_activate_listener: ApiCall[[PlainHandler], int] = listens(
        EventKind.ACTIVATE, note="the first event of a machine, also after another one was opened or a state loaded"
    )
    add_deactivate_listener: ApiCall[[PlainHandler], int] = listens(
        EventKind.DEACTIVATE,
        note="the loss of the machine or connection; until the next activation nothing can be read",
    )
    add_stop_listener: ApiCall[[PlainHandler], int] = listens(
        EventKind.STOP, note="the server's stop; the known server disconnects before sending it (facts: 3.3)"
    )
    add_access_listener: ApiCall[Concatenate[AccessHandler, AccessKind, int, ...], int] = listens(
        EventKind.ACCESS,
        "access first:0..65535 last:any=None bank=-1",
        "the CPU's accesses to an address of first..last; bank -1 means any. The handler gets (access, address, value) "
        "and returns the byte to read or write instead, or UNCHANGED. Each access costs a round trip",
        checks.bounds,
    )
    add_controllers_listener: ApiCall[[PlainHandler], int] = listens(
        EventKind.CONTROLLERS, note="before the pads are probed for the next frame"
    )
    add_frame_listener: ApiCall[[PlainHandler], int] = listens(
        EventKind.FRAME, note="a complete picture: at scanline 240, before the vertical blank"
    )
    add_scanline_listener: ApiCall[[ScanlineHandler, int], int] = listens(
        EventKind.SCANLINE, "scanline", "the start of a scanline; the handler gets its number"
    )
    add_dot_listener: ApiCall[[DotHandler, int, int], int] = listens(
        EventKind.DOT,
        "scanline:-1..311 dot:0..340",
        "the beam at a dot of a scanline; the handler gets (scanline, dot, VRAM address, rendering)",
    )
    add_sprite_zero_listener: ApiCall[[SpriteZeroHandler], int] = listens(
        EventKind.SPRITE_ZERO, note="a sprite 0 hit; the handler gets (scanline, dot)"
    )
    add_status_listener: ApiCall[[StatusHandler], int] = listens(
        EventKind.STATUS, note="texts about the connection: from the server, and from this client on connect and loss"
    )

    # The emulator and its machine
    set_paused = sends(23, "paused:flag", "there are no frame events during a pause")
    is_paused = asks(24, "", FLAG_OF_EMULATOR)
    get_frame_count: ApiCall[[], int] = asks(25, "", COUNT, "frames since the machine was powered on")
    reset = sends(121, "", "press the console's reset button at the next probe; there is no event for it")
    set_speed: ApiCall[[int], None] = sends(123, "percent:percent", "of the console's speed; 0 means no limit")
    step_to_next_frame = sends(124, "", "of a paused machine; the first step may send no frame event")
    show_message = sends(125, "text:printable", "in the emulator's window, for a short time")
    set_tv_system = sends(138, "system:text", "NTSC, PAL or Dendy", checks.system)
    get_tv_system: ApiCall[[], TvSystem] = asks(139, "", TV_SYSTEM)
    get_disk_sides = asks(140, "", NUMBER, "0 for a cartridge")
    insert_disk = sends(141, "disk side")
    flip_disk_side = sends(142)
    eject_disk = sends(143)
    insert_coin = sends(144, "", "into an arcade machine")
    press_service_button = sends(145, "", "of an arcade machine")
    scream_into_microphone = sends(146, "", "of the Famicom's second controller")
    glitch = sends(147, "", "jolt the cartridge: the emulator's own joke")
    get_file_info: ApiCall[[], str] = asks(148, "", TEXT_OF_MACHINE, "lines: file name, mapper, sizes, checksums")
    set_fullscreen_mode = sends(149, "on:flag")

    # The CPU
    get_a, set_a = value(26, "the accumulator")
    get_s, set_s = value(28, "the stack pointer")
    get_pc, set_pc = value(30, "the program counter, 16 bits")
    get_x, set_x = value(32, "index register X")
    get_y, set_y = value(34, "index register Y")
    get_p, set_p = value(36, "the processor status")
    is_n, set_n = switch(38, "the negative flag")
    is_v, set_v = switch(40, "the overflow flag")
    is_d, set_d = switch(42, "the decimal flag")
    is_i, set_i = switch(44, "the interrupt-disable flag")
    is_z, set_z = switch(46, "the zero flag")
    is_c, set_c = switch(48, "the carry flag")
    request_interrupt = sends(67, "", "raise the CPU's IRQ")
    acknowledge_interrupt = sends(68, "", "clear the CPU's IRQ")
    peek_cpu: ApiCall[[int], int] = asks(69, "address", NUMBER)
    read_cpu: ApiCall[[int], int] = asks(70, "address", NUMBER, "with the side effects of a read by the CPU")
    write_cpu: ApiCall[[int, int], None] = sends(71, "address value")
    peek_cpu_16: ApiCall[[int], int] = asks(72, "address", NUMBER)
    read_cpu_16: ApiCall[[int], int] = asks(73, "address", NUMBER)
    write_cpu_16: ApiCall[[int, int], None] = sends(74, "address value")
    peek_cpu_32: ApiCall[[int], int] = asks(75, "address", NUMBER)
    read_cpu_32: ApiCall[[int], int] = asks(76, "address", NUMBER)
    write_cpu_32: ApiCall[[int, int], None] = sends(77, "address value")

    # The picture unit. Colours are palette indices 0x00-0x3F; with emphasis bits up to 0x1FF.
    get_ppu_v, set_ppu_v = value(50, "the current VRAM address, register v")
    get_ppu_t, set_ppu_t = value(52, "the temporary VRAM address, register t")
    get_ppu_x, set_ppu_x = value(54, "the fine horizontal scroll, register x")
    is_ppu_w, set_ppu_w = switch(56, "the write toggle, register w")
    get_camera_x, set_camera_x = value(58, "the horizontal scroll position in pixels")
    get_camera_y, set_camera_y = value(60, "the vertical scroll position in pixels")
    get_scanline = asks(62, "", NUMBER, "-1 for the one before the picture")
    get_dot = asks(63, "", NUMBER, "of the scanline, 0-340")
    is_sprite_zero_hit, set_sprite_zero_hit = switch(64, "the sprite 0 hit flag")
    get_scanline_count = asks(66, "", NUMBER, "in a frame: 262 NTSC, 312 PAL")
    read_ppu = asks(78, "address", NUMBER, "a byte of the picture unit's memory")
    write_ppu = sends(79, "address value")
    read_palette_ram = asks(80, "address", NUMBER, "one of the 32 palette entries")
    write_palette_ram = sends(81, "address value")
    read_oam = asks(82, "address", NUMBER, "a byte of the sprite memory")
    write_oam = sends(83, "address value")
    set_pixel = sends(117, "x y color")
    get_pixel = asks(118, "x y", NUMBER)
    get_pixels = asks(119, "", PICTURE, "a new int32 array (240, 256); BridgeError before the first frame")

    # Controllers. A write lasts until the next probe only, so write again in every frame. If it is written in a frame
    # listener, the game reads it in the frame after the next (facts, Nintaco 4).
    read_gamepad = asks(84, "pad:0..3 button:0..7", FLAG)
    write_gamepad = sends(85, "pad:0..3 button:0..7 held:flag", "whatever the user presses")
    is_zapper_trigger, set_zapper_trigger = switch(86, "the Zapper's trigger")
    get_zapper_x, set_zapper_x = value(88, "the Zapper's target, in pixels from the left")
    get_zapper_y, set_zapper_y = value(90, "the Zapper's target, in pixels from the top")

    # Drawing
    set_color = sends(92, "color:0..511", "for what is drawn from now on")
    get_color = asks(93, "", NUMBER)
    set_clip = sends(94, "x y width height", "draw only inside this rectangle")
    clip_rect = sends(95, "x y width height", "draw only inside its intersection with the current one")
    reset_clip = sends(96, "", "draw everywhere")
    copy_area = sends(97, "x y width height dx dy")
    draw_line = sends(98, "x1 y1 x2 y2", "both ends included")
    draw_oval = sends(99, "x y width height")
    draw_polygon = sends(100, "xs:numbers ys:numbers", "a closed outline", checks.points)
    draw_polyline = sends(101, "xs:numbers ys:numbers", "lines from point to point", checks.points)
    draw_rect = sends(102, "x y width height")
    draw_round_rect = sends(103, "x y width height arc_width arc_height")
    draw_3d_rect = sends(104, "x y width height raised:flag")
    draw_arc = sends(105, "x y width height start arc")
    fill_3d_rect = sends(106, "x y width height raised:flag")
    fill_arc = sends(107, "x y width height start arc", "a slice of an ellipse")
    fill_oval = sends(108, "x y width height")
    fill_polygon = sends(109, "xs:numbers ys:numbers", "", checks.points)
    fill_rect = sends(110, "x y width height")
    fill_round_rect = sends(111, "x y width height arc_width arc_height")
    draw_char = sends(112, "char:char x y", "its top left corner at (x, y)")
    draw_chars = sends(113, "chars:printable offset length x y mono:flag=False", "some of the characters", checks.part)
    draw_string = sends(114, "text:printable x y mono:flag=False", "`mono` gives all characters the same width")
    create_sprite = sends(
        115,
        "sprite width:0..1024 height:0..1024 pixels:numbers",
        "palette indices row by row, -1 for transparent; it is lost at a reconnection",
        checks.image,
    )
    draw_sprite = sends(116, "sprite x y", "", checks.known)
    delete_sprite = sends(122, "sprite", "", checks.deleted)
    get_string_width = asks(163, "text:printable mono:flag=False", NUMBER_OF_EMULATOR, "in pixels")
    get_chars_width = asks(163, "chars:printable mono:flag=False", NUMBER_OF_EMULATOR, "in pixels")

    # Files
    get_working_directory = asks(126, "", TEXT)
    get_content_directory = asks(127, "", TEXT, "the folder of the emulator's own files")
    open = sends(128, "path:text", "a cartridge")
    open_archive_entry = sends(129, "archive:text entry:text")
    get_archive_entries = asks(130, "archive:text", TEXTS)
    get_default_archive_entry = asks(131, "archive:text", TEXT)
    open_default_archive_entry = sends(132, "archive:text")
    save_state = sends(134, "path:text")
    load_state = sends(135, "path:text")
    quick_save_state = sends(136, "slot:0..9")
    quick_load_state = sends(137, "slot:0..9")
    save_screenshot = sends(150, "", "in the emulator's folder for screenshots")

    # Cheats and the cartridge's bytes; writes change the emulator's memory only
    add_cheat = sends(
        151,
        "address value compare description:text enabled:flag=True",
        "the CPU reads `value` at `address` if the byte there is `compare`, or -1 for any byte",
    )
    remove_cheat = sends(152, "address value compare")
    add_game_genie = sends(153, "code:text description:text enabled:flag=True")
    remove_game_genie = sends(154, "code:text")
    add_pro_action_rocky = sends(155, "code:text description:text enabled:flag=True")
    remove_pro_action_rocky = sends(156, "code:text")
    get_prg_rom_size: ApiCall[[], int] = asks(157, "", NUMBER)
    read_prg_rom = asks(158, "index", NUMBER, "", checks.inside(get_prg_rom_size, "A byte of this program"))
    write_prg_rom = sends(159, "index value", "", checks.inside(get_prg_rom_size, "A byte of this program"))
    get_chr_rom_size: ApiCall[[], int] = asks(160, "", NUMBER, "0 if the board has RAM for it")
    read_chr_rom = asks(161, "index", NUMBER, "", checks.inside(get_chr_rom_size, "A byte of these characters"))
    write_chr_rom = sends(162, "index value", "", checks.inside(get_chr_rom_size, "A byte of these characters"))
