#include "data/import/import_folders.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "base/error.h"
#include "base/progress.h"
#include "base/random.h"
#include "data/dataset_writer.h"
#include "data/import/archive.h"
#include "data/import/image_files.h"
#include "data/import/import_files.h"
#include "data/import/natural_order.h"
#include "data/import/path_layout.h"
#include "data/import/spool.h"
#include "fmt/format.h"

namespace sfumato::data {
namespace {

struct ImageFile {
  std::size_t input = 0;
  std::string path;           // within the input
  std::uint64_t record = 0;   // its pixels, in the spool
  std::uint64_t content = 0;  // a hash of the file
  Owner owner;
};

std::string FileName(std::string_view path) {
  return std::string(path.substr(path.rfind('/') + 1));
}

// The number of folders that all paths begin with. One is left to each path
// when any is there: a single user's folder is a user, not a root.
std::size_t SharedFolders(const std::vector<ImageFile>& images,
                          std::size_t input) {
  std::optional<std::vector<std::string_view>> shared;
  std::size_t shallowest = 0;
  for (const ImageFile& image : images) {
    if (image.input != input) continue;
    std::vector<std::string_view> folders = SplitPath(image.path);
    folders.pop_back();
    if (!shared) {
      shared = folders;
      shallowest = folders.size();
    }
    shallowest = std::min(shallowest, folders.size());
    const auto end = std::mismatch(shared->begin(), shared->end(),
                                   folders.begin(), folders.end());
    shared->erase(end.first, shared->end());
  }
  if (!shared || shared->empty()) return 0;
  return shared->size() == shallowest ? shared->size() - 1 : shared->size();
}

// Whether all images of an input lie in one folder at its top.
bool HaveTopFolder(const std::vector<ImageFile>& images, std::size_t input) {
  std::optional<std::string_view> top;
  for (const ImageFile& image : images) {
    if (image.input != input) continue;
    const std::vector<std::string_view> parts = SplitPath(image.path);
    if (parts.size() < 2 || parts[0] != top.value_or(parts[0])) return false;
    top = parts[0];
  }
  return top.has_value();
}

// `path` without its first `count` names.
std::string_view Below(std::size_t count, std::string_view path) {
  for (; count > 0; --count) path.remove_prefix(path.find('/') + 1);
  return path;
}

Owner OwnerBelow(std::size_t root, std::string_view path) {
  const std::vector<std::string_view> parts = SplitPath(path);
  Owner owner;
  if (parts.size() > root + 1) owner.user = parts[root];
  if (parts.size() > root + 2) owner.label = parts[root + 1];
  return owner;
}

class FolderImport {
 public:
  FolderImport(const ImportRequest& request, const FoldersOptions& options)
      : request_(request),
        options_(options),
        spool_(request.out),
        labels_(request) {
    for (const FolderPreset& preset : FolderPresets()) {
      if (options_.layout != preset.name) continue;
      preset_ = true;
      options_.layout = preset.layout;
      options_.invert = options_.invert || preset.invert;
    }
    if (!options_.layout.empty()) layout_.emplace(options_.layout);
    if ((options_.height > 0) != (options_.width > 0) || options_.height < 0 ||
        options_.width < 0) {
      throw BadInput("a size needs a height and a width above 0", "--size");
    }
  }

  DatasetSummary Run() {
    if (request_.inputs.empty()) {
      throw BadInput("nothing to import", "", "name a folder or an archive");
    }
    ReadImages();
    FindOwners();
    Write();
    return std::move(summary_);
  }

 private:
  void ReadImages() {
    base::Progress progress("reading", 0, "images");
    for (std::size_t i = 0; i < request_.inputs.size(); ++i) {
      ForEachFile(request_.inputs[i],
                  [&](const std::string& path, std::string_view bytes) {
                    AddImage(i, path, bytes);
                    progress.Advance();
                  },
                  {.wanted = [&](std::string_view head) {
                    const bool image = SniffImage(head) != ImageFormat::kNone;
                    if (!image) ++summary_.skipped["not an image"];
                    return image;
                  }});
    }
    if (images_.empty()) {
      throw BadInput("no PNG, PGM, PPM or JPEG image in it",
                     request_.inputs.front().string(),
                     "name the folder or archive that holds them; archives "
                     "inside a folder are not opened");
    }
  }

  void AddImage(std::size_t input, const std::string& path,
                std::string_view bytes) {
    const std::string where = WhereOf(input, path);
    base::Image image =
        WithChannels(DecodeImage(bytes, where), options_.colour ? 3 : 1);
    if (options_.height > 0) {
      image = base::Resize(image, options_.width, options_.height);
    }
    if (options_.invert) {
      for (std::uint8_t& pixel : image.pixels) pixel = 255 - pixel;
    }
    const ImageShape shape = {image.height, image.width, image.channels};
    if (!writer_) Open(shape, where);
    CheckShape(shape, where);
    images_.push_back({.input = input,
                       .path = path,
                       .record = spool_.Add({.pixels = image.pixels}),
                       .content = base::Key(bytes),
                       .owner = {}});
  }

  // A folder's name is a user's: of private images an error names the place in
  // the order of their paths.
  std::string WhereOf(std::size_t input, const std::string& path) const {
    const std::string folder = request_.inputs[input].string();
    return request_.origin == Origin::kPrivate
               ? fmt::format("image {} of {}", images_.size() + 1, folder)
               : folder + ":" + path;
  }

  void Open(const ImageShape& shape, const std::string& where) {
    DatasetInfo info = StartImport(request_, "folders", request_.inputs);
    info.kind = Kind::kImages;
    info.image = shape;
    writer_.emplace(request_.out, info);
    first_ = where;
  }

