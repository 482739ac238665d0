// What importers of files have in common: finding the files, and the facts
// every imported set carries.

#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/file.h"
#include "data/dataset.h"
#include "data/dataset_writer.h"
#include "data/import/import.h"
#include "data/import/label_names.h"
#include "nlohmann/json.hpp"

namespace sfumato::data {

// The last part of `path` in small letters, without ".gz".
std::string PlainName(const base::Path& path);

// `inputs` with every folder replaced by its files (not those of its folders)
// whose PlainName ends in one of `endings`, in the order of their names, test
// files last; hidden files are passed over, and "a.csv.gz" when "a.csv" is
// there too. Files given by name are taken whatever they are called. Throws
// BadInput when an input does not exist, or when a folder holds no such file.
std::vector<base::Path> ListFiles(const std::vector<base::Path>& inputs,
                                  std::span<const std::string_view> endings);

// Whether `word` stands in `name` between signs or ends: "test" in
// "zip.test.csv", but not in "latest.csv".
bool NameHasWord(std::string_view name, std::string_view word);

// "train" or "test" when the name of the file says so ("t10k-images",
// "zip.test.csv"), otherwise "".
std::string SplitOf(const base::Path& path);

// A column `split` for files that all say which split they are: `values` in
// the order train, test; `of_file` has one index per file. Empty when a file
// does not say.
struct SplitColumn {
  std::vector<std::string> values;
  std::vector<std::int32_t> of_file;
  bool empty() const { return values.empty(); }
  // The example columns of file `i`, for Example::columns.
  std::span<const std::int32_t> of(std::size_t i) const;
};
SplitColumn SplitsOf(const std::vector<base::Path>& files);

// A description with the request's name and origin, and one provenance step
// {"step": "import", "format": …, "files": […]} to which options may be added.
// File names go in without their folders. Throws BadInput when there are no
// inputs, `request.out` exists already, a name is not UTF-8 or the declared
// classes are not names, each once: better now than after the reading.
DatasetInfo StartImport(const ImportRequest& request, std::string_view format,
                        const std::vector<base::Path>& files);

// What was passed over, by reason.
using Skipped = std::map<std::string, std::uint64_t>;

// The reason for a user of the source who has no example: left out and counted,
// whatever the format.
inline constexpr char kEmptyUser[] = "user without examples";

// The reason for a label that is not among the declared classes; its example is
// kept.
inline constexpr char kOtherLabel[] = "label outside --classes";

// Finishes `writer`, with what was skipped in the last step of its provenance,
// and what became of labels.
DatasetSummary FinishImport(DatasetWriter& writer, Skipped skipped,
                            const LabelNames& labels = {});

// Throws BadInput naming `where` and the place of the first wrong byte unless
// `text` is UTF-8.
void RequireUtf8(std::string_view text, const std::string& where);

}  // namespace sfumato::data
