#include "base/npz.h"

#include <zlib.h>

#include <bit>
#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "fmt/format.h"

namespace sfumato::base {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();

// NumPy's word for a type; nothing where it has none.
std::string_view TypeWord(DType type) {
  switch (type) {
    case DType::kBool:
      return "|b1";
    case DType::kU8:
      return "|u1";
    case DType::kI8:
      return "|i1";
    case DType::kU16:
      return "<u2";
    case DType::kI16:
      return "<i2";
    case DType::kF16:
      return "<f2";
    case DType::kBF16:
      return "";
    case DType::kU32:
      return "<u4";
    case DType::kI32:
      return "<i4";
    case DType::kF32:
      return "<f4";
    case DType::kU64:
      return "<u8";
    case DType::kI64:
      return "<i8";
    case DType::kF64:
      return "<f8";
  }
  return "";
}

void Append(std::string& bytes, std::uint64_t value, int size) {
  for (int i = 0; i < size; ++i) {
    bytes += static_cast<char>((value >> (8 * i)) & 0xff);
  }
}

struct Entry {
  std::string name;
  std::uint64_t size = 0;
  std::uint64_t offset = 0;
  std::uint32_t crc = 0;
};

// What a local header and the entry in the directory have in common.
std::string Described(const Entry& entry) {
  std::string bytes;
  Append(bytes, 20, 2);      // version that reads it
  Append(bytes, 0, 2);       // no flags
  Append(bytes, 0, 2);       // stored
  Append(bytes, 0, 2);       // midnight
  Append(bytes, 0x0021, 2);  // of 1 January 1980, the first day there is
  Append(bytes, entry.crc, 4);
  Append(bytes, entry.size, 4);
  Append(bytes, entry.size, 4);
  Append(bytes, entry.name.size(), 2);
  Append(bytes, 0, 2);  // nothing extra
  return bytes;
}

std::string LocalHeader(const Entry& entry) {
  return "PK\x03\x04" + Described(entry) + entry.name;
}

std::string InDirectory(const Entry& entry) {
  std::string bytes = "PK\x01\x02";
  Append(bytes, 20, 2);  // version that made it
  bytes += Described(entry);
  Append(bytes, 0, 2);  // no comment
  Append(bytes, 0, 2);  // first disk
  Append(bytes, 0, 2);
  Append(bytes, 0, 4);
  Append(bytes, entry.offset, 4);
  return bytes + entry.name;
}

std::string EndOfDirectory(std::size_t entries, std::uint64_t size,
                           std::uint64_t offset) {
  std::string bytes = "PK\x05\x06";
  Append(bytes, 0, 2);
  Append(bytes, 0, 2);
  Append(bytes, entries, 2);
  Append(bytes, entries, 2);
  Append(bytes, size, 4);
  Append(bytes, offset, 4);
  Append(bytes, 0, 2);
  return bytes;
}

std::uint32_t Crc(std::string_view bytes) {
  return static_cast<std::uint32_t>(
      crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

}  // namespace

std::string EncodeNpy(const TensorOut& tensor) {
  const std::string_view type = TypeWord(tensor.type);
  if (type.empty()) {
    throw Unsupported(fmt::format("an array of {}", DTypeName(tensor.type)),
                      tensor.name, "NumPy has no such type");
  }
  std::string shape;
  for (const std::uint64_t size : tensor.shape) {
    shape += fmt::format("{}, ", size);
  }
  if (tensor.shape.size() > 1) shape.resize(shape.size() - 2);
  if (tensor.shape.size() == 1) shape.resize(shape.size() - 1);
  std::string header =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}",
                  type, shape);
  // Magic, version, length and header together are a multiple of 64.
  constexpr std::size_t kBefore = 10;
  while ((kBefore + header.size() + 1) % 64 != 0) header += ' ';
  header += '\n';
  std::string bytes("\x93NUMPY\x01\x00", 8);
  Append(bytes, header.size(), 2);
  bytes += header;
  bytes.append(reinterpret_cast<const char*>(tensor.bytes.data()),
               tensor.bytes.size());
  return bytes;
}

void WriteNpz(const Path& path, std::span<const TensorOut> tensors) {
  WriteFileAtomically(path, [&](OutputFile& file) {
    std::string directory;
    std::uint64_t offset = 0;
    for (const TensorOut& tensor : tensors) {
      const std::string npy = EncodeNpy(tensor);
      const Entry entry{.name = tensor.name + ".npy",
                        .size = npy.size(),
                        .offset = offset,
                        .crc = Crc(npy)};
      const std::string header = LocalHeader(entry);
      offset += header.size() + npy.size();
      directory += InDirectory(entry);
      if (offset + directory.size() > kMost) {
        throw Unsupported("an archive of more than 4 GiB", path.string(),
                          "write fewer arrays, or smaller ones");
      }
      file.Write(header);
      file.Write(npy);
    }
    file.Write(directory);
    file.Write(EndOfDirectory(tensors.size(), directory.size(), offset));
  });
}

}  // namespace sfumato::base
