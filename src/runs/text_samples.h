// samples/: what a run's language model drew, one JSON object per line.
//
//   WriteTextSamples(run.samples_path(),
//                    {.round = 120, .sentences = sentences}, "first");
//   for (const base::Path& path : TextSamplesIn(run.samples_path())) {
//     ReadTextSamples(path);
//   }
//
//   round_000120.jsonl
//   {"schema":"sfumato.text_samples/1","round":120,"sentences":2000, …,
//    "label":{"epsilon":"0.5", …}}
//   {"sentence":["i","have",null]}            null: a word it does not know
//   {"word":"i have","count":31}              drawn
//   {"word":"i have","log_probability":-4.8}  exact: equation 1 of the paper
//   {"bytes":"ff20","count":1}                a word that is not UTF-8, in hex
//
// Only what a released model drew is in it. README.md beside it is the card.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/file.h"
#include "base/safetensors.h"

namespace sfumato::runs {

struct DrawnWord {
  std::string word = "";  // bytes
  double count = 0;
  bool operator==(const DrawnWord&) const = default;
};
struct RankedWord {
  std::string word = "";
  double log_probability = 0;  // natural, of the whole word
  bool operator==(const RankedWord&) const = default;
};

struct TextSamples {
  std::int64_t round = 0;  // rounds that the model was trained
  std::vector<std::vector<std::string>> sentences = {};  // "": unknown
  std::vector<DrawnWord> words = {};                     // distinct
  std::vector<RankedWord> top = {};                      // most likely first
  base::Metadata label = {};  // the checkpoint's: model, epsilon, delta, …
  bool operator==(const TextSamples&) const = default;
};

// The lines. Throws BadInput for a count or a probability that is not a number.
std::string ToText(const TextSamples& samples);

// One set as a file of any name, whole or absent. Throws as ToText, or
// Unavailable.
void WriteTextSampleFile(const base::Path& path, const TextSamples& samples);

// Writes round_NNNNNN.jsonl and the card into `folder`, made when missing.
void WriteTextSamples(const base::Path& folder, const TextSamples& samples,
                      const std::string& name);

// Sets in `folder`, by round; none when it is not there.
std::vector<base::Path> TextSamplesIn(const base::Path& folder);

// Throws Corrupt when it is not such a set, or incomplete; Unsupported for a
// newer program's. `where` is named in errors.
TextSamples ParseTextSamples(std::string_view text, const std::string& where);
TextSamples ReadTextSamples(const base::Path& path);

// In Markdown; `name` is the run's.
std::string TextCardOf(const TextSamples& samples, const std::string& name);

}  // namespace sfumato::runs
