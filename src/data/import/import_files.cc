#include "data/import/import_files.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/ascii.h"
#include "base/error.h"
#include "base/utf8.h"
#include "fmt/format.h"
#include "fmt/ranges.h"

namespace sfumato::data {
namespace fs = std::filesystem;
namespace {

bool IsWordLetter(char c) { return base::IsLower(c) || base::IsDigit(c); }

}  // namespace

bool NameHasWord(std::string_view name, std::string_view word) {
  for (std::size_t at = name.find(word); at != name.npos;
       at = name.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !IsWordLetter(name[at - 1])) &&
        (end == name.size() || !IsWordLetter(name[end]))) {
      return true;
    }
  }
  return false;
}

namespace {

bool HasEnding(std::string_view name,
               std::span<const std::string_view> endings) {
  return std::any_of(endings.begin(), endings.end(),
                     [&](auto ending) { return name.ends_with(ending); });
}

void ListFolder(const base::Path& folder,
                std::span<const std::string_view> endings,
                std::vector<base::Path>& files) {
  std::vector<base::Path> found;
  std::error_code failed, ignored;  // a broken link is not a file
  fs::directory_iterator walk(folder, failed);
  for (; !failed && walk != fs::directory_iterator(); walk.increment(failed)) {
    if (walk->is_regular_file(ignored) &&
        !walk->path().filename().string().starts_with('.') &&
        HasEnding(PlainName(walk->path()), endings)) {
      found.push_back(walk->path());
    }
  }
  if (failed) {
    throw BadInput("the folder cannot be read: " + failed.message(),
                   folder.string());
  }
  if (found.empty()) {
    throw BadInput(fmt::format("the folder has no file whose name ends in {}",
                               fmt::join(endings, ", ")),
                   folder.string(),
                   "give the folder that holds the files themselves");
  }
  // "a.csv" sorts before "a.csv.gz", so that the plain one is met first.
  std::sort(found.begin(), found.end());
  std::stable_partition(found.begin(), found.end(), [](const auto& path) {
    return SplitOf(path) != "test";
  });
  std::set<std::string> seen;
  for (const base::Path& path : found) {
    if (seen.insert(PlainName(path)).second) files.push_back(path);
  }
}

}  // namespace

std::string PlainName(const base::Path& path) {
  std::string name = base::ToLower(path.filename().string());
  if (name.ends_with(".gz")) name.resize(name.size() - 3);
  return name;
}

std::vector<base::Path> ListFiles(const std::vector<base::Path>& inputs,
                                  std::span<const std::string_view> endings) {
  std::vector<base::Path> files;
  for (const base::Path& input : inputs) {
    std::error_code failed;
    const fs::file_status status = fs::status(input, failed);
    if (!fs::exists(status)) {
      throw BadInput("no such file or folder", input.string());
    }
    if (fs::is_directory(status)) {
      ListFolder(input, endings, files);
    } else {
      files.push_back(input);
    }
  }
  return files;
}

std::string SplitOf(const base::Path& path) {
  const std::string name = PlainName(path);
  if (NameHasWord(name, "train")) return "train";
  if (NameHasWord(name, "test") || NameHasWord(name, "t10k")) return "test";
  return "";
}

std::span<const std::int32_t> SplitColumn::of(std::size_t i) const {
  if (empty()) return {};
  return {&of_file[i], 1};
}

SplitColumn SplitsOf(const std::vector<base::Path>& files) {
  std::vector<std::string> splits;
  for (const base::Path& path : files) splits.push_back(SplitOf(path));
  SplitColumn column;
  if (std::count(splits.begin(), splits.end(), "") > 0) return column;
  for (const char* value : {"train", "test"}) {
    if (std::count(splits.begin(), splits.end(), value) > 0) {
      column.values.push_back(value);
    }
  }
  for (const std::string& split : splits) {
    column.of_file.push_back(split == column.values[0] ? 0 : 1);
  }
  return column;
}

namespace {

// The last part that has a name: "faces" of "data/faces/".
std::string LastName(const base::Path& path) {
  const base::Path name = base::NormalFolder(path).filename();
  if (!base::IsUtf8(name.string())) {
    throw BadInput("the name is not UTF-8", fmt::format("{:?}", path.string()),
                   "rename it");
  }
  return name.string();
}

}  // namespace

namespace {

void CheckClasses(const std::vector<std::string>& classes) {
  constexpr const char* kWhere = "--classes";
  if (classes.empty() || classes.size() > LabelNames::kMaxClasses) {
    throw BadInput(
        fmt::format("{} classes", classes.size()), kWhere,
        fmt::format("declare 1 to {} classes", LabelNames::kMaxClasses));
  }
  std::set<std::string_view> seen;
  for (const std::string& name : classes) {
    RequireUtf8(name, kWhere);
    if (name.empty()) {
      throw BadInput("a class without a name", kWhere,
                     "write them like --classes cat,dog");
    }
    if (!seen.insert(name).second) {
      throw BadInput(fmt::format("class '{}' is declared twice", name), kWhere,
                     "name each class once");
    }
  }
}

}  // namespace

DatasetInfo StartImport(const ImportRequest& request, std::string_view format,
                        const std::vector<base::Path>& files) {
  if (files.empty()) {
    throw BadInput("nothing to import", "", "name a file or folder");
  }
  std::error_code ignored;  // what cannot be looked at cannot be made either
  if (fs::exists(request.out, ignored)) {
    throw BadInput("the folder to make exists already", request.out.string(),
                   "choose another name or remove it");
  }
  std::vector<std::string> names;
  for (const base::Path& path : files) names.push_back(LastName(path));
  LastName(request.out);  // or throws
  if (!request.name.empty()) CheckSetName(request.name);
  if (request.classes) CheckClasses(*request.classes);
  DatasetInfo info;
  info.name = request.name;
  info.origin = request.origin;
  // No importer collects values of columns from private records.
  info.declared =
      request.classes.has_value() || request.origin == Origin::kPrivate;
  info.provenance.push_back(
      {{"step", "import"}, {"format", format}, {"files", names}});
  return info;
}

DatasetSummary FinishImport(DatasetWriter& writer, Skipped skipped,
                            const LabelNames& labels) {
  if (labels.outside() > 0 && writer.info().origin != Origin::kPrivate) {
    skipped[kOtherLabel] = labels.outside();
  }
  writer.info().provenance.back()["skipped"] = skipped;
  writer.Finish();
  return {.users = writer.users(),
          .examples = writer.examples(),
          .skipped = std::move(skipped),
          .first_users = writer.first_users(),
          .labels_dropped = labels.dropped()};
}

void RequireUtf8(std::string_view text, const std::string& where) {
  if (base::IsUtf8(text)) return;
  std::size_t at = 0;
  while (true) {
    const base::CodePoint c = base::DecodeUtf8(text.substr(at));
    if (!base::IsUtf8(text.substr(at, c.size))) break;
    at += c.size;
  }
  throw BadInput(fmt::format("the text is not UTF-8 (byte {})", at), where,
                 "convert the file, for instance with iconv -t UTF-8");
}

}  // namespace sfumato::data
