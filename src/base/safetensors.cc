#include "base/safetensors.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstring>
#include <fstream>
#include <set>

#include "base/error.h"
#include "base/interrupt.h"
#include "fmt/format.h"
#include "nlohmann/json.hpp"

namespace sfumato::base {
namespace {

static_assert(std::endian::native == std::endian::little,
              "safetensors files are little-endian");

using nlohmann::json;

// The format's own limit; a longer header is not one.
constexpr std::uint64_t kMaxHeader = 100'000'000;

struct TypeFacts {
  DType type;
  std::string_view name;
  std::size_t size;
};
constexpr std::array<TypeFacts, 13> kTypes = {{
    {DType::kBool, "BOOL", 1},
    {DType::kU8, "U8", 1},
    {DType::kI8, "I8", 1},
    {DType::kU16, "U16", 2},
    {DType::kI16, "I16", 2},
    {DType::kF16, "F16", 2},
    {DType::kBF16, "BF16", 2},
    {DType::kU32, "U32", 4},
    {DType::kI32, "I32", 4},
    {DType::kF32, "F32", 4},
    {DType::kU64, "U64", 8},
    {DType::kI64, "I64", 8},
    {DType::kF64, "F64", 8},
}};

// A header being read, with the file's name for its errors.
class HeaderReader {
 public:
  HeaderReader(std::span<const std::byte> file, const std::string& where)
      : file_(file), where_(where) {}

  SafetensorsIndex Read() {
    const std::uint64_t header_size = ReadHeaderSize();
    const json header = json::parse(
        reinterpret_cast<const char*>(file_.data()) + 8,
        reinterpret_cast<const char*>(file_.data()) + 8 + header_size,
        DuplicateKeys(), false);
    if (!header.is_object()) throw Damaged("the header is not a JSON object");
    data_ = file_.subspan(8 + header_size);
    for (const auto& [name, entry] : header.items()) {
      if (name == "__metadata__") {
        ReadMetadata(entry);
      } else {
        ReadTensor(name, entry);
      }
    }
    CheckCoverage();
    return std::move(index_);
  }

 private:
  Error Damaged(const std::string& what) const {
    return Corrupt(what, where_,
                   "the file is damaged or no safetensors file; make it again");
  }

  std::uint64_t ReadHeaderSize() const {
    std::uint64_t size = 0;
    if (file_.size() < 8) {
      throw Damaged(
          fmt::format("only {} bytes, no room for a header", file_.size()));
    }
    std::memcpy(&size, file_.data(), 8);
    if (size > kMaxHeader || size > file_.size() - 8) {
      throw Damaged(fmt::format("header of {} bytes in a file of {}", size,
                                file_.size()));
    }
    return size;
  }

  // JSON keeps the last of two equal keys; here two equal names are damage.
  json::parser_callback_t DuplicateKeys() {
    return [this](int depth, json::parse_event_t event, json& parsed) {
      if (event == json::parse_event_t::key && depth == 1 &&
          !names_.insert(parsed.get<std::string>()).second) {
        throw Damaged(fmt::format("tensor '{}' is named twice",
                                  parsed.get<std::string>()));
      }
      // Nothing in a header is nested deeper than a list in an entry.
      if (depth > 4) throw Damaged("the header is nested too deeply");
      return true;
    };
  }

  void ReadMetadata(const json& entry) {
    if (!entry.is_object()) throw Damaged("__metadata__ is not an object");
    for (const auto& [key, value] : entry.items()) {
      if (!value.is_string()) {
        throw Damaged(fmt::format("metadata '{}' is not a string", key));
      }
      index_.metadata[key] = value.get<std::string>();
    }
  }

