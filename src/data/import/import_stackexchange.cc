#include "data/import/import_stackexchange.h"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "base/error.h"
#include "base/progress.h"
#include "data/dataset_writer.h"
#include "data/import/html.h"
#include "data/import/import_files.h"
#include "data/import/markdown.h"
#include "data/import/sentences.h"
#include "data/import/spool.h"
#include "data/import/stackexchange_xml.h"
#include "fmt/format.h"

namespace sfumato::data {
namespace {

namespace fs = std::filesystem;

enum Source : std::int32_t { kQuestion, kAnswer, kComment, kTitle };

struct DumpFile {
  base::Path path;
  std::size_t site = 0;
};

Error CannotRead(const base::Path& path, std::error_code reason) {
  return BadInput("cannot be read: " + reason.message(), path.string());
}

bool IsDumpName(const base::Path& path) {
  return path.filename() == "Posts.xml" || path.filename() == "Comments.xml";
}

std::vector<base::Path> DumpsUnder(const base::Path& folder) {
  std::vector<base::Path> dumps;
  std::error_code failed;
  fs::recursive_directory_iterator walk(
      folder, fs::directory_options::skip_permission_denied, failed);
  for (; !failed && walk != fs::recursive_directory_iterator();
       walk.increment(failed)) {
    if (IsDumpName(walk->path())) dumps.push_back(walk->path());
  }
  if (failed) throw CannotRead(folder, failed);
  if (dumps.empty()) {
    throw BadInput("no Posts.xml or Comments.xml in it", folder.string());
  }
  std::sort(dumps.begin(), dumps.end());
  return dumps;
}

// The files to read, each once, and the names of their sites.
class Sites {
 public:
  explicit Sites(const std::vector<base::Path>& inputs) {
    for (const base::Path& input : inputs) {
      std::error_code error;
      const fs::file_status status = fs::status(input, error);
      if (fs::is_directory(status)) {
        for (const base::Path& dump : DumpsUnder(input)) Add(dump);
      } else if (fs::exists(status)) {
        Add(input);
      } else {
        throw BadInput("no such file or folder", input.string());
      }
    }
    if (files_.empty()) {
      throw BadInput("nothing to import", "", "name the folder of a dump");
    }
  }

  const std::vector<DumpFile>& files() const { return files_; }

  std::string UserId(std::size_t site, std::int64_t user) const {
    return folders_.size() == 1
               ? std::to_string(user)
               : fmt::format("{}/{}", folders_[site].filename().string(), user);
  }

 private:
  void Add(const base::Path& path) {
    std::error_code failed;
    const base::Path real = fs::canonical(path, failed);
    if (failed) throw CannotRead(path, failed);
    if (!seen_.insert(real).second) return;
    const base::Path folder = real.parent_path();
    const auto known = std::find(folders_.begin(), folders_.end(), folder);
    files_.push_back(
        {path, static_cast<std::size_t>(known - folders_.begin())});
    if (known != folders_.end()) return;
    for (const base::Path& other : folders_) {
      if (other.filename() == folder.filename()) {
        throw BadInput(fmt::format("two folders are called '{}'",
                                   folder.filename().string()),
                       path.string(),
                       "rename one: the folder's name is the site's");
      }
    }
    folders_.push_back(folder);
  }

  std::vector<DumpFile> files_;
  std::vector<base::Path> folders_;
  std::set<base::Path> seen_;
};

// REQUIRES: one space between words, as the text cleaners leave it.
std::int64_t CountWords(std::string_view sentence) {
  if (sentence.empty()) return 0;
  return 1 + std::count(sentence.begin(), sentence.end(), ' ');
}

class StackExchangeImport {
 public:
  StackExchangeImport(const ImportRequest& request,
                      const StackExchangeOptions& options)
      : request_(request),
        options_(options),
        sites_(request.inputs),
        writer_(request.out, Info(request)),
        spool_(request.out) {}

  DatasetSummary Run() {
    for (const DumpFile& file : sites_.files()) Read(file);
    Write();
    return std::move(summary_);
  }

 private:
  struct Sentence {
    std::size_t site = 0;
    std::int64_t user = 0;
    std::uint64_t record = 0;
  };

