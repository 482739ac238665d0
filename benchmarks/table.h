// Measuring, and the rows of the table.

#pragma once

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <string>

#include "base/file.h"
#include "fmt/format.h"

namespace sfumato {

inline double Seconds(const std::function<void()>& work) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  work();
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// The best of three: the machine has other things to do as well.
inline double BestSeconds(const std::function<void()>& work) {
  return std::min({Seconds(work), Seconds(work), Seconds(work)});
}

inline void Row(const std::string& figure, const std::string& aim,
                const std::string& measured, const std::string& instead = "–") {
  fmt::print("| {} | {} | {} | {} |\n", figure, aim, measured, instead);
  std::fflush(stdout);
}

inline base::Path Fresh(const std::string& name) {
  const base::Path path =
      std::filesystem::temp_directory_path() / ("sfumato_bench_" + name);
  std::filesystem::remove_all(path);
  return path;
}

}  // namespace sfumato