  void ReadTensor(const std::string& name, const json& entry) {
    const auto complain = [&](const char* what) {
      return Damaged(fmt::format("tensor '{}': {}", name, what));
    };
    if (!entry.is_object() || !entry.contains("dtype") ||
        !entry.contains("shape") || !entry.contains("data_offsets")) {
      throw complain("dtype, shape and data_offsets are needed");
    }
    const auto fact = std::find_if(
        kTypes.begin(), kTypes.end(),
        [&](const TypeFacts& f) { return entry["dtype"] == f.name; });
    if (fact == kTypes.end()) throw complain("unknown dtype");

    TensorView view{.type = fact->type, .shape = {}, .bytes = {}};
    std::uint64_t size = fact->size;
    const json& shape = entry["shape"];
    if (!shape.is_array()) throw complain("shape is not a list");
    for (const json& side : shape) {
      if (!side.is_number_unsigned()) throw complain("shape is not of counts");
      view.shape.push_back(side.get<std::uint64_t>());
      if (__builtin_mul_overflow(size, view.shape.back(), &size)) {
        throw complain("shape is too large");
      }
    }
    const json& offsets = entry["data_offsets"];
    if (!offsets.is_array() || offsets.size() != 2 ||
        !offsets[0].is_number_unsigned() || !offsets[1].is_number_unsigned()) {
      throw complain("data_offsets are not two counts");
    }
    const auto begin = offsets[0].get<std::uint64_t>();
    const auto end = offsets[1].get<std::uint64_t>();
    if (begin > end || end > data_.size()) {
      throw complain("data_offsets lie outside the file");
    }
    if (end - begin != size) throw complain("shape and data_offsets disagree");
    view.bytes = data_.subspan(begin, size);
    index_.tensors.emplace(name, std::move(view));
  }

  // The tensors must tile the data: no overlap, no gap, nothing behind.
  void CheckCoverage() const {
    std::vector<std::span<const std::byte>> parts;
    for (const auto& [name, view] : index_.tensors) parts.push_back(view.bytes);
    std::sort(parts.begin(), parts.end(), [](const auto& a, const auto& b) {
      return a.data() != b.data() ? a.data() < b.data() : a.size() < b.size();
    });
    const std::byte* expected = data_.data();
    for (const auto& part : parts) {
      if (part.data() < expected) throw Damaged("tensors overlap");
      if (part.data() > expected) throw Damaged("bytes between tensors");
      expected += part.size();
    }
    if (expected != data_.data() + data_.size()) {
      throw Damaged("bytes behind the last tensor");
    }
  }