  static DatasetInfo Info(const ImportRequest& request) {
    DatasetInfo info = StartImport(request, "stackexchange", request.inputs);
    info.kind = Kind::kText;
    info.columns = {{"source", {"question", "answer", "comment", "title"}}};
    return info;
  }

  void Read(const DumpFile& file) {
    const std::string name = file.path.string();
    std::ifstream in(file.path, std::ios::binary);
    if (!in) throw BadInput("cannot be read", name);
    std::error_code unknown;  // of a pipe: the meter then counts up
    const std::uintmax_t size = fs::file_size(file.path, unknown);
    base::Progress progress("reading " + file.path.filename().string(),
                            unknown ? 0 : size, "bytes");
    DumpParser parser(name,
                      [&](const DumpRow& row) { AddRow(file.site, row); });
    std::string piece(std::size_t{1} << 16, '\0');
    while (in.read(piece.data(), static_cast<std::streamsize>(piece.size())) ||
           in.gcount() > 0) {
      const auto got = static_cast<std::size_t>(in.gcount());
      parser.Feed(std::string_view(piece).substr(0, got));
      progress.Advance(got);
    }
    if (in.bad()) throw BadInput("cannot be read to its end", name);
    parser.Finish();
  }

  void AddRow(std::size_t site, const DumpRow& row) {
    if (!row.user) {
      ++summary_.skipped["row without author"];
    } else if (*row.user < 0) {
      ++summary_.skipped["row by the site's own account"];
    } else if (row.comment) {
      AddText(site, *row.user, kComment, CommentToText(row.text));
    } else if (row.post_type != 1 && row.post_type != 2) {
      ++summary_.skipped["post that is neither question nor answer"];
    } else {
      AddSentence(site, *row.user, kTitle, PlainToText(row.title));
      AddText(site, *row.user, row.post_type == 1 ? kQuestion : kAnswer,
              HtmlToText(row.text));
    }
  }

  void AddText(std::size_t site, std::int64_t user, std::int32_t source,
               const std::string& text) {
    for (const std::string_view sentence : SplitSentences(text)) {
      AddSentence(site, user, source, sentence);
    }
  }

  void AddSentence(std::size_t site, std::int64_t user, std::int32_t source,
                   std::string_view sentence) {
    const std::int64_t words = CountWords(sentence);
    if (words == 0) return;
    if (words < options_.min_words) {
      ++summary_.skipped[fmt::format("sentence of fewer than {} words",
                                     options_.min_words)];
    } else if (words > options_.max_words) {
      ++summary_.skipped[fmt::format("sentence of more than {} words",
                                     options_.max_words)];
    } else {
      const std::uint64_t record =
          spool_.Add({.text = sentence, .columns = {&source, 1}});
      sentences_.push_back({site, user, record});
    }
  }

  void Write() {
    if (sentences_.empty()) {
      throw BadInput("no sentence by a known author in it",
                     request_.inputs.front().string());
    }
    const auto owner = [](const Sentence& s) {
      return std::tuple(s.site, s.user);
    };
    std::stable_sort(sentences_.begin(), sentences_.end(),
                     [&](const Sentence& a, const Sentence& b) {
                       return owner(a) < owner(b);
                     });
    base::Progress progress("writing", sentences_.size(), "sentences");
    const Sentence* last = nullptr;
    for (const Sentence& sentence : sentences_) {
      if (last == nullptr || owner(*last) != owner(sentence)) {
        writer_.BeginUser(sites_.UserId(sentence.site, sentence.user));
      }
      last = &sentence;
      writer_.Add(spool_.Get(sentence.record));
      progress.Advance();
    }
    Finish();
  }

  void Finish() {
    nlohmann::json& step = writer_.info().provenance.back();
    step["min_words"] = options_.min_words;
    step["max_words"] = options_.max_words;
    summary_ = FinishImport(writer_, std::move(summary_.skipped));
  }

  const ImportRequest& request_;
  StackExchangeOptions options_;
  Sites sites_;
  DatasetWriter writer_;
  Spool spool_;
  std::vector<Sentence> sentences_;
  DatasetSummary summary_;
};

}  // namespace

DatasetSummary ImportStackExchange(const ImportRequest& request,
                                   const StackExchangeOptions& options) {
  return StackExchangeImport(request, options).Run();
}

}  // namespace sfumato::data
