#include "runs/tensorboard.h"

#include <bit>
#include <cassert>
#include <cstring>
#include <string>
#include <string_view>

#include "base/crc32c.h"
#include "base/error.h"
#include "fmt/format.h"

namespace sfumato::runs {
namespace fs = std::filesystem;
namespace {

static_assert(std::endian::native == std::endian::little,
              "event files are little-endian");

template <typename T>
std::string Raw(T value) {
  std::string bytes(sizeof value, '\0');
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

// Protocol buffers: a field is its number and wire type, then its content.
// https://protobuf.dev/programming-guides/encoding

std::string Varint(std::uint64_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7) {
    bytes += static_cast<char>((value & 0x7F) | 0x80);
  }
  return bytes + static_cast<char>(value);
}

enum class Wire { kVarint = 0, kFixed64 = 1, kBytes = 2, kFixed32 = 5 };

std::string Tag(int field, Wire wire) {
  return Varint(static_cast<std::uint64_t>(field) << 3 |
                static_cast<std::uint64_t>(wire));
}
std::string Int(int field, std::int64_t value) {
  return Tag(field, Wire::kVarint) + Varint(static_cast<std::uint64_t>(value));
}
std::string Double(int field, double value) {
  return Tag(field, Wire::kFixed64) + Raw(value);
}
std::string Float(int field, float value) {
  return Tag(field, Wire::kFixed32) + Raw(value);
}
std::string Bytes(int field, std::string_view bytes) {
  return Tag(field, Wire::kBytes) + Varint(bytes.size()) + std::string(bytes);
}

// Messages, by the field numbers of TensorBoard's .proto files.

std::string Event(double seconds, std::int64_t step, const std::string& what) {
  return Double(1, seconds) + Int(2, step) + what;
}
std::string FileVersion() { return Bytes(3, "brain.Event:2"); }
std::string Started() {  // session_log { status: START }
  return Bytes(7, Int(1, 1));
}

struct SummaryContent {
  std::string operator()(double number) const {
    return Float(2, static_cast<float>(number));  // simple_value
  }
  std::string operator()(std::int64_t number) const {
    return (*this)(static_cast<double>(number));
  }
  std::string operator()(bool truth) const {
    return (*this)(truth ? 1.0 : 0.0);
  }
  // A tensor of one string, shown by the plugin "text".
  std::string operator()(const std::string& text) const {
    constexpr int kString = 7;                      // DT_STRING
    const std::string shape = Bytes(2, Int(1, 1));  // dim { size: 1 }
    const std::string tensor = Int(1, kString) + Bytes(2, shape) +
                               Bytes(8, text);  // dtype, shape, string_val
    const std::string plugin = Bytes(1, Bytes(1, "text"));
    return Bytes(9, plugin) + Bytes(8, tensor);  // metadata, tensor
  }
  std::string operator()(const Png& png) const {
    // Width and height stand in the first chunk, big-endian.
    assert(png.bytes.starts_with("\x89PNG\r\n\x1a\n") &&
           png.bytes.size() >= 24);
    const auto side = [&](std::size_t offset) {
      std::uint32_t value = 0;
      for (std::size_t i = 0; i < 4; ++i) {
        value = value << 8 | static_cast<unsigned char>(png.bytes[offset + i]);
      }
      return static_cast<std::int64_t>(value);
    };
    constexpr int kRgb = 3;  // TensorBoard looks into the PNG itself
    return Bytes(4, Int(1, side(20)) + Int(2, side(16)) + Int(3, kRgb) +
                        Bytes(4, png.bytes));
  }
};

std::string Summary(const Value& value) {
  return Bytes(
      1, Bytes(1, value.key()) + std::visit(SummaryContent(), value.content()));
}

// TFRecord: https://www.tensorflow.org/tutorials/load_data/tfrecord
std::string Framed(const std::string& record) {
  const auto masked = [](std::string_view bytes) {
    return Raw(std::rotr(base::Crc32c(bytes), 15) + 0xA282EAD8u);
  };
  const std::string length = Raw(static_cast<std::uint64_t>(record.size()));
  return length + masked(length) + record + masked(record);
}

base::Path NewFile(const base::Path& folder, double seconds) {
  std::error_code failure;
  fs::create_directories(folder, failure);
  if (failure) {
    throw Unavailable(fmt::format("cannot make it: {}", failure.message()),
                      folder.string(), "choose a place that can be written");
  }
  base::Path path;
  for (auto second = static_cast<std::int64_t>(seconds);; ++second) {
    path = folder / fmt::format("events.out.tfevents.{:010}.sfumato", second);
    if (!fs::exists(path, failure)) return path;
  }
}

}  // namespace

EventFile::EventFile(const base::Path& folder, Gate gate,
                     const EventFileOptions& options)
    : gate_(gate),
      first_seconds_(options.seconds),
      file_(NewFile(folder, options.seconds)) {
  file_.Write(Framed(Event(first_seconds_, 0, FileVersion())));
  // TensorBoard takes the first start for one, and every further one for a
  // restart that discards this step and later ones.
  file_.Write(
      Framed(Event(first_seconds_, options.after_round + 1, Started())));
  file_.Flush();
}

void EventFile::Append(std::int64_t round, double seconds,
                       const std::vector<Value>& values) {
  std::string summary;
  for (const Value& value : values) {
    if (gate_.Lets(value)) summary += Summary(value);
  }
  if (summary.empty()) return;
  file_.Write(Framed(Event(gate_.simulation() ? seconds : first_seconds_, round,
                           Bytes(5, summary))));
  file_.Flush();
}

}  // namespace sfumato::runs
