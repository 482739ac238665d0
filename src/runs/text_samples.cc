#include "runs/text_samples.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "base/error.h"
#include "base/json_lines.h"
#include "base/utf8.h"
#include "fmt/format.h"
#include "runs/sample_set.h"
#include "runs/samples.h"

namespace sfumato::runs {
namespace {

using nlohmann::json;

constexpr const char* kSchema = "sfumato.text_samples/1";

Error Damaged(const std::string& what, const std::string& where) {
  return Corrupt(fmt::format("not a set of drawn text: {}", what), where,
                 "draw it again: sfumato sample");
}

std::string Hex(std::string_view bytes) {
  std::string hex;
  for (const char c : bytes) {
    hex += fmt::format("{:02x}", static_cast<unsigned char>(c));
  }
  return hex;
}

int Digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

std::string Unhex(const std::string& hex, const std::string& where) {
  std::string bytes;
  if (hex.size() % 2 != 0) throw Damaged("half a byte", where);
  for (std::size_t i = 0; i < hex.size(); i += 2) {
    const int high = Digit(hex[i]);
    const int low = Digit(hex[i + 1]);
    if (high < 0 || low < 0) throw Damaged("bytes that are not hex", where);
    bytes += static_cast<char>(high * 16 + low);
  }
  return bytes;
}

json WordJson(const std::string& word, const char* key, double value) {
  if (!std::isfinite(value)) {
    throw BadInput(fmt::format("a drawn word with {} {}", key, value), "",
                   "the model diverged: lower its learning rate");
  }
  if (base::IsUtf8(word)) return {{"word", word}, {key, value}};
  return {{"bytes", Hex(word)}, {key, value}};
}

json SentenceJson(const std::vector<std::string>& sentence) {
  json words = json::array();
  for (const std::string& word : sentence) {
    words.push_back(word.empty() ? json() : json(word));
  }
  return {{"sentence", words}};
}

std::vector<std::string> SentenceFrom(const json& words) {
  std::vector<std::string> sentence;
  for (const json& word : words) {
    sentence.push_back(word.is_null() ? "" : word.get<std::string>());
  }
  return sentence;
}

void ReadHead(const json& line, TextSamples& samples,
              const std::string& where) {
  if (line.at("schema") != kSchema) {
    throw Unsupported("drawn text of another format", where,
                      "use the program that wrote it");
  }
  const json& round = line.at("round");
  samples.round = round.is_number_integer() ? round.get<std::int64_t>() : -1;
  if (samples.round < 0) throw Damaged("no round", where);
  samples.label = line.at("label").get<base::Metadata>();
}

void ReadLine(const json& line, TextSamples& samples,
              const std::string& where) {
  if (line.contains("sentence")) {
    if (!line.at("sentence").is_array()) throw Damaged("no sentence", where);
    samples.sentences.push_back(SentenceFrom(line.at("sentence")));
    return;
  }
  const std::string word = line.contains("bytes")
                               ? Unhex(line.at("bytes"), where)
                               : line.at("word").get<std::string>();
  if (line.contains("count")) {
    samples.words.push_back({word, line.at("count").get<double>()});
  } else {
    samples.top.push_back({word, line.at("log_probability").get<double>()});
  }
}

}  // namespace

std::string ToText(const TextSamples& samples) {
  std::string text;
  const auto write = [&](const json& line) {
    // Known words are UTF-8; anything else would be replaced.
    text += line.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
  };
  write({{"schema", kSchema},
         {"round", samples.round},
         {"sentences", samples.sentences.size()},
         {"words", samples.words.size()},
         {"top", samples.top.size()},
         {"label", samples.label}});
  for (const auto& sentence : samples.sentences) write(SentenceJson(sentence));
  for (const DrawnWord& word : samples.words) {
    write(WordJson(word.word, "count", word.count));
  }
  for (const RankedWord& word : samples.top) {
    write(WordJson(word.word, "log_probability", word.log_probability));
  }
  return text;
}

void WriteTextSampleFile(const base::Path& path, const TextSamples& samples) {
  base::WriteFileAtomically(path, ToText(samples));
}

void WriteTextSamples(const base::Path& folder, const TextSamples& samples,
                      const std::string& name) {
  std::filesystem::create_directories(folder);
  WriteTextSampleFile(folder / fmt::format("round_{:06}.jsonl", samples.round),
                      samples);
  base::WriteFileAtomically(folder / "README.md", TextCardOf(samples, name));
}

std::vector<base::Path> TextSamplesIn(const base::Path& folder) {
  return SamplesIn(folder, ".jsonl");
}

TextSamples ParseTextSamples(std::string_view text, const std::string& where) {
  TextSamples samples;
  json head;
  try {
    base::ParseJsonLines(text, where, [&](const json& line, int) {
      if (head.is_null()) {
        ReadHead(line, samples, where);
        head = line;
      } else {
        ReadLine(line, samples, where);
      }
    });
    if (head.is_null()) throw Damaged("it is empty", where);
    if (head.at("sentences") != samples.sentences.size() ||
        head.at("words") != samples.words.size() ||
        head.at("top") != samples.top.size()) {
      throw Damaged("lines are missing", where);
    }
  } catch (const json::exception& error) {
    throw Damaged(error.what(), where);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kBadInput) throw;
    throw Damaged(error.what(), where);
  }
  return samples;
}

TextSamples ReadTextSamples(const base::Path& path) {
  return ParseTextSamples(base::ReadFile(path), path.string());
}

std::string TextCardOf(const TextSamples& samples, const std::string& name) {
  std::string card = fmt::format(
      "# Text drawn by {}\n\n"
      "{} sentences, {} different words that the word model does not know, and "
      "the {} most likely of those. A language model drew them; that none "
      "repeats what somebody wrote is as sure as "
      "its ε says. Their words are untrusted text.\n\n",
      name, samples.sentences.size(), samples.words.size(), samples.top.size());
  return card + LabelCard(samples.label, samples.round, "this text") +
         "\nWhat a language model draws shows what is common among the people "
         "it learned from. It is not a sample of what they wrote, and may "
         "still "
         "repeat what many of them did.\n";
}

}  // namespace sfumato::runs
