#include "data/import/idx.h"

#include <algorithm>
#include <cstddef>
#include <optional>

#include "base/ascii.h"
#include "base/error.h"
#include "base/utf8.h"
#include "data/import/csv.h"
#include "fmt/format.h"
#include "fmt/ranges.h"

namespace sfumato::data {
namespace {

// Whether `dims` promise exactly `available` values. No product grows past
// `available`, so none overflows.
bool Holds(const std::vector<std::uint32_t>& dims, std::uint64_t available) {
  if (std::count(dims.begin(), dims.end(), 0u) > 0) return available == 0;
  std::uint64_t promised = 1;
  for (const std::uint32_t size : dims) {
    if (promised > available / size) return false;
    promised *= size;
  }
  return promised == available;
}

Error Unreadable(const CsvReader& lines) {
  return BadInput(
      "expected a label from 0 to 255 and the codes of its "
      "characters, as in \"10 65\"",
      lines.Where());
}

}  // namespace

IdxArray ParseIdx(std::string_view bytes, const std::string& where) {
  const auto byte = [&](std::size_t at) {
    return static_cast<std::uint8_t>(bytes[at]);
  };
  if (bytes.size() < 4 || byte(0) != 0 || byte(1) != 0) {
    throw BadInput(
        "not an IDX file: it must begin with two zero bytes, a type "
        "and a number of dimensions",
        where + "@0");
  }
  if (byte(2) != 0x08) {
    throw BadInput(fmt::format("values of type 0x{:02x} where 0x08, unsigned "
                               "bytes, was expected",
                               byte(2)),
                   where + "@2");
  }
  IdxArray array;
  const std::size_t header = 4 + 4 * std::size_t{byte(3)};
  if (byte(3) == 0 || bytes.size() < header) {
    throw BadInput(fmt::format("{} dimensions do not fit a file of {} bytes",
                               byte(3), bytes.size()),
                   where + "@3");
  }
  const std::uint64_t available = bytes.size() - header;
  for (std::size_t at = 4; at < header; at += 4) {
    array.dims.push_back(std::uint32_t{byte(at)} << 24 |
                         std::uint32_t{byte(at + 1)} << 16 |
                         std::uint32_t{byte(at + 2)} << 8 | byte(at + 3));
  }
  if (!Holds(array.dims, available)) {
    throw BadInput(fmt::format("dimensions {} do not match the {} bytes that "
                               "follow them",
                               fmt::join(array.dims, " x "), available),
                   fmt::format("{}@{}", where, header), "fetch the file again");
  }
  array.data = {reinterpret_cast<const std::uint8_t*>(bytes.data()) + header,
                static_cast<std::size_t>(available)};
  return array;
}

std::vector<IdxClass> ParseIdxMapping(std::string_view text,
                                      const std::string& where) {
  std::vector<IdxClass> classes;
  CsvReader lines(text, where, ' ');
  while (lines.Next()) {
    const auto fields = lines.fields();
    const auto label = base::ParseNumber<std::uint32_t>(fields[0]);
    if (fields.size() < 2 || !label || *label > 255) {
      throw Unreadable(lines);
    }
    IdxClass& entry = classes.emplace_back();
    entry.label = static_cast<std::uint8_t>(*label);
    for (const std::string_view field : fields.subspan(1)) {
      const auto code = base::ParseNumber<std::uint32_t>(field);
      if (!code) throw Unreadable(lines);
      base::AppendUtf8(*code, entry.name);
    }
  }
  if (classes.empty()) throw BadInput("the mapping file is empty", where);
  return classes;
}

}  // namespace sfumato::data
