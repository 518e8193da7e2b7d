// Mesen 2 without its window, for test_real_mesen.py: does what Mesen's own --testRunner does, which needs .NET.
//
//   mesen_host HOME CARTRIDGE SCRIPT
//
// Build it beside a clone of Mesen's source (make core, with clang, SDL2 and make):
//
//   so=$PWD/Mesen2/InteropDLL/obj.linux-x64  (whole: the library has no name of its own, so its path stays in the program)
//   clang++ --std=c++17 -I Mesen2 -I Mesen2/Core -I Mesen2/Utilities mesen_host.cpp -o mesen_host \
//       $so/MesenCore.so -lpthread
#include "pch.h"
#include "Core/Shared/SettingTypes.h"
#include <chrono>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <thread>

extern "C" {
void InitDll();
void InitializeEmu(const char* home, void* window, void* viewer, bool software, bool noAudio, bool noVideo, bool noInput);
void Pause();
void Resume();
void Stop();
void Release();
bool IsRunning();
bool LoadRom(char* file, char* patch);
void SetEmulationFlag(EmulationFlags flag, bool enabled);
void SetDebugConfig(DebugConfig config);
void SetNesConfig(NesConfig config);
NesConfig GetNesConfig();
void InitializeDebugger();
int32_t LoadScript(char* name, char* path, char* content, int32_t id);
}

static volatile bool ended = false;

int main(int count, char** words) {
    if (count != 4) return 2;
    signal(SIGTERM, [](int) { ended = true; });
    InitDll();
    InitializeEmu(words[1], nullptr, nullptr, true, true, true, true);
    Pause();
    SetEmulationFlag(EmulationFlags::ConsoleMode, true);
    NesConfig nes = GetNesConfig();
    nes.Port1.Type = nes.Port2.Type = ControllerType::NesController;
    SetNesConfig(nes);
    DebugConfig debug = {};
    debug.ScriptAllowIoOsAccess = debug.ScriptAllowNetworkAccess = true;
    debug.ScriptTimeout = 1;
    SetDebugConfig(debug);
    std::string nothing;
    if (!LoadRom(words[2], nothing.data())) return 1;
    std::ifstream file(words[3]);
    std::stringstream content;
    content << file.rdbuf();
    std::string text = content.str();
    InitializeDebugger();
    LoadScript(words[3], nothing.data(), text.data(), -1);
    SetEmulationFlag(EmulationFlags::MaximumSpeed, true);
    Resume();
    while (!ended && IsRunning()) std::this_thread::sleep_for(std::chrono::milliseconds(50));
    Stop();
    Release();
    return 0;
}
