#include "data/describe.h"

#include <algorithm>

#include "base/progress.h"
#include "fmt/format.h"

namespace sfumato::data {
namespace {

using base::HumanBytes;
using base::HumanCount;
using nlohmann::json;

constexpr int kBars = 10;
constexpr int kBarWidth = 40;
constexpr std::size_t kListedClasses = 12;

std::uint64_t CountWords(std::string_view text) {
  std::uint64_t words = 0;
  bool inside = false;
  for (const char c : text) {
    const bool space = c == ' ' || c == '\t' || c == '\n';
    words += !space && !inside;
    inside = !space;
  }
  return words;
}

// At most ten bars of equal width over smallest … largest.
std::vector<HistogramBar> Histogram(const std::vector<std::uint64_t>& sorted) {
  const std::uint64_t low = sorted.front();
  const std::uint64_t range = sorted.back() - low + 1;
  const std::uint64_t width = (range + kBars - 1) / kBars;
  std::vector<HistogramBar> bars;
  for (std::uint64_t from = low; from <= sorted.back(); from += width) {
    bars.push_back({from, from + width - 1, 0});
  }
  for (const std::uint64_t size : sorted) ++bars[(size - low) / width].users;
  return bars;
}

void DescribeSizes(std::vector<std::uint64_t> sizes, Description& d) {
  std::sort(sizes.begin(), sizes.end());
  d.mean = static_cast<double>(d.examples) / static_cast<double>(sizes.size());
  d.smallest = sizes.front();
  d.largest = sizes.back();
  for (int q = 0; q < 3; ++q) {
    d.quartiles[q] = sizes[(sizes.size() - 1) * (q + 1) / 4];
  }
  d.histogram = Histogram(sizes);
}

void Count(const Example& example, Description& d) {
  d.bytes += example.pixels.size() + example.text.size() +
             example.features.size_bytes();
  d.words += CountWords(example.text);
  if (example.label < 0) {
    ++d.unlabelled;
  } else {
    const auto label = static_cast<std::size_t>(example.label);
    if (label >= d.label_counts.size()) d.label_counts.resize(label + 1);
    ++d.label_counts[label];
  }
  for (std::size_t c = 0; c < example.columns.size(); ++c) {
    ++d.column_counts[c][static_cast<std::size_t>(example.columns[c])];
  }
}

std::string Bar(std::uint64_t value, std::uint64_t most, bool utf8) {
  const auto width = static_cast<int>((value * kBarWidth + most - 1) /
                                      std::max<std::uint64_t>(1, most));
  std::string bar;
  for (int i = 0; i < width; ++i) bar += utf8 ? "█" : "#";
  return bar;
}

std::string ClassName(const DatasetInfo& info, std::size_t label) {
  return label < info.classes.size() ? info.classes[label]
                                     : std::to_string(label);
}

std::string SizesText(const Description& d, bool utf8) {
  std::string text = fmt::format(
      "\nexamples per user: mean {:.1f}, smallest {}, quartiles {} {} {}, "
      "largest {}\n",
      d.mean, HumanCount(d.smallest), HumanCount(d.quartiles[0]),
      HumanCount(d.quartiles[1]), HumanCount(d.quartiles[2]),
      HumanCount(d.largest));
  std::uint64_t most = 0;
  for (const HistogramBar& bar : d.histogram) most = std::max(most, bar.users);
  for (const HistogramBar& bar : d.histogram) {
    const std::string range =
        bar.from == bar.to
            ? HumanCount(bar.from)
            : fmt::format("{} to {}", HumanCount(bar.from), HumanCount(bar.to));
    text += fmt::format("{:>20} {:>9} {}\n", range, HumanCount(bar.users),
                        Bar(bar.users, most, utf8));
  }
  return text;
}

// The most frequent classes first; the rest as a count.
std::string ClassesText(const Description& d, bool utf8) {
  std::vector<std::size_t> order;
  std::uint64_t most = 0;
  for (std::size_t label = 0; label < d.label_counts.size(); ++label) {
    if (d.label_counts[label] > 0) order.push_back(label);
    most = std::max(most, d.label_counts[label]);
  }
  if (order.empty()) return "";
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) {
    return d.label_counts[a] > d.label_counts[b];
  });
  std::string text = "\nexamples a class\n";
  for (std::size_t i = 0; i < std::min(order.size(), kListedClasses); ++i) {
    const std::uint64_t count = d.label_counts[order[i]];
    text += fmt::format("{:>20} {:>9} {}\n", ClassName(d.info, order[i]),
                        HumanCount(count), Bar(count, most, utf8));
  }
  if (order.size() > kListedClasses) {
    text += fmt::format(
        "{:>20}\n", fmt::format("and {} more", order.size() - kListedClasses));
  }
  if (d.unlabelled > 0) {
    text += fmt::format("{:>20} {:>9}\n", "without label",
                        HumanCount(d.unlabelled));
  }
  return text;
}

