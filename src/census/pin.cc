#include "census/pin.h"

#include "base/error.h"
#include "fmt/format.h"

namespace sfumato::census {

void Pin(std::string& kept, const std::string& now, const char* what,
         const std::string& where) {
  if (!kept.empty() && kept != now) {
    throw BadInput(
        fmt::format("{} not the one that the census began with", what), where,
        "put it back, or begin anew with another --out");
  }
  kept = now;
}

}  // namespace sfumato::census
