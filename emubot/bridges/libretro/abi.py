"""The part of libretro.h that emubot uses, for cffi in ABI mode.

Names and numbers are those of libretro.h (API version 1).
"""

from __future__ import annotations

from typing import Any

from cffi import FFI

API_VERSION = 1

CALLBACKS = """
typedef bool (*retro_environment_t)(unsigned cmd, void *data);
typedef void (*retro_video_refresh_t)(const void *data, unsigned width, unsigned height, size_t pitch);
typedef void (*retro_audio_sample_t)(int16_t left, int16_t right);
typedef size_t (*retro_audio_sample_batch_t)(const int16_t *data, size_t frames);
typedef void (*retro_input_poll_t)(void);
typedef int16_t (*retro_input_state_t)(unsigned port, unsigned device, unsigned index, unsigned id);
"""

STRUCTS = """
struct retro_system_info {
    const char *library_name;
    const char *library_version;
    const char *valid_extensions;
    bool need_fullpath;
    bool block_extract;
};
struct retro_system_timing { double fps; double sample_rate; };
struct retro_game_geometry {
    unsigned base_width; unsigned base_height; unsigned max_width; unsigned max_height; float aspect_ratio;
};
struct retro_system_av_info { struct retro_game_geometry geometry; struct retro_system_timing timing; };
struct retro_game_info { const char *path; const void *data; size_t size; const char *meta; };
struct retro_variable { const char *key; const char *value; };
"""

FUNCTIONS = """
unsigned retro_api_version(void);
void retro_get_system_info(struct retro_system_info *info);
void retro_set_environment(retro_environment_t);
void retro_init(void);
void retro_set_video_refresh(retro_video_refresh_t);
void retro_set_audio_sample(retro_audio_sample_t);
void retro_set_audio_sample_batch(retro_audio_sample_batch_t);
void retro_set_input_poll(retro_input_poll_t);
void retro_set_input_state(retro_input_state_t);
bool retro_load_game(const struct retro_game_info *game);
void retro_get_system_av_info(struct retro_system_av_info *info);
void retro_set_controller_port_device(unsigned port, unsigned device);
void *retro_get_memory_data(unsigned id);
size_t retro_get_memory_size(unsigned id);
void retro_run(void);
void retro_reset(void);
size_t retro_serialize_size(void);
bool retro_serialize(void *data, size_t size);
bool retro_unserialize(const void *data, size_t size);
void retro_unload_game(void);
void retro_deinit(void);
"""

SYMBOLS = tuple(line.split("(")[0].split()[-1].lstrip("*") for line in FUNCTIONS.strip().splitlines())

ffi: Any = FFI()
ffi.cdef(CALLBACKS + STRUCTS + FUNCTIONS)

MEMORY_SAVE_RAM = 0
MEMORY_SYSTEM_RAM = 2

DEVICE_JOYPAD = 1
JOYPAD_B, JOYPAD_SELECT, JOYPAD_START = 0, 2, 3
JOYPAD_UP, JOYPAD_DOWN, JOYPAD_LEFT, JOYPAD_RIGHT, JOYPAD_A = 4, 5, 6, 7, 8
JOYPAD_MASK = 256  # the id for all buttons at once, used if GET_INPUT_BITMASKS was answered

PIXEL_0RGB1555, PIXEL_XRGB8888, PIXEL_RGB565 = 0, 1, 2

COMMAND_MASK = 0xFFFF  # the bits above mark experimental and private environment commands
GET_CAN_DUPE = 3
SET_PERFORMANCE_LEVEL = 8
GET_SYSTEM_DIRECTORY = 9
SET_PIXEL_FORMAT = 10
SET_INPUT_DESCRIPTORS = 11
GET_VARIABLE = 15
SET_VARIABLES = 16
GET_VARIABLE_UPDATE = 17
GET_CORE_ASSETS_DIRECTORY = 30
GET_SAVE_DIRECTORY = 31
SET_CONTROLLER_INFO = 35
SET_MEMORY_MAPS = 36
SET_GEOMETRY = 37
GET_INPUT_BITMASKS = 51
GET_CORE_OPTIONS_VERSION = 52
SET_CORE_OPTIONS = 53
SET_CORE_OPTIONS_INTL = 54
SET_CORE_OPTIONS_V2 = 67
SET_CORE_OPTIONS_V2_INTL = 68
