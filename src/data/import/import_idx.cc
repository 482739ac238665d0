#include "data/import/import_idx.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>

#include "base/error.h"
#include "base/progress.h"
#include "data/dataset_writer.h"
#include "data/import/gzip.h"
#include "data/import/idx.h"
#include "data/import/import_files.h"
#include "data/import/label_names.h"
#include "fmt/format.h"
#include "fmt/ranges.h"

namespace sfumato::data {
namespace {

constexpr std::array<std::string_view, 3> kEndings = {
    "idx3-ubyte", "idx1-ubyte", "-mapping.txt"};
constexpr std::uint32_t kMaxSide = 4096;

enum class Role { kImages, kLabels, kMapping };

struct IdxName {
  std::string set;    // "emnist-byclass"; empty for MNIST's own names
  std::string split;  // "train", "test" or ""
  Role role = Role::kImages;
};

bool RemoveSuffix(std::string& name, std::string_view suffix) {
  if (!name.ends_with(suffix)) return false;
  name.resize(name.size() - suffix.size());
  return true;
}

std::optional<IdxName> ReadName(const base::Path& path) {
  std::string name = PlainName(path);
  const std::string split = SplitOf(path);
  Role role = Role::kMapping;
  if (!RemoveSuffix(name, "-mapping.txt")) {
    if (RemoveSuffix(name, "images-idx3-ubyte") ||
        RemoveSuffix(name, "images.idx3-ubyte")) {
      role = Role::kImages;
    } else if (RemoveSuffix(name, "labels-idx1-ubyte") ||
               RemoveSuffix(name, "labels.idx1-ubyte")) {
      role = Role::kLabels;
    } else {
      return std::nullopt;
    }
    for (const char* part : {"-", "train", "test", "t10k", "-"}) {
      RemoveSuffix(name, part);
    }
  }
  return IdxName{.set = name, .split = split, .role = role};
}

struct IdxPair {
  std::string split;
  base::Path images;
  base::Path labels;
};

struct IdxSet {
  std::string name;
  std::vector<IdxPair> pairs;  // train before test
  base::Path mapping;          // may be empty
};

// "train-images…" for "train", as a person would look for it.
std::string MissingFile(const IdxPair& pair) {
  const bool no_images = pair.images.empty();
  return fmt::format("no {} file for {}", no_images ? "images" : "labels",
                     (no_images ? pair.labels : pair.images).string());
}

// Puts `path` where no other file of its set may be.
void Fill(base::Path& place, const base::Path& path, const IdxName& name) {
  if (!place.empty() && ReadName(place)->set == name.set) {
    throw BadInput(fmt::format("{} and this file hold the same part of a set",
                               place.string()),
                   path.string(), "name the files of one set");
  }
  place = path;
}

IdxSet ArrangeFiles(const std::vector<base::Path>& files) {
  // "train" must come before "test".
  std::map<std::string, IdxPair, std::greater<>> pairs;
  std::map<std::string, base::Path> mappings;
  std::set<std::string> sets;
  for (const base::Path& path : files) {
    const auto name = ReadName(path);
    if (!name) {
      throw BadInput("the name does not say what the file holds", path.string(),
                     "call it like train-images-idx3-ubyte.gz or "
                     "t10k-labels-idx1-ubyte.gz");
    }
    if (name->role == Role::kMapping) {
      Fill(mappings[name->set], path, *name);
      continue;
    }
    sets.insert(name->set);
    IdxPair& pair = pairs[name->split];
    pair.split = name->split;
    Fill(name->role == Role::kImages ? pair.images : pair.labels, path, *name);
  }
  if (sets.size() > 1) {
    throw BadInput(
        fmt::format("files of {} sets: {}", sets.size(), fmt::join(sets, ", ")),
        files[0].parent_path().string(),
        "name the files of one set instead of the folder");
  }
  IdxSet set;
  for (const auto& [split, pair] : pairs) {
    if (pair.images.empty() || pair.labels.empty()) {
      throw BadInput(MissingFile(pair), "", "images and labels go together");
    }
    set.pairs.push_back(pair);
  }
  if (set.pairs.empty()) {
    throw BadInput("no images among the files", files[0].string());
  }
  set.name = *sets.begin();
  set.mapping = mappings[set.name];
  return set;
}

// Labels as they will be written, and what they are called. A mapping file
// declares them as well as a request does: nobody's record is in it.
class Classes {
 public:
  Classes(const ImportRequest& request, const base::Path& mapping)
      : request_(request), labels_(request) {
    if (mapping.empty()) return;
    const std::string where = mapping.string();
    for (const IdxClass& c : ParseIdxMapping(ReadMaybeGzip(mapping), where)) {
      if (number_of_[c.label]) {
        throw BadInput(fmt::format("label {} comes twice", c.label), where);
      }
      number_of_[c.label] = static_cast<std::int32_t>(names_.size());
      names_.push_back(c.name);
    }
  }

  // Nothing when the mapping file of public data does not know the label.
  std::optional<std::int32_t> Number(std::uint8_t label) {
    const std::optional<std::int32_t> mapped = number_of_[label];
    if (request_.classes || (names_.empty() && !request_.keeps_labels())) {
      if (names_.empty()) return labels_.Code(fmt::to_string(label));
      return mapped ? labels_.Code(names_[static_cast<std::size_t>(*mapped)])
                    : -1;
    }
    if (!names_.empty()) return mapped || request_.keeps_labels() ? mapped : -1;
    largest_ = std::max<int>(largest_, label);
    return label;
  }

