// Versions of our own files: "sfumato.run/1" is the first of runs.

#pragma once

#include <string_view>

namespace sfumato::base {

// Whether `schema` names the same kind of file as `own` in another version:
// such a file is not damaged, another program wrote it.
bool IsOtherVersion(std::string_view schema, std::string_view own);

}  // namespace sfumato::base
