#include "data/import/import_leaf.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <optional>
#include <span>

#include "base/ascii.h"
#include "base/error.h"
#include "data/dataset_writer.h"
#include "data/import/example_groups.h"
#include "data/import/gzip.h"
#include "data/import/import_files.h"
#include "data/import/label_names.h"
#include "data/import/leaf.h"
#include "data/import/sentences.h"
#include "fmt/format.h"

namespace sfumato::data {
namespace {

constexpr std::array<std::string_view, 1> kEndings = {".json"};
constexpr std::size_t kFemnistPixels = 28 * 28;
constexpr std::string_view kFemnistClasses =
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

// A folder that holds train and test stands for these two.
std::vector<base::Path> OpenSplitFolders(
    const std::vector<base::Path>& inputs) {
  std::vector<base::Path> opened;
  for (const base::Path& input : inputs) {
    const base::Path train = input / "train", test = input / "test";
    std::error_code ignored;
    if (std::filesystem::is_directory(train, ignored) &&
        std::filesystem::is_directory(test, ignored)) {
      opened.insert(opened.end(), {train, test});
    } else {
      opened.push_back(input);
    }
  }
  return opened;
}

bool IsImageName(std::string_view text) {
  return text.find(' ') == text.npos &&
         (text.ends_with(".jpg") || text.ends_with(".jpeg") ||
          text.ends_with(".png"));
}

class LeafImporter {
 public:
  LeafImporter(const ImportRequest& request, const LeafOptions& options)
      : out_(request.out),
        options_(options),
        groups_(request.out),
        labels_(request),
        collects_(request.keeps_labels() && !request.classes),
        femnist_(request.classes == FemnistClasses()) {}

  // Takes all users of one file, whose examples carry `columns`.
  void Read(const base::Path& path, std::span<const std::int32_t> columns) {
    where_ = path.string();
    ParseLeaf(ReadMaybeGzip(path), where_, [&](const LeafUser& user) {
      groups_.AddUser(user.id);
      if (user.size() > 0) Add(user, columns);
    });
  }

  DatasetSummary Write(DatasetInfo info) {
    const LabelNames::Numbering numbering = labels_.Number(where_);
    info.kind = shape_.value_or(Shape{}).kind;
    info.classes = numbering.classes;
    if (info.kind == Kind::kImages) {
      info.image = options_.image;
      info.provenance.back()["inverted"] = options_.invert;
      if (collects_) NameFemnistClasses(info.classes);
    } else if (info.kind == Kind::kFeatures) {
      info.feature_count = static_cast<int>(shape_->width);
    }
    DatasetWriter writer(out_, std::move(info));
    const std::size_t empty = groups_.WriteTo(writer, numbering.of_code);
    if (empty > 0) skipped_[kEmptyUser] = empty;
    return FinishImport(writer, std::move(skipped_), labels_);
  }

 private:
  // What every example of the set looks like.
  struct Shape {
    Kind kind = Kind::kText;
    std::size_t width = 0;  // numbers or strings an example
    bool operator==(const Shape&) const = default;
  };

  Shape ShapeOf(const LeafUser& user) const {
    if (!user.texts.empty()) return {Kind::kText, user.fields};
    const bool images =
        options_.form == LeafForm::kImages ||
        (options_.form == LeafForm::kAuto && user.width == kFemnistPixels);
    return {images ? Kind::kImages : Kind::kFeatures, user.width};
  }

  void Add(const LeafUser& user, std::span<const std::int32_t> columns) {
    const Shape shape = ShapeOf(user);
    if (!shape_) CheckShape(shape, user);
    if (!shape_) shape_ = shape;
    if (shape != *shape_) {
      throw BadInput(fmt::format("{} values an example where other users have "
                                 "{} ({} and {})",
                                 shape.width, shape_->width, Name(shape.kind),
                                 Name(shape_->kind)),
                     Where(user));
    }
    named_labels_ |= user.named_labels;
    for (std::size_t i = 0; i < user.size(); ++i) {
      Example example = {.label = labels_.Code(Spelled(user, i)),
                         .columns = columns};
      if (shape.kind == Kind::kText) {
        AddText(user, i, example);
        continue;
      }
      const auto row =
          std::span(user.numbers).subspan(i * user.width, user.width);
      if (shape.kind == Kind::kImages) {
        example.pixels = ToPixels(row, user, i);
      } else {
        example.features = row;
      }
      groups_.Add(user.id, example);
    }
  }

