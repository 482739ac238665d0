// Read by ./x lint before every file. In C++20 a std::vector may live at
// compile time, so clang needs its element's type as soon as one is named;
// Debian's Torch names vectors of types that it defines later. Here, and only
// for clang-tidy, a vector is what it was in C++17.
#pragma once
#include <string>

#undef _GLIBCXX20_CONSTEXPR
#define _GLIBCXX20_CONSTEXPR
#define __fill_a1 \
  __fill_a1_of_bits  // declared in <string> already, as constexpr
#include <vector>
#undef __fill_a1
#undef _GLIBCXX20_CONSTEXPR
#define _GLIBCXX20_CONSTEXPR constexpr
