#include "census/answer/calibration.h"

#include <set>

#include "base/error.h"
#include "fmt/format.h"

namespace sfumato::census {

std::size_t Calibration::CellOf(std::string_view key) const {
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (cells[i].key == key) return i;
  }
  throw Error(ErrorKind::kBug, fmt::format("no cell '{}'", key), "census");
}

}  // namespace sfumato::census