  std::span<const std::byte> file_;
  const std::string& where_;
  std::span<const std::byte> data_;
  std::set<std::string> names_;
  SafetensorsIndex index_;
};

// Copied through a small buffer rather than mapped, so that what a writer
// holds in memory does not grow with what it wrote.
// Throws Unavailable unless `size` bytes were there.
void AppendFile(OutputFile& out, const Path& from, std::uint64_t size) {
  std::ifstream file(from, std::ios::binary);
  std::vector<char> buffer(1 << 20);
  while (file.read(buffer.data(), static_cast<std::streamsize>(buffer.size())),
         file.gcount() > 0) {
    CheckInterrupted();
    out.Write(buffer.data(), static_cast<std::size_t>(file.gcount()));
    size -= static_cast<std::uint64_t>(file.gcount());
  }
  if (size != 0 || file.bad()) {
    throw Unavailable("what was written cannot be read back", from.string(),
                      "check the disk");
  }
}

std::uint64_t ByteSize(const TensorOut& tensor) {
  std::uint64_t size = DTypeSize(tensor.type);
  for (const std::uint64_t side : tensor.shape) size *= side;
  return size;
}

// Widest types first, so that every tensor is aligned without a gap; then by
// name.
std::vector<const TensorOut*> InFileOrder(std::span<const TensorOut> tensors) {
  std::vector<const TensorOut*> order;
  for (const TensorOut& tensor : tensors) order.push_back(&tensor);
  std::sort(order.begin(), order.end(), [](const auto* a, const auto* b) {
    const auto widths = DTypeSize(b->type) <=> DTypeSize(a->type);
    return widths != 0 ? widths < 0 : a->name < b->name;
  });
  return order;
}

// Padded to eight bytes, for the alignment of what follows.
void WriteHeader(OutputFile& out, std::span<const TensorOut* const> order,
                 const Metadata& metadata) {
  json header = json::object();
  if (!metadata.empty()) header["__metadata__"] = metadata;
  std::uint64_t offset = 0;
  for (const TensorOut* tensor : order) {
    assert(!header.contains(tensor->name));
    const std::uint64_t end = offset + ByteSize(*tensor);
    header[tensor->name] = {{"dtype", DTypeName(tensor->type)},
                            {"shape", tensor->shape},
                            {"data_offsets", {offset, end}}};
    offset = end;
  }
  std::string text = header.dump();
  text.append((8 - text.size() % 8) % 8, ' ');
  const std::uint64_t size = text.size();
  out.Write(&size, sizeof size);
  out.Write(text);
}

}  // namespace

std::string_view DTypeName(DType type) {
  return kTypes[static_cast<std::size_t>(type)].name;
}
std::size_t DTypeSize(DType type) {
  return kTypes[static_cast<std::size_t>(type)].size;
}

SafetensorsIndex ParseSafetensors(std::span<const std::byte> file,
                                  const std::string& where) {
  return HeaderReader(file, where).Read();
}

std::string ValueOf(const Metadata& metadata, const std::string& key,
                    const std::string& otherwise) {
  const auto found = metadata.find(key);
  return found == metadata.end() ? otherwise : found->second;
}

SafetensorsFile::SafetensorsFile(const Path& path)
    : where_(path.string()),
      file_(path),
      index_(ParseSafetensors(file_.bytes(), where_)) {}

bool SafetensorsFile::Has(std::string_view name) const {
  return index_.tensors.find(name) != index_.tensors.end();
}

const TensorView& SafetensorsFile::tensor(std::string_view name) const {
  const auto found = index_.tensors.find(name);
  if (found == index_.tensors.end()) {
    throw Corrupt(fmt::format("there is no tensor '{}'", name), where_);
  }
  return found->second;
}

std::span<const std::byte> SafetensorsFile::Typed(std::string_view name,
                                                  DType type,
                                                  std::size_t alignment) const {
  const TensorView& view = tensor(name);
  if (view.type != type) {
    throw Corrupt(fmt::format("tensor '{}' is {} where {} was expected", name,
                              DTypeName(view.type), DTypeName(type)),
                  where_);
  }
  if (reinterpret_cast<std::uintptr_t>(view.bytes.data()) % alignment != 0) {
    throw Corrupt(fmt::format("tensor '{}' is not aligned", name), where_,
                  "write the file again with tensors sorted by type size");
  }
  return view.bytes;
}

SafetensorsWriter::Tensor::Tensor(const Path& spool, DType type,
                                  std::vector<std::uint64_t> row_shape)
    : spool_(spool), type_(type), row_shape_(std::move(row_shape)) {}

void SafetensorsWriter::Tensor::AppendBytes(std::span<const std::byte> bytes,
                                            [[maybe_unused]] DType type) {
  assert(type == type_);
  spool_.Write(bytes.data(), bytes.size());
  size_ += bytes.size();
}

SafetensorsWriter::SafetensorsWriter(const Path& path) : path_(path) {}

SafetensorsWriter::~SafetensorsWriter() {
  std::error_code ignored;
  for (const auto& [name, tensor] : tensors_) {
    std::filesystem::remove(tensor->spool_.path(), ignored);
  }
  if (!finished_) std::filesystem::remove(path_, ignored);
}

SafetensorsWriter::Tensor& SafetensorsWriter::Add(
    const std::string& name, DType type, std::vector<std::uint64_t> row_shape) {
  assert(!tensors_.contains(name));
  Path spool = path_;
  spool += fmt::format(".{}", tensors_.size());
  // Made first: where its file cannot be opened, nothing is in the list.
  auto tensor = std::make_unique<Tensor>(spool, type, std::move(row_shape));
  return *(tensors_[name] = std::move(tensor));
}

void SafetensorsWriter::Finish(const Metadata& metadata) {
  std::vector<TensorOut> header;
  for (const auto& [name, tensor] : tensors_) {
    std::uint64_t row = DTypeSize(tensor->type_);
    for (const std::uint64_t side : tensor->row_shape_) row *= side;
    assert(row == 0 || tensor->size_ % row == 0);
    std::vector<std::uint64_t> shape = {row == 0 ? 0 : tensor->size_ / row};
    shape.insert(shape.end(), tensor->row_shape_.begin(),
                 tensor->row_shape_.end());
    header.push_back({.name = name, .type = tensor->type_, .shape = shape});
  }

  OutputFile out(path_);
  WriteHeader(out, InFileOrder(header), metadata);
  for (const TensorOut* entry : InFileOrder(header)) {
    Tensor& tensor = *tensors_.at(entry->name);
    tensor.spool_.Close();
    AppendFile(out, tensor.spool_.path(), tensor.size_);
    std::filesystem::remove(tensor.spool_.path());
  }
  out.Close();
  finished_ = true;
}

void WriteSafetensors(const Path& path, std::span<const TensorOut> tensors,
                      const Metadata& metadata) {
  const auto order = InFileOrder(tensors);
  WriteFileAtomically(path, [&](OutputFile& out) {
    WriteHeader(out, order, metadata);
    for (const TensorOut* tensor : order) {
      assert(tensor->bytes.size() == ByteSize(*tensor));
      out.Write(tensor->bytes.data(), tensor->bytes.size());
    }
  });
}

}  // namespace sfumato::base
