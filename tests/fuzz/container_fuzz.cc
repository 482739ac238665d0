// Any bytes as the examples of a dataset whose description is in order: opened
// and described, or refused. The first byte chooses images or text.

#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/progress.h"
#include "data/dataset.h"
#include "data/describe.h"

namespace {

namespace data = sfumato::data;
namespace fs = std::filesystem;

void Write(const fs::path& path, std::string_view content) {
  std::ofstream(path, std::ios::binary)
      .write(content.data(), static_cast<std::streamsize>(content.size()));
}

// Two folders in memory where there is room for files in it, made once.
class Folders {
 public:
  Folders() {
    const fs::path memory = "/dev/shm";
    root_ = (fs::is_directory(memory) ? memory : fs::temp_directory_path()) /
            ("sfumato_container_fuzz_" + std::to_string(getpid()));
    data::DatasetInfo info;
    info.name = "fuzz";
    info.columns = {{"split", {"train", "test"}}};
    info.kind = data::Kind::kImages;
    info.image = {2, 3, 1};
    info.classes = {"0", "1"};
    Describe(images(), info);
    info.kind = data::Kind::kText;
    info.classes.clear();
    Describe(text(), info);
  }
  ~Folders() { fs::remove_all(root_); }

  fs::path images() const { return root_ / "images"; }
  fs::path text() const { return root_ / "text"; }

 private:
  static void Describe(const fs::path& folder, const data::DatasetInfo& info) {
    fs::create_directories(folder);
    Write(folder / "dataset.json", data::ToJson(info).dump());
  }

  fs::path root_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes,
                                      std::size_t size) {
  static const Folders folders;
  if (size == 0) return 0;
  sfumato::base::ProcessTalk().quiet = true;
  const fs::path folder = bytes[0] % 2 == 0 ? folders.images() : folders.text();
  Write(folder / "data.safetensors",
        {reinterpret_cast<const char*>(bytes) + 1, size - 1});
  try {
    const data::FederatedDataset set(folder);
    const data::Description description = data::Describe(set);
    data::ToText(description);
    data::ToJson(description).dump();
  } catch (const sfumato::Error&) {
  }
  return 0;
}