  void CheckShape(const ImageShape& shape, const std::string& where) {
    const ImageShape& first = writer_->info().image;
    if (shape == first) return;
    throw BadInput(
        fmt::format("an image of {} × {} pixels where {} has {} × {}",
                    shape.height, shape.width, first_, first.height,
                    first.width),
        where,
        fmt::format("give --size {}x{} to bring all to one size", first.height,
                    first.width));
  }

  // The folders at the begin of a path that are nobody's. A layout that is
  // given describes the whole path: what looks like a folder around everything
  // may be the only user's. Of a known collection we know better.
  std::size_t RootOf(std::size_t input) const {
    if (!layout_) return SharedFolders(images_, input);
    return preset_ && HaveTopFolder(images_, input) ? 1 : 0;
  }

  // Throws when a path continues below where the layout ends: what the layout
  // takes for the user would then be another folder's name, and a person with
  // two such folders two users.
  Owner OwnerByLayout(std::size_t root, std::string_view path) const {
    const std::size_t names = SplitPath(path).size();
    if (names <= layout_->names()) {
      return layout_->Match(path).value_or(Owner{});
    }
    if (names == layout_->names() + root) {
      return layout_->Match(Below(root, path)).value_or(Owner{});
    }
    throw BadInput(
        fmt::format("a path of {} names where the layout '{}' has {}", names,
                    options_.layout, layout_->names()),
        "--layout",
        "describe the whole path, with {*} for folders that do not matter, or "
        "name the folder that the layout begins in");
  }

  void FindOwners() {
    std::vector<std::size_t> roots;
    for (std::size_t i = 0; i < request_.inputs.size(); ++i) {
      roots.push_back(RootOf(i));
    }
    for (ImageFile& image : images_) {
      image.owner = layout_ ? OwnerByLayout(roots[image.input], image.path)
                            : OwnerBelow(roots[image.input], image.path);
    }
    const auto lost = [](const ImageFile& image) {
      return image.owner.user.empty();
    };
    if (const auto count = std::erase_if(images_, lost); count > 0) {
      summary_.skipped[layout_ ? "path that does not fit the layout"
                               : "image outside a user's folder"] = count;
    }
    if (!images_.empty()) return;
    if (layout_) {
      throw BadInput(
          fmt::format("no image fits the layout '{}'", options_.layout),
          "--layout",
          "it describes the whole path below the folder that is named");
    }
    throw BadInput("the images are not in a folder per user",
                   request_.inputs.front().string(),
                   "say where the user stands in the path, for instance "
                   "--layout '{user}_{*}.png'");
  }

  void SortImages() {
    const NaturalLess less;
    std::stable_sort(images_.begin(), images_.end(),
                     [&](const ImageFile& a, const ImageFile& b) {
                       if (a.owner.user != b.owner.user) {
                         return less(a.owner.user, b.owner.user);
                       }
                       return a.path != b.path ? less(a.path, b.path)
                                               : a.input < b.input;
                     });
  }

  // Labels that are collected are numbered as people count.
  std::map<std::string, std::int32_t, NaturalLess> NumberLabels() {
    std::map<std::string, std::int32_t, NaturalLess> labels;
    std::vector<std::string>& classes = writer_->info().classes;
    const bool collected = request_.keeps_labels() && !request_.classes;
    for (const ImageFile& image : images_) {
      if (image.owner.label.empty()) continue;
      labels.emplace(image.owner.label, 0);
      if (!collected) {
        labels[image.owner.label] = labels_.Code(image.owner.label);
      }
    }
    if (!collected) {
      classes = request_.classes.value_or(std::vector<std::string>());
      return labels;
    }
    for (auto& [name, number] : labels) {
      number = static_cast<std::int32_t>(classes.size());
      classes.push_back(name);
    }
    return labels;
  }

  void Write() {
    SortImages();
    const auto labels = NumberLabels();
    base::Progress progress("writing", images_.size(), "images");
    std::set<std::tuple<std::string, std::string, std::uint64_t>> seen;
    const std::string* user = nullptr;
    for (const ImageFile& image : images_) {
      progress.Advance();
      if (user == nullptr || *user != image.owner.user) {
        user = &image.owner.user;
        writer_->BeginUser(*user);
        seen.clear();
      }
      if (!seen.emplace(image.owner.label, FileName(image.path), image.content)
               .second) {
        ++summary_.skipped["image that comes twice"];
        continue;
      }
      Example example = spool_.Get(image.record);
      const auto label = labels.find(image.owner.label);
      if (label != labels.end()) example.label = label->second;
      writer_->Add(example);
    }
    Finish();
  }

  void Finish() {
    nlohmann::json& step = writer_->info().provenance.back();
    step["layout"] = options_.layout;
    step["invert"] = options_.invert;
    step["resized"] = options_.height > 0;
    summary_ = FinishImport(*writer_, std::move(summary_.skipped), labels_);
  }

  const ImportRequest& request_;
  FoldersOptions options_;
  std::optional<PathLayout> layout_;
  bool preset_ = false;  // the layout is that of a known collection
  Spool spool_;
  std::optional<DatasetWriter> writer_;
  std::string first_;  // the image that gave the size
  std::vector<ImageFile> images_;
  LabelNames labels_;
  DatasetSummary summary_;
};

}  // namespace

const std::vector<FolderPreset>& FolderPresets() {
  // Omniglot names a drawer within an alphabet, and a character likewise.
  static const std::vector<FolderPreset> presets = {
      {"omniglot", "{user,label}/{label}/{*}_{user}.png", true},
      {"orl", "{user}_{*}.pgm", false},
  };
  return presets;
}

DatasetSummary ImportFolders(const ImportRequest& request,
                             const FoldersOptions& options) {
  return FolderImport(request, options).Run();
}

}  // namespace sfumato::data