std::string KindText(const Description& d) {
  const DatasetInfo& info = d.info;
  switch (info.kind) {
    case Kind::kImages:
      return fmt::format(
          "images {}×{}{}, {}", info.image.height, info.image.width,
          info.image.channels == 3 ? " colour" : " grey", HumanBytes(d.bytes));
    case Kind::kText:
      return fmt::format("text ({}), {} words, {}", Name(info.text_form),
                         HumanCount(d.words), HumanBytes(d.bytes));
    case Kind::kFeatures:
      return fmt::format("{} features, {}", info.feature_count,
                         HumanBytes(d.bytes));
  }
  return "";
}

std::string ProvenanceText(const json& step) {
  std::string text = step.value("step", "step");
  for (const auto& [key, value] : step.items()) {
    if (key == "step") continue;
    text += fmt::format(
        " {}={}", key,
        value.is_string() ? value.get<std::string>() : value.dump());
  }
  return text;
}

}  // namespace

Description Describe(const FederatedDataset& set) {
  set.Verify();
  Description d;
  d.info = set.info();
  d.users = set.users();
  d.examples = set.examples();
  d.label_counts.resize(d.info.classes.size());
  for (const Column& column : d.info.columns) {
    d.column_counts.emplace_back(column.values.size());
  }
  std::vector<std::uint64_t> sizes;
  base::Progress progress("reading", d.examples, "examples");
  for (std::size_t u = 0; u < set.users(); ++u) {
    const User user = set.user(u);
    sizes.push_back(user.size());
    for (std::size_t i = 0; i < user.size(); ++i) {
      Count(user[i], d);
      progress.Advance();
    }
  }
  DescribeSizes(std::move(sizes), d);
  return d;
}

json ToJson(const Description& d) {
  json histogram = json::array();
  for (const HistogramBar& bar : d.histogram) {
    histogram.push_back(
        {{"from", bar.from}, {"to", bar.to}, {"users", bar.users}});
  }
  json columns = json::object();
  for (std::size_t c = 0; c < d.column_counts.size(); ++c) {
    for (std::size_t v = 0; v < d.column_counts[c].size(); ++v) {
      columns[d.info.columns[c].name][d.info.columns[c].values[v]] =
          d.column_counts[c][v];
    }
  }
  json j = ToJson(d.info);
  j.erase("schema");
  j["class_names"] = d.info.classes;
  j["classes"] = d.label_counts.size();
  j["users"] = d.users;
  j["examples"] = d.examples;
  j["unlabelled"] = d.unlabelled;
  j["bytes"] = d.bytes;
  j["examples_per_user"] = {{"mean", d.mean},
                            {"smallest", d.smallest},
                            {"quartiles", d.quartiles},
                            {"largest", d.largest},
                            {"histogram", histogram}};
  j["examples_per_class"] = d.label_counts;
  j["columns"] = columns;
  if (d.info.kind == Kind::kText) j["words"] = d.words;
  return j;
}

std::string ToText(const Description& d, bool utf8) {
  std::string text = fmt::format("{}: {}, {}, {}\n{} · {}\n", d.info.name,
                                 HumanCount(d.users, "user"),
                                 HumanCount(d.examples, "example"),
                                 HumanCount(d.label_counts.size(), "class"),
                                 KindText(d), Name(d.info.origin));
  if (!d.info.grouped) {
    text += d.info.origin == Origin::kPrivate
                ? "Nobody owns these examples: import them with their users.\n"
                : "Nobody owns these examples yet: 'sfumato data split' gives "
                  "them to users.\n";
  }
  text += SizesText(d, utf8) + ClassesText(d, utf8);
  for (std::size_t c = 0; c < d.column_counts.size(); ++c) {
    text += fmt::format("\ncolumn {}:", d.info.columns[c].name);
    for (std::size_t v = 0; v < d.column_counts[c].size(); ++v) {
      text += fmt::format("{} {} {}", v == 0 ? "" : ",",
                          d.info.columns[c].values[v],
                          HumanCount(d.column_counts[c][v]));
    }
  }
  if (!d.column_counts.empty()) text += '\n';
  if (!d.info.provenance.empty()) text += "\nhow it came to be\n";
  for (const json& step : d.info.provenance) {
    text += "  " + ProvenanceText(step) + "\n";
  }
  return text;
}

}  // namespace sfumato::data
