#include "data/import/import_table.h"

#include <algorithm>
#include <array>
#include <cfloat>
#include <cmath>
#include <map>
#include <optional>
#include <span>

#include "base/ascii.h"
#include "base/error.h"
#include "base/suggest.h"
#include "data/dataset_writer.h"
#include "data/import/csv.h"
#include "data/import/example_groups.h"
#include "data/import/gzip.h"
#include "data/import/import_files.h"
#include "data/import/label_names.h"
#include "data/import/npy.h"
#include "data/import/sentences.h"
#include "fmt/format.h"

namespace sfumato::data {
namespace {

constexpr std::array<std::string_view, 3> kEndings = {".csv", ".tsv", ".npy"};
constexpr std::array<std::string_view, 4> kLabelNames = {"label", "class",
                                                         "target", "y"};
constexpr std::size_t kNone = ~std::size_t{0};

std::optional<double> ParseNumber(std::string_view text) {
  text = Trim(text);
  if (text.starts_with('+')) text.remove_prefix(1);
  return base::ParseNumber<double>(text);
}

// Collects rows as what they will be written as, features or pixels.
class Rows {
 public:
  Rows(const ImportRequest& request, const TableOptions& options)
      : out_(request.out),
        options_(options),
        groups_(request.out),
        labels_(request) {
    const ImageShape& image = options.image;
    is_image_ = image.height != 0 || image.width != 0;
    if (!is_image_) return;
    if (image.height < 1 || image.width < 1 ||
        (image.channels != 1 && image.channels != 3)) {
      throw BadInput(fmt::format("images of {} x {} pixels in {} channels",
                                 image.height, image.width, image.channels),
                     "image", "give a height, a width, and 1 or 3 channels");
    }
    if (!std::isfinite(options.low) || !std::isfinite(options.high) ||
        options.low == options.high) {
      throw BadInput("the values of background and full light are the same",
                     "low, high");
    }
    width_ = image.size();
  }

  // Every row must have this many values. Throws BadInput when an earlier file
  // or the image has another number.
  void SetWidth(std::size_t width, const std::string& where) {
    if (width == 0)
      throw BadInput("there is no feature beside the label", where);
    if (width_ == 0) width_ = width;
    if (width != width_) {
      throw BadInput(
          fmt::format("{} features where {} were expected", width, width_),
          where);
    }
  }

  // Empties the row to be filled by Push and taken by Add.
  void Begin() {
    pixels_.clear();
    features_.clear();
  }

  // Returns what is wrong with the value, or null.
  const char* Push(double value) {
    if (!std::isfinite(value) || std::fabs(value) > FLT_MAX) {
      return "is not a finite number";
    }
    if (!is_image_) {
      features_.push_back(static_cast<float>(value));
      return nullptr;
    }
    const double light =
        (value - options_.low) / (options_.high - options_.low);
    if (light < -1e-6 || light > 1 + 1e-6)
      return "is outside the image's range";
    pixels_.push_back(static_cast<std::uint8_t>(
        std::clamp(std::floor(light * 255 + 0.5), 0.0, 255.0)));
    return nullptr;
  }

  void Add(std::string_view user, std::string_view label,
           std::span<const std::int32_t> columns) {
    groups_.Add(user, {.pixels = pixels_,
                       .features = features_,
                       .label = labels_.Code(label),
                       .columns = columns});
  }

  DatasetSummary Write(DatasetInfo info, const std::string& where) {
    const LabelNames::Numbering numbering = labels_.Number(where);
    info.classes = numbering.classes;
    info.kind = is_image_ ? Kind::kImages : Kind::kFeatures;
    if (is_image_) {
      info.image = options_.image;
      info.provenance.back()["low"] = options_.low;
      info.provenance.back()["high"] = options_.high;
    } else {
      info.feature_count = static_cast<int>(width_);
    }
    DatasetWriter writer(out_, std::move(info));
    groups_.WriteTo(writer, numbering.of_code);
    return FinishImport(writer, {}, labels_);
  }

