#include "app/torch_part.h"

#include <dlfcn.h>

#include <filesystem>

#include "app/torch_environment.h"
#include "base/error.h"
#include "fmt/format.h"

namespace sfumato::app {
namespace {

constexpr const char* kLibrary = "libsfumato_torch.so";

void* OpenLibrary() {
  const auto folder =
      std::filesystem::read_symlink("/proc/self/exe").parent_path();
  const auto beside = folder / kLibrary;
  const auto installed = folder.parent_path() / "lib" / kLibrary;
  const auto path = std::filesystem::exists(beside) ? beside : installed;
  PrepareForTorch();
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    throw Unavailable(
        fmt::format("the Torch part cannot be opened: {}", dlerror()), kLibrary,
        "build it with LibTorch installed: ./x setup, then ./x build");
  }
  return library;
}

}  // namespace

void* TorchSymbol(const char* name) {
  static void* const library = OpenLibrary();
  void* symbol = dlsym(library, name);
  if (symbol == nullptr) {
    throw Unavailable(fmt::format("the Torch part has no '{}'", name), kLibrary,
                      "program and library are of different builds: ./x build");
  }
  return symbol;
}

}  // namespace sfumato::app
