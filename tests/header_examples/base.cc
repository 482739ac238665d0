// The examples in the headers of `base` and `config`.

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/crc32c.h"
#include "base/error.h"
#include "base/error_testing.h"
#include "base/file.h"
#include "base/json_lines.h"
#include "base/npz.h"
#include "base/parallel.h"
#include "base/percent.h"
#include "base/printable.h"
#include "base/progress.h"
#include "base/random.h"
#include "base/safetensors.h"
#include "base/secure_random.h"
#include "base/stroke_font.h"
#include "base/utf8.h"
#include "base/worker_pool.h"
#include "config/config_fields.h"
#include "config/train_config.h"
#include "config/words.h"

namespace sfumato::base {

void Crc32cExample(std::string_view bytes, std::string_view more) {
#include "base/crc32c.example"
}

void ErrorExample() {
#include "base/error.example"
}

void ErrorTestingExample() {
  void Open(std::string_view name);
#include "base/error_testing.example"
}

void FileExample(const Path& path, std::string_view bytes,
                 std::string_view notes) {
#include "base/file.example"
}

void JsonLinesExample(const Path& path, std::map<int, double>& losses) {
#include "base/json_lines.example"
}

void NpzExample(std::span<const TensorOut> tensors) {
#include "base/npz.example"
}

void ParallelExample(std::vector<double>& values) {
#include "base/parallel.example"
}

void PercentExample() {
#include "base/percent.example"
}

void PrintableExample(std::string_view word) {
#include "base/printable.example"
}

void ProgressExample(std::uint64_t users) {
  void Draw(std::uint64_t user);
#include "base/progress.example"
}

void RandomExample(std::uint64_t seed) {
#include "base/random.example"
}

void SafetensorsExample() {
#include "base/safetensors.example"
}

void SafetensorsExample2(const Path& folder,
                         const std::vector<std::uint8_t>& pixels) {
#include "base/safetensors.example2"
}

void SecureRandomExample(std::span<std::byte> buffer) {
#include "base/secure_random.example"
}

void StrokeFontExample() {
#include "base/stroke_font.example"
}

void Utf8Example(std::string_view text) {
  void Use(char32_t letter);
#include "base/utf8.example"
}

void WorkerPoolExample(const std::vector<int>& items, std::vector<int>& results,
                       std::vector<int>& memory) {
  int Compute(int item, int& memory);
#include "base/worker_pool.example"
}

}  // namespace sfumato::base

namespace sfumato::config {

void ConfigFieldsExample(TrainConfig& config) {
#include "config/config_fields.example"
}

void TrainConfigExample() {
#include "config/train_config.example"
}

void WordsExample(TrainConfig& config) {
#include "config/words.example"
}

}  // namespace sfumato::config
