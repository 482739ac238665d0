// The one tensor container: safetensors, for datasets, checkpoints and samples.
//
//   base::SafetensorsFile file("data.safetensors");
//   std::span<const float> weights = file.Get<float>("weights");
//
// A file is eight bytes of header length, a JSON header (name → type, shape,
// offsets), then the tensors' bytes without gaps. Reading maps the file: only
// what is touched is read. A header that is truncated, too long, not JSON,
// out of range, overlapping or with gaps is refused as corrupt.

#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/file.h"

namespace sfumato::base {

enum class DType {
  kBool,
  kU8,
  kI8,
  kU16,
  kI16,
  kF16,
  kBF16,
  kU32,
  kI32,
  kF32,
  kU64,
  kI64,
  kF64
};

std::string_view DTypeName(DType type);  // "F32", …
std::size_t DTypeSize(DType type);       // in bytes

template <typename T>
struct DTypeOf;
template <>
struct DTypeOf<std::uint8_t> {
  static constexpr DType value = DType::kU8;
};
template <>
struct DTypeOf<std::int32_t> {
  static constexpr DType value = DType::kI32;
};
template <>
struct DTypeOf<float> {
  static constexpr DType value = DType::kF32;
};
template <>
struct DTypeOf<std::uint64_t> {
  static constexpr DType value = DType::kU64;
};
template <>
struct DTypeOf<std::int64_t> {
  static constexpr DType value = DType::kI64;
};
template <>
struct DTypeOf<double> {
  static constexpr DType value = DType::kF64;
};

struct TensorView {
  DType type;
  std::vector<std::uint64_t> shape;
  std::span<const std::byte> bytes;
};

using Metadata = std::map<std::string, std::string>;
std::string ValueOf(const Metadata& metadata, const std::string& key,
                    const std::string& otherwise = "");

// What a header says, checked against the bytes that follow it. `where` is the
// name used in errors. Throws Corrupt.
struct SafetensorsIndex {
  std::map<std::string, TensorView, std::less<>> tensors;
  Metadata metadata;
};
SafetensorsIndex ParseSafetensors(std::span<const std::byte> file,
                                  const std::string& where);

class SafetensorsFile {
 public:
  explicit SafetensorsFile(const Path& path);

  bool Has(std::string_view name) const;
  // Throws Corrupt when there is no such tensor.
  const TensorView& tensor(std::string_view name) const;
  const Metadata& metadata() const { return index_.metadata; }
  const std::map<std::string, TensorView, std::less<>>& tensors() const {
    return index_.tensors;
  }

  // The tensor's values. Throws Corrupt when absent, of another type, or not
  // aligned for T.
  template <typename T>
  std::span<const T> Get(std::string_view name) const {
    const auto bytes = Typed(name, DTypeOf<T>::value, alignof(T));
    return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
  }

 private:
  std::span<const std::byte> Typed(std::string_view name, DType type,
                                   std::size_t alignment) const;
  std::string where_;
  MappedFile file_;
  SafetensorsIndex index_;
};

// A tensor that lies in memory, to be written.
struct TensorOut {
  std::string name;
  DType type = DType::kF32;
  std::vector<std::uint64_t> shape = {};
  std::span<const std::byte> bytes = {};
};

// Writes a container that is whole or absent (WriteFileAtomically). The same
// tensors, in any order, and metadata give the same bytes. REQUIRES: names are
// unique, shapes and bytes agree, all text is UTF-8.
void WriteSafetensors(const Path& path, std::span<const TensorOut> tensors,
                      const Metadata& metadata = {});

// Writes a container whose tensors grow row by row and side by side, in memory
// that does not grow with them: each tensor is spooled to a file of its own
// beside the target and joined at the end.
//
//   SafetensorsWriter writer(folder / "data.safetensors");
//   auto& labels = writer.Add("labels", DType::kI32);           // [row]
//   auto& images = writer.Add("images", DType::kU8, {28, 28});  // [row, h, w]
//   labels.Append<std::int32_t>(7);
//   images.Append<std::uint8_t>(pixels);
//   writer.Finish({{"made_by", "sfumato"}});
class SafetensorsWriter {
 public:
  class Tensor {
   public:
    Tensor(const Path& spool, DType type, std::vector<std::uint64_t> row_shape);

    template <typename T>
    void Append(std::span<const T> values) {
      AppendBytes(std::as_bytes(values), DTypeOf<T>::value);
    }
    template <typename T>
    void Append(const T& value) {
      Append(std::span<const T>(&value, 1));
    }

   private:
    friend class SafetensorsWriter;
    void AppendBytes(std::span<const std::byte> bytes, DType type);
    OutputFile spool_;
    DType type_;
    std::vector<std::uint64_t> row_shape_;
    std::uint64_t size_ = 0;  // bytes so far
  };

  explicit SafetensorsWriter(const Path& path);
  ~SafetensorsWriter();  // removes the spools; without Finish also the file

  // A tensor [rows, row_shape…] that grows by Append. Names are unique.
  Tensor& Add(const std::string& name, DType type,
              std::vector<std::uint64_t> row_shape = {});
  void Finish(const Metadata& metadata = {});

 private:
  Path path_;
  bool finished_ = false;
  std::map<std::string, std::unique_ptr<Tensor>> tensors_;
};

}  // namespace sfumato::base