  std::vector<std::string> names() const {
    if (request_.classes) return *request_.classes;
    return names_.empty() ? NumberNames(largest_ + 1) : names_;
  }
  const LabelNames& labels() const { return labels_; }

 private:
  const ImportRequest& request_;
  LabelNames labels_;
  std::vector<std::string> names_;
  std::array<std::optional<std::int32_t>, 256> number_of_;
  int largest_ = -1;
};

// The images or labels of a file, with the bytes they live in.
struct LoadedArray {
  std::string bytes;
  IdxArray array;

  LoadedArray(const base::Path& path, std::size_t dims, const char* what)
      : bytes(ReadMaybeGzip(path)), array(ParseIdx(bytes, path.string())) {
    if (array.dims.size() != dims) {
      throw BadInput(fmt::format("{} dimensions where {} have {}",
                                 array.dims.size(), what, dims),
                     path.string() + "@3");
    }
  }
  LoadedArray(const LoadedArray&) = delete;
  LoadedArray& operator=(const LoadedArray&) = delete;
};

ImageShape ShapeOf(const IdxArray& images, bool transpose,
                   const std::string& where) {
  std::uint32_t height = images.dims[1], width = images.dims[2];
  if (height == 0 || width == 0 || height > kMaxSide || width > kMaxSide) {
    throw BadInput(fmt::format("images of {} x {} pixels where 1 to {} a side "
                               "were expected",
                               height, width, kMaxSide),
                   where + "@8");
  }
  if (transpose) std::swap(height, width);
  return {.height = static_cast<int>(height), .width = static_cast<int>(width)};
}

// `from` is [width, height] of the result, `to` [height, width].
void TransposeInto(std::span<const std::uint8_t> from, const ImageShape& shape,
                   std::vector<std::uint8_t>& to) {
  for (int y = 0; y < shape.height; ++y) {
    for (int x = 0; x < shape.width; ++x) {
      to[static_cast<std::size_t>(y) * shape.width + x] =
          from[static_cast<std::size_t>(x) * shape.height + y];
    }
  }
}

class Importer {
 public:
  Importer(const ImportRequest& request, const IdxOptions& options,
           const IdxSet& set, DatasetInfo info)
      : out_(request.out),
        transpose_(options.transpose == Transpose::kAuto
                       ? set.name.starts_with("emnist")
                       : options.transpose == Transpose::kAlways),
        classes_(request, set.mapping),
        info_(std::move(info)) {
    info_.grouped = false;
    info_.provenance.back()["transposed"] = transpose_;
    if (set.pairs[0].split.empty()) return;
    info_.columns = {{.name = "split", .values = {}}};
    for (const IdxPair& pair : set.pairs) {
      info_.columns[0].values.push_back(pair.split);
    }
  }

  void Add(const IdxPair& pair) {
    const LoadedArray images(pair.images, 3, "images");
    const LoadedArray labels(pair.labels, 1, "labels");
    const std::string where = pair.images.string();
    const ImageShape shape = ShapeOf(images.array, transpose_, where);
    if (!writer_) Open(shape);
    if (shape != info_.image) {
      throw BadInput(fmt::format("images of {} x {} pixels where {} x {} came "
                                 "before",
                                 shape.height, shape.width, info_.image.height,
                                 info_.image.width),
                     where + "@8");
    }
    if (images.array.dims[0] != labels.array.dims[0]) {
      throw BadInput(
          fmt::format("{} labels for the {} images of {}", labels.array.dims[0],
                      images.array.dims[0], where),
          pair.labels.string() + "@4");
    }
    Write(images.array, labels.array, pair.labels.string());
    ++split_;
  }

  DatasetSummary Finish() {
    writer_->info().classes = classes_.names();
    return FinishImport(*writer_, {}, classes_.labels());
  }

 private:
  void Open(const ImageShape& shape) {
    info_.image = shape;
    writer_.emplace(out_, info_);
    writer_->BeginUser("pool");
  }

  void Write(const IdxArray& images, const IdxArray& labels,
             const std::string& labels_name) {
    const std::size_t size = info_.image.size();
    std::vector<std::uint8_t> turned(size);
    base::Progress progress("importing", labels.data.size(), "images");
    for (std::size_t i = 0; i < labels.data.size(); ++i) {
      std::span<const std::uint8_t> pixels =
          images.data.subspan(i * size, size);
      if (transpose_) {
        TransposeInto(pixels, info_.image, turned);
        pixels = turned;
      }
      const auto label = classes_.Number(labels.data[i]);
      if (!label) {
        throw BadInput(
            fmt::format("label {} is not in the mapping file", labels.data[i]),
            fmt::format("{}@{}", labels_name, 8 + i));
      }
      writer_->Add({.pixels = pixels,
                    .label = *label,
                    .columns = {&split_, info_.columns.size()}});
      progress.Advance();
    }
  }

  base::Path out_;
  bool transpose_;
  Classes classes_;
  DatasetInfo info_;
  std::optional<DatasetWriter> writer_;
  std::int32_t split_ = 0;
};

}  // namespace

DatasetSummary ImportIdx(const ImportRequest& request,
                         const IdxOptions& options) {
  const std::vector<base::Path> files = ListFiles(request.inputs, kEndings);
  DatasetInfo info = StartImport(request, "idx", files);
  const IdxSet set = ArrangeFiles(files);
  Importer importer(request, options, set, std::move(info));
  for (const IdxPair& pair : set.pairs) importer.Add(pair);
  return importer.Finish();
}

}  // namespace sfumato::data
