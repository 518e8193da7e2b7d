/* A libretro core of a few lines, built by the tests with flags that make it odd in ways the real cores are not:
   API_VERSION, EXTENSIONS, NO_RAM, REFUSE, FULLPATH, STATELESS, ASKS_ODDLY, SOUND (a saw tooth of 800 moments a
   frame at 48,000 Hz; SOUND=1 sends them one by one, SOUND=2 in two batches), PRINTS (a line on stdout every frame),
   FAILS_AT_LOAD (a segmentation fault when the cartridge is loaded), FAILS (in frame 20; 1 a segmentation fault, 2
   abort, 3 exit(0), 4 it never ends). Every frame it writes to RAM
   [0] the frame's number, [1] and [2] the two pads as the sixteen-button masks' low bytes, [3] A of pad 1 asked alone. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef API_VERSION
#define API_VERSION 1
#endif
#ifndef EXTENSIONS
#define EXTENSIONS "fds|nes"
#endif

struct system_info { const char *name, *version, *extensions; bool full, block; };
struct av_info { unsigned size[4]; float aspect; double fps, rate; };
struct game_info { const char *path; const void *data; size_t size; const char *meta; };

typedef bool (*environment_t)(unsigned, void *);
typedef void (*video_t)(const void *, unsigned, unsigned, size_t);
typedef int16_t (*input_t)(unsigned, unsigned, unsigned, unsigned);
typedef void (*sample_t)(int16_t, int16_t);
typedef size_t (*batch_t)(const int16_t *, size_t);

static environment_t environment;
static video_t video;
static void (*poll)(void);
static input_t input;
static sample_t sample;
static batch_t batch;
static uint8_t ram[2048];
static uint16_t frame[2][3]; /* two rows of two pixels, and padding */

unsigned retro_api_version(void) { return API_VERSION; }
void retro_get_system_info(struct system_info *info)
{
    struct system_info told = { "Toy", "1.0 ", EXTENSIONS, false, false };
#ifdef FULLPATH
    told.full = true;
#endif
    *info = told;
}
void retro_set_environment(environment_t given) { environment = given; }
void retro_init(void) { memset(ram, 0, sizeof ram); }
void retro_deinit(void) {}
void retro_set_video_refresh(video_t given) { video = given; }
void retro_set_audio_sample(sample_t given) { sample = given; }
void retro_set_audio_sample_batch(batch_t given) { batch = given; }
void retro_set_input_poll(void (*given)(void)) { poll = given; }
void retro_set_input_state(input_t given) { input = given; }

bool retro_load_game(const struct game_info *game)
{
#ifdef FAILS_AT_LOAD
    *(volatile int *)8 = 1;
#endif
#ifdef REFUSE
    (void)game;
    return false;
#elif defined FULLPATH
    FILE *file = fopen(game->path, "rb");
    if (!file)
        return false;
    ram[0x700] = (uint8_t)fgetc(file);
    fclose(file);
    return true;
#else
    ram[0x700] = *(const uint8_t *)game->data;
    return true;
#endif
}
#ifdef SOUND
void retro_get_system_av_info(struct av_info *info)
{
    info->size[0] = info->size[1] = 2;
    info->fps = 60.0, info->rate = 48000.0;
}
/* left counts the moments from 1 to 10,000 over and over, right is its negative */
static void make_sound(void)
{
    static int16_t moments[800][2];
    static int count;
    for (int at = 0; at < 800; at++) {
        moments[at][0] = (int16_t)(count++ % 10000 + 1);
        moments[at][1] = (int16_t)-moments[at][0];
#if SOUND == 1
        sample(moments[at][0], moments[at][1]);
#endif
    }
#if SOUND == 2
    if (batch(moments[0], 300) != 300 || batch(moments[300], 500) != 500)
        ram[5] = 1; /* somebody did not take all of it */
#endif
    memset(moments, 0, sizeof moments); /* lent, too */
}
#else
void retro_get_system_av_info(struct av_info *info) { info->fps = 50.0; }
#endif
void retro_set_controller_port_device(unsigned port, unsigned device) { ram[0x710 + port] = (uint8_t)device; }
#ifdef NO_RAM
void *retro_get_memory_data(unsigned id) { (void)id; return NULL; }
#else
void *retro_get_memory_data(unsigned id) { return id == 2 ? ram : NULL; }
#endif
size_t retro_get_memory_size(unsigned id) { return id == 2 ? sizeof ram : 0; }

#ifdef FAILS
static void fail(void)
{
    static int count;
    if (++count < 20)
        return;
#if FAILS == 1
    *(volatile int *)8 = 1;
#elif FAILS == 2
    abort();
#elif FAILS == 3
    exit(0);
#else
    for (;;) { }
#endif
}
#endif

void retro_run(void)
{
    poll();
#ifdef FAILS
    fail();
#endif
#ifdef PRINTS
    puts("the toy prints");
    fflush(stdout);
#endif
#ifdef SOUND
    make_sound();
#endif
    ram[0]++;
    ram[1] = (uint8_t)input(0, 1, 0, 256);
    ram[2] = (uint8_t)input(1, 1, 0, 256);
    ram[3] = (uint8_t)input(0, 1, 0, 8);
#ifdef ASKS_ODDLY
    /* a third player, a mouse, a button past the last, an unknown environment command */
    ram[4] = (uint8_t)(input(3, 1, 0, 256) | input(0, 2, 0, 256) | input(0, 1, 0, 15) | environment(0x10FFF, NULL));
#endif
    if (ram[0] == 3) {
        video(NULL, 2, 2, sizeof frame[0]); /* the same picture as before */
    } else {
        frame[0][0] = 0x7C00, frame[0][1] = 0x03E0, frame[1][0] = 0x001F, frame[1][1] = ram[0];
        video(frame, 2, 2, sizeof frame[0]);
    }
    memset(frame, 0, sizeof frame); /* a picture is only lent: whoever kept the pointer sees black */
}
void retro_reset(void) { ram[0] = 0; }
#ifdef STATELESS
size_t retro_serialize_size(void) { return 0; }
bool retro_serialize(void *data, size_t size) { (void)data, (void)size; return false; }
bool retro_unserialize(const void *data, size_t size) { (void)data, (void)size; return false; }
#else
size_t retro_serialize_size(void) { return sizeof ram; }
bool retro_serialize(void *data, size_t size) { memcpy(data, ram, size); return true; }
bool retro_unserialize(const void *data, size_t size) { memcpy(ram, data, size); return true; }
#endif
void retro_unload_game(void) {}
