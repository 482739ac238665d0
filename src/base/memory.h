// The machine's memory, asked before much of it is taken.

#pragma once

#include <string>

namespace sfumato::base {

// Throws Unavailable when the machine has less memory than `bytes`, an
// estimate. `where` is named in the error.
void RequireMemory(double bytes, const std::string& where);

}  // namespace sfumato::base