 private:
  const base::Path& out_;
  const TableOptions& options_;
  bool is_image_ = false;
  std::size_t width_ = 0;
  std::vector<std::uint8_t> pixels_;
  std::vector<float> features_;
  ExampleGroups groups_;
  LabelNames labels_;
};

// Which column of a CSV file is what.
struct Layout {
  bool header = false;
  std::size_t label = kNone;
  std::size_t user = kNone;
};

bool IsHeader(std::span<const std::string_view> fields,
              const TableOptions& options) {
  if (options.header != CsvHeader::kAuto) {
    return options.header == CsvHeader::kPresent;
  }
  bool number = false;
  for (const std::string_view field : fields) {
    const std::string_view name = Trim(field);
    number |= ParseNumber(name).has_value();
    const bool known = std::count(kLabelNames.begin(), kLabelNames.end(),
                                  base::ToLower(name)) > 0;
    const bool asked =
        !name.empty() && !ParseNumber(name) &&
        (name == options.label_column || name == options.user_column);
    if (known || asked) return true;
  }
  return !number;
}

std::size_t FindColumn(const std::string& wanted, bool header,
                       std::span<const std::string_view> fields,
                       const std::string& where, bool may_suggest) {
  std::vector<std::string> names;
  for (const std::string_view field : fields) names.emplace_back(Trim(field));
  if (header) {
    const auto found = std::find(names.begin(), names.end(), wanted);
    if (found != names.end()) return found - names.begin();
  }
  const auto number = base::ParseNumber<int>(wanted);
  const int width = static_cast<int>(fields.size());
  if (number && *number < width && *number >= -width) {
    return *number < 0 ? width + *number : *number;
  }
  if (names.size() > 12) names.resize(12);
  // What looks like a header may be somebody's record.
  throw BadInput(
      fmt::format("there is no column '{}'", wanted), where,
      header && may_suggest
          ? base::DidYouMean(wanted, names)
          : fmt::format("{}columns are numbered 0 to {}",
                        header ? "" : "the file has no header; ", width - 1));
}

std::size_t DefaultLabel(bool header,
                         std::span<const std::string_view> fields) {
  if (!header) return 0;
  for (const std::string_view wanted : kLabelNames) {
    for (std::size_t i = 0; i < fields.size(); ++i) {
      if (base::ToLower(Trim(fields[i])) == wanted) return i;
    }
  }
  return 0;
}

Layout FindLayout(const CsvReader& csv, const TableOptions& options,
                  bool may_suggest) {
  Layout layout;
  const auto fields = csv.fields();
  layout.header = IsHeader(fields, options);
  if (!options.user_column.empty()) {
    layout.user = FindColumn(options.user_column, layout.header, fields,
                             csv.Where(), may_suggest);
  }
  if (options.label_column.empty()) {
    layout.label = DefaultLabel(layout.header, fields);
  } else if (options.label_column != "none") {
    layout.label = FindColumn(options.label_column, layout.header, fields,
                              csv.Where(), may_suggest);
  }
  if (layout.user != kNone && layout.user == layout.label) {
    throw BadInput(
        fmt::format("column {} cannot be both label and user", layout.user),
        csv.Where(), "say which column is the label");
  }
  return layout;
}

void AddCsvRow(const CsvReader& csv, const Layout& layout,
               std::span<const std::int32_t> columns, Rows& rows) {
  std::string_view user = "pool", label;
  const auto fields = csv.fields();
  rows.Begin();
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (i == layout.label) {
      label = Trim(fields[i]);
    } else if (i == layout.user) {
      user = Trim(fields[i]);
    } else {
      const auto value = ParseNumber(fields[i]);
      const char* problem = value ? rows.Push(*value) : "is not a number";
      if (problem != nullptr) {
        throw BadInput(fmt::format("the value in column {} {}", i, problem),
                       csv.Where());
      }
    }
  }
  if (user.empty()) throw BadInput("the row names no user", csv.Where());
  RequireUtf8(user, csv.Where());
  RequireUtf8(label, csv.Where());
  rows.Add(user, label, columns);
}

void ReadCsv(const base::Path& path, const TableOptions& options,
             bool may_suggest, std::span<const std::int32_t> columns,
             Rows& rows) {
  const std::string text = ReadMaybeGzip(path);
  const bool tabs = PlainName(path).ends_with(".tsv");
  CsvReader csv(text, path.string(),
                options.delimiter == 0 && tabs ? '\t' : options.delimiter);
  if (!csv.Next()) throw BadInput("the file is empty", path.string());
  const Layout layout = FindLayout(csv, options, may_suggest);
  rows.SetWidth(
      csv.fields().size() - (layout.label != kNone) - (layout.user != kNone),
      csv.Where());
  if (!layout.header) AddCsvRow(csv, layout, columns, rows);
  while (csv.Next()) AddCsvRow(csv, layout, columns, rows);
}

bool HoldsLabels(const base::Path& path) {
  const std::string name = PlainName(path);
  for (const char* word :
       {"y", "label", "labels", "target", "targets", "class", "classes"}) {
    if (NameHasWord(name, word)) return true;
  }
  return false;
}

struct NpyPair {
  base::Path features;
  base::Path labels;  // may be empty
  std::size_t file = 0;
};

// Features and labels that belong together, by split.
std::map<std::string, NpyPair, std::greater<>> PairNpy(
    const std::vector<base::Path>& files) {
  std::map<std::string, NpyPair, std::greater<>> pairs;
  for (std::size_t i = 0; i < files.size(); ++i) {
    NpyPair& pair = pairs[SplitOf(files[i])];
    base::Path& place = HoldsLabels(files[i]) ? pair.labels : pair.features;
    if (!place.empty()) {
      throw BadInput(
          fmt::format("{} and {} both hold {}", place.filename().string(),
                      files[i].filename().string(),
                      &place == &pair.labels ? "labels" : "features"),
          "", "call them X.npy and y.npy");
    }
    place = files[i];
    pair.file = i;
  }
  return pairs;
}

void ReadNpy(const NpyPair& pair, std::span<const std::int32_t> columns,
             Rows& rows) {
  if (pair.features.empty()) {
    throw BadInput("labels without a file of features", pair.labels.string());
  }
  const std::string where = pair.features.string();
  const std::string bytes = ReadMaybeGzip(pair.features);
  const NpyArray x = ParseNpy(bytes, where);
  if (x.shape.size() < 2 || x.count == 0) {
    throw BadInput("expected features of shape (rows, values)", where);
  }
  std::string label_bytes;
  NpyArray y;
  if (!pair.labels.empty()) {
    label_bytes = ReadMaybeGzip(pair.labels);
    y = ParseNpy(label_bytes, pair.labels.string());
    if (y.shape.size() != 1 || y.shape[0] != x.shape[0]) {
      throw BadInput(fmt::format("expected labels of shape ({},)", x.shape[0]),
                     pair.labels.string());
    }
  }
  const std::size_t width = x.count / x.shape[0];
  rows.SetWidth(width, where);
  for (std::size_t row = 0; row < x.shape[0]; ++row) {
    rows.Begin();
    for (std::size_t i = 0; i < width; ++i) {
      const double value = x.Value(row * width + i);
      if (const char* problem = rows.Push(value)) {
        throw BadInput(fmt::format("the value in column {} {}", i, problem),
                       fmt::format("{}, row {}", where, row));
      }
    }
    rows.Add("pool", y.shape.empty() ? "" : fmt::to_string(y.Value(row)),
             columns);
  }
}

}  // namespace