  // FEMNIST numbers its characters; classes are declared by name.
  std::string Spelled(const LeafUser& user, std::size_t i) const {
    const auto number = base::ParseNumber<double>(user.labels[i]);
    const bool numbered = femnist_ && !user.named_labels && number &&
                          *number >= 0 && *number < kFemnistClasses.size();
    return numbered ? std::string(
                          1, kFemnistClasses[static_cast<std::size_t>(*number)])
                    : user.labels[i];
  }

  void CheckShape(const Shape& shape, const LeafUser& user) const {
    if (shape.kind == Kind::kImages && shape.width != options_.image.size()) {
      throw BadInput(fmt::format("{} values an example where images of {} x {} "
                                 "need {}",
                                 shape.width, options_.image.height,
                                 options_.image.width, options_.image.size()),
                     Where(user));
    }
    if (shape.kind != Kind::kText) return;
    if (shape.width > 1 &&
        (options_.text_index < 0 ||
         static_cast<std::size_t>(options_.text_index) >= shape.width)) {
      throw BadInput(fmt::format("no text number {} among the {} strings of an "
                                 "example",
                                 options_.text_index, shape.width),
                     Where(user), "say which one is the text");
    }
    if (shape.width == 1 && IsImageName(user.texts[0])) {
      throw Unsupported("the text names an image elsewhere, as CelebA's do",
                        Where(user),
                        "import a folder of images per user instead");
    }
  }

  void AddText(const LeafUser& user, std::size_t i, Example& example) {
    const std::size_t field =
        user.fields > 1 ? static_cast<std::size_t>(options_.text_index) : 0;
    example.text = user.texts[i * user.fields + field];
    if (Trim(example.text).empty()) {
      ++skipped_["example without text"];
    } else {
      groups_.Add(user.id, example);
    }
  }

  std::span<const std::uint8_t> ToPixels(std::span<const float> row,
                                         const LeafUser& user, std::size_t i) {
    pixels_.clear();
    for (const float value : row) {
      if (!(value >= 0 && value <= 1)) {
        throw BadInput(fmt::format("pixel {} of example {} is outside 0 to 1",
                                   pixels_.size(), i),
                       Where(user), "import the numbers as features");
      }
      const double light = options_.invert ? 1.0 - value : value;
      pixels_.push_back(
          static_cast<std::uint8_t>(std::floor(light * 255 + 0.5)));
    }
    return pixels_;
  }

  // FEMNIST numbers its characters 0 … 61. Up to ten are digits, whose names
  // are their numbers.
  void NameFemnistClasses(std::vector<std::string>& classes) const {
    const std::size_t count = classes.size();
    if (shape_->width != kFemnistPixels || named_labels_ || count <= 10 ||
        count > kFemnistClasses.size() ||
        classes != NumberNames(static_cast<int>(count))) {
      return;
    }
    classes = FemnistClasses();
  }

  static std::vector<std::string> FemnistClasses() {
    std::vector<std::string> classes;
    for (const char c : kFemnistClasses) classes.emplace_back(1, c);
    return classes;
  }

  std::string Where(const LeafUser& user) const {
    return fmt::format("{}, user {}", where_, user.number);
  }

  const base::Path& out_;
  const LeafOptions& options_;
  std::string where_;
  std::optional<Shape> shape_;
  std::vector<std::uint8_t> pixels_;
  ExampleGroups groups_;
  LabelNames labels_;
  bool collects_ = false;      // the classes, from the records
  bool femnist_ = false;       // FEMNIST's characters are declared
  bool named_labels_ = false;  // some label is a string
  Skipped skipped_;
};

}  // namespace

DatasetSummary ImportLeaf(const ImportRequest& request,
                          const LeafOptions& options) {
  const std::vector<base::Path> files =
      ListFiles(OpenSplitFolders(request.inputs), kEndings);
  DatasetInfo info = StartImport(request, "leaf", files);
  const SplitColumn splits = SplitsOf(files);
  if (!splits.empty()) {
    info.columns = {{.name = "split", .values = splits.values}};
  }
  LeafImporter importer(request, options);
  for (std::size_t i = 0; i < files.size(); ++i) {
    importer.Read(files[i], splits.of(i));
  }
  return importer.Write(std::move(info));
}

}  // namespace sfumato::data
