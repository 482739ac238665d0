#include "data/import/text_records.h"

#include <algorithm>
#include <vector>

#include "base/error.h"
#include "base/suggest.h"
#include "data/import/csv.h"
#include "data/import/sentences.h"
#include "fmt/format.h"
#include "nlohmann/json.hpp"

namespace sfumato::data {
namespace {

using nlohmann::json;

Error NoField(const std::string& name, const std::vector<std::string>& known,
              const std::string& where, bool may_suggest) {
  return BadInput(fmt::format("there is no field '{}'", name), where,
                  may_suggest ? base::DidYouMean(name, known)
                              : "say which fields are user and text");
}

const json& Field(const json& record, const std::string& name,
                  const std::string& where, bool may_suggest) {
  const auto found = record.find(name);
  if (found != record.end()) return *found;
  std::vector<std::string> known;
  for (const auto& [key, value] : record.items()) known.push_back(key);
  throw NoField(name, known, where, may_suggest);
}

std::string StringOf(const json& value, bool may_be_number,
                     const std::string& name, const std::string& where) {
  if (value.is_null()) return "";
  if (value.is_string()) return value.get<std::string>();
  if (may_be_number && value.is_number()) return value.dump();
  throw BadInput(fmt::format("'{}' is of type {} where a string was expected",
                             name, value.type_name()),
                 where);
}

// Calls use(line, number) for every line of `text`, without its line end.
template <typename Use>
void ForEachLine(std::string_view text, Use use) {
  std::size_t number = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    use(text.substr(0, end), ++number);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

std::size_t FindField(std::span<const std::string_view> header,
                      const std::string& name, const std::string& where,
                      bool may_suggest) {
  std::vector<std::string> known;
  for (const std::string_view field : header) known.emplace_back(Trim(field));
  const auto found = std::find(known.begin(), known.end(), name);
  if (found == known.end()) throw NoField(name, known, where, may_suggest);
  return found - known.begin();
}

}  // namespace

void ParseTextJsonl(std::string_view content, const std::string& where,
                    const TextFields& fields, const TextVisitor& visit) {
  ForEachLine(content, [&](std::string_view line, std::size_t number) {
    if (Trim(line).empty()) return;
    const std::string here = fmt::format("{}:{}", where, number);
    const json record = json::parse(line, nullptr, /*allow_exceptions=*/false);
    if (!record.is_object()) throw BadInput("not a JSON object", here);
    const auto field = [&](const std::string& name) {
      return Field(record, name, here, fields.may_suggest);
    };
    const std::string user =
        StringOf(field(fields.user), true, fields.user, here);
    const std::string text =
        StringOf(field(fields.text), false, fields.text, here);
    visit(user, text, number);
  });
}

void ParseTextCsv(std::string_view content, const std::string& where,
                  const TextFields& fields, char delimiter,
                  const TextVisitor& visit) {
  CsvReader csv(content, where, delimiter);
  if (!csv.Next()) throw BadInput("the file is empty", where);
  const auto find = [&](const std::string& name) {
    return FindField(csv.fields(), name, csv.Where(), fields.may_suggest);
  };
  const std::size_t user = find(fields.user);
  const std::size_t text = find(fields.text);
  while (csv.Next()) {
    visit(Trim(csv.fields()[user]), csv.fields()[text], csv.line());
  }
}

void ParseSpeakers(std::string_view content, const std::string& where,
                   const TextVisitor& visit) {
  std::string_view speaker;
  bool opens = true;            // the next line opens a block
  const char* begin = nullptr;  // of what is being said
  std::size_t begin_line = 0;
  const auto end_block = [&](const char* end) {
    if (begin != nullptr) {
      visit(speaker, Trim({begin, static_cast<std::size_t>(end - begin)}),
            begin_line);
    }
    begin = nullptr;
    opens = true;
  };
  ForEachLine(content, [&](std::string_view line, std::size_t number) {
    const std::string_view words = Trim(line);
    if (words.empty()) return end_block(line.data());
    if (opens && words.size() > 1 && words.ends_with(':')) {
      speaker = Trim(words.substr(0, words.size() - 1));
    } else if (speaker.empty()) {
      throw BadInput("expected a speaker's name and a colon",
                     fmt::format("{}:{}", where, number));
    } else if (begin == nullptr) {
      begin = line.data();
      begin_line = number;
    }
    opens = false;
  });
  end_block(content.data() + content.size());
}

}  // namespace sfumato::data