DatasetSummary ImportTable(const ImportRequest& request,
                           const TableOptions& options) {
  const std::vector<base::Path> files = ListFiles(request.inputs, kEndings);
  DatasetInfo info = StartImport(request, "table", files);
  info.grouped = !options.user_column.empty();
  const SplitColumn splits = SplitsOf(files);
  if (!splits.empty()) {
    info.columns = {{.name = "split", .values = splits.values}};
  }
  const auto is_npy = [](const base::Path& path) {
    return PlainName(path).ends_with(".npy");
  };
  Rows rows(request, options);
  if (std::all_of(files.begin(), files.end(), is_npy)) {
    if (info.grouped) {
      throw BadInput("NPY files have no user column", "user_column");
    }
    for (const auto& [split, pair] : PairNpy(files)) {
      ReadNpy(pair, splits.of(pair.file), rows);
    }
  } else if (std::none_of(files.begin(), files.end(), is_npy)) {
    for (std::size_t i = 0; i < files.size(); ++i) {
      ReadCsv(files[i], options, request.origin != Origin::kPrivate,
              splits.of(i), rows);
    }
  } else {
    throw BadInput("CSV and NPY files cannot be mixed", files[0].string());
  }
  return rows.Write(std::move(info), files[0].string());
}

}  // namespace sfumato::data
