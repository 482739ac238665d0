#include "data/import/import_text.h"

#include <array>
#include <string>
#include <utility>

#include "base/error.h"
#include "base/interrupt.h"
#include "base/utf8.h"
#include "data/dataset_writer.h"
#include "data/import/example_groups.h"
#include "data/import/gzip.h"
#include "data/import/import_files.h"
#include "data/import/sentences.h"
#include "fmt/format.h"

namespace sfumato::data {
namespace {

constexpr std::array<std::string_view, 5> kEndings = {
    ".txt", ".jsonl", ".ndjson", ".csv", ".tsv"};

TextSource SourceOf(const base::Path& path) {
  const std::string name = PlainName(path);
  if (name.ends_with(".txt")) return TextSource::kFiles;
  if (name.ends_with(".csv") || name.ends_with(".tsv")) return TextSource::kCsv;
  if (name.ends_with(".jsonl") || name.ends_with(".ndjson")) {
    return TextSource::kJsonl;
  }
  throw BadInput("the ending does not say of what form the file is",
                 path.string(), "say the form: files, jsonl, csv or speakers");
}

TextSource CommonSource(const std::vector<base::Path>& files) {
  const TextSource first = SourceOf(files[0]);
  for (const base::Path& path : files) {
    if (SourceOf(path) == first) continue;
    throw BadInput(
        fmt::format("{} and {} are of different forms",
                    files[0].filename().string(), path.filename().string()),
        path.string(), "import them one by one");
  }
  return first;
}

std::string_view SourceName(TextSource source) {
  switch (source) {
    case TextSource::kAuto:
      return "auto";
    case TextSource::kFiles:
      return "files";
    case TextSource::kJsonl:
      return "jsonl";
    case TextSource::kCsv:
      return "csv";
    case TextSource::kSpeakers:
      return "speakers";
  }
  return "";
}

std::string_view CutName(TextCut cut) {
  switch (cut) {
    case TextCut::kLines:
      return "lines";
    case TextCut::kSentences:
      return "sentences";
    case TextCut::kWhole:
      return "whole";
  }
  return "";
}

// `text` with one line a paragraph: line breaks become spaces except before
// and after an empty line.
std::string JoinLines(std::string_view text) {
  std::string joined;
  bool paragraph_open = false;
  while (!text.empty()) {
    base::CheckInterrupted();
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = Trim(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!joined.empty()) joined += paragraph_open && !line.empty() ? ' ' : '\n';
    joined += line;
    paragraph_open = !line.empty();
  }
  return joined;
}

// `text` with one space where it has ASCII white space.
std::string OneSpaceBetween(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n\f\v";
  std::string words;
  for (text = Trim(text); !text.empty(); text = Trim(text)) {
    if (!words.empty()) words += ' ';
    const std::size_t end = std::min(text.find_first_of(kSpace), text.size());
    words += text.substr(0, end);
    text.remove_prefix(end);
  }
  return words;
}

// Throws BadInput that names the line of the first byte that is not UTF-8.
void RequireUtf8Lines(std::string_view text, const std::string& where) {
  if (base::IsUtf8(text)) return;
  for (std::size_t line = 1; !text.empty(); ++line) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    RequireUtf8(text.substr(0, end), fmt::format("{}:{}", where, line));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

// "alice" for "letters/alice.txt.gz".
std::string UserOf(const base::Path& path) {
  base::Path name = path.filename();
  if (name.extension() == ".gz") name = name.stem();
  return name.stem().string();
}

class TextImporter {
 public:
  TextImporter(const ImportRequest& request, const TextOptions& options,
               TextSource source)
      : out_(request.out),
        options_(options),
        source_(source),
        groups_(request.out) {
    options_.fields.may_suggest = request.origin != Origin::kPrivate;
  }

  void Read(const base::Path& path) {
    const std::string bytes = ReadMaybeGzip(path);
    std::string_view content = bytes;
    if (content.starts_with("\xef\xbb\xbf")) content.remove_prefix(3);
    const std::string where = path.string();
    // Columns of a CSV that are not read may hold anything.
    if (source_ != TextSource::kCsv) RequireUtf8Lines(content, where);
    const TextVisitor add = [&](std::string_view user, std::string_view text,
                                std::size_t line) {
      const std::string here = fmt::format("{}:{}", where, line);
      RequireUtf8(user, here);
      RequireUtf8(text, here);
      Add(user, text);
    };
    switch (source_) {
      case TextSource::kJsonl:
        return ParseTextJsonl(content, where, options_.fields, add);
      case TextSource::kCsv:
        return ParseTextCsv(content, where, options_.fields, Delimiter(path),
                            add);
      case TextSource::kSpeakers:
        return ParseSpeakers(content, where, add);
      default:
        return add(UserOf(path), content, 1);
    }
  }

  DatasetSummary Write(DatasetInfo info) {
    DatasetWriter writer(out_, std::move(info));
    const std::size_t empty = groups_.WriteTo(writer);
    if (empty > 0) skipped_[kEmptyUser] = empty;
    return FinishImport(writer, std::move(skipped_));
  }

 private:
  char Delimiter(const base::Path& path) const {
    if (options_.delimiter != 0) return options_.delimiter;
    return PlainName(path).ends_with(".tsv") ? '\t' : 0;
  }

  void Add(std::string_view user, std::string_view text) {
    if (user.empty()) {
      ++skipped_["text without user"];
      return;
    }
    groups_.AddUser(user);
    if (Trim(text).empty()) {
      // A file that is a user is counted as such.
      if (source_ != TextSource::kFiles) ++skipped_["record without text"];
    } else if (options_.cut == TextCut::kWhole) {
      AddOne(user, Trim(text));
    } else if (options_.cut == TextCut::kLines) {
      AddAll(user, SplitLines(text));
    } else {
      const std::string joined = JoinLines(text);
      AddAll(user, SplitSentences(joined));
    }
  }

  void AddAll(std::string_view user,
              const std::vector<std::string_view>& sentences) {
    for (const std::string_view sentence : sentences) AddOne(user, sentence);
  }

  void AddOne(std::string_view user, std::string_view sentence) {
    if (!options_.tokens) return groups_.Add(user, {.text = sentence});
    groups_.Add(user, {.text = OneSpaceBetween(sentence)});
  }

  const base::Path& out_;
  TextOptions options_;
  TextSource source_;
  ExampleGroups groups_;
  Skipped skipped_;
};

}  // namespace

DatasetSummary ImportText(const ImportRequest& request,
                          const TextOptions& options) {
  if (options.tokens && options.cut == TextCut::kSentences) {
    throw BadInput("words of another pipeline are not cut into sentences",
                   "--cut sentences",
                   "write a sentence a line (--cut lines), or a sentence a "
                   "record (--cut whole)");
  }
  const std::vector<base::Path> files = ListFiles(request.inputs, kEndings);
  DatasetInfo info = StartImport(request, "text", files);
  const TextSource source =
      options.form == TextSource::kAuto ? CommonSource(files) : options.form;
  info.kind = Kind::kText;
  if (options.tokens) info.text_form = TextForm::kTokens;
  info.provenance.back()["form"] = SourceName(source);
  info.provenance.back()["cut"] = CutName(options.cut);
  // Files called by their users' names are only counted: a description must
  // not list users.
  if (source == TextSource::kFiles) {
    info.provenance.back()["files"] = files.size();
  }
  TextImporter importer(request, options, source);
  for (const base::Path& path : files) importer.Read(path);
  return importer.Write(std::move(info));
}

}  // namespace sfumato::data
