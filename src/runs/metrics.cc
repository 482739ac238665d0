#include "runs/metrics.h"

#include <cassert>
#include <cmath>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/json.h"
#include "fmt/format.h"

namespace sfumato::runs {
namespace {

using nlohmann::json;

std::int64_t RoundOf(std::string_view line, const base::Path& path,
                     int number) {
  const json parsed = base::ParseJson(line);
  if (!parsed.is_object() || !parsed.contains("round") ||
      !parsed["round"].is_number_integer()) {
    throw Corrupt("not a line of metrics",
                  fmt::format("{}:{}", path.string(), number),
                  "remove the line, or begin another run");
  }
  return parsed["round"].get<std::int64_t>();
}

// The lines of `text` up to `last_round`, to the byte. What a crash left of a
// last line is dropped.
std::string Kept(std::string_view text, const base::Path& path,
                 std::int64_t last_round) {
  std::string kept;
  for (int number = 1; !text.empty(); ++number) {
    const auto end = text.find('\n');
    const bool last = end == std::string_view::npos;
    const std::string_view line = text.substr(0, end);
    if (last && !base::ParseJson(line).is_object()) break;
    if (RoundOf(line, path, number) <= last_round) {
      kept.append(line).append("\n");
    }
    text.remove_prefix(last ? text.size() : end + 1);
  }
  return kept;
}

struct AddTo {
  json& line;
  const std::string& key;

  void operator()(double number) const {
    if (std::isfinite(number)) {
      line[key] = number;
      return;
    }
    line[key] = nullptr;
    line[key + "_reason"] = std::isnan(number) ? "not a number"
                            : number > 0       ? "infinite"
                                               : "minus infinite";
  }
  void operator()(const Png&) const { assert(false && "no place for it"); }
  void operator()(const auto& other) const { line[key] = other; }
};

}  // namespace

Metrics Metrics::Open(const base::Path& path, Gate gate,
                      const MetricsOptions& options) {
  if (std::filesystem::exists(path)) {
    const std::string text = base::ReadFile(path);
    const std::string kept = Kept(text, path, options.keep_up_to_round);
    if (kept != text) base::WriteFileAtomically(path, kept);
  }
  return {path, gate};
}

void Metrics::Append(std::int64_t round, const std::vector<Value>& values) {
  json line = {{"round", round}};
  for (const Value& value : values) {
    if (!gate_.Lets(value)) continue;
    assert(!line.contains(value.key()));
    std::visit(AddTo{line, value.key()}, value.content());
  }
  lines_.Append(line);
}

}  // namespace sfumato::runs
