// How the page looks and what moves on it. Both go into the page as they are,
// and their hashes into its policy, so nothing else can style it or run in it.

#pragma once

namespace sfumato::report {

// Light by default; dark is one block, and so is print.
extern const char* const kPageStyle;

// The slider over rounds, the flip key, and reading the data back.
extern const char* const kPageScript;

}  // namespace sfumato::report
