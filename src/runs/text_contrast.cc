#include "runs/text_contrast.h"

namespace sfumato::runs {

// Found by nlohmann::json beside their types.
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(UnknownAt, position, a, b,
                                                floor, differs)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(LikelyWord, word, probability,
                                                marked)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(ChangedWord, word, known, a, b)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(TextModel, model, sentences,
                                                words, distinct_sentences,
                                                distinct_words, readable_words,
                                                unknown_share)

void to_json(nlohmann::json& json, const TextContrast& text) {
  json = {{"unknown_a", text.unknown_a},
          {"unknown_b", text.unknown_b},
          {"unknown_floor", text.unknown_floor},
          {"unknown_by_position", text.unknown_by_position},
          {"top_a", text.top_a},
          {"top_b", text.top_b},
          {"top_exact", text.top_exact},
          {"phrases_a", text.phrases_a},
          {"phrases_b", text.phrases_b},
          {"changed_words", text.changed_words},
          {"models", text.models}};
}

void from_json(const nlohmann::json& json, TextContrast& text) {
  const auto read = [&](const char* key, auto& value) {
    if (json.contains(key)) json.at(key).get_to(value);
  };
  if (!json.is_object()) json.at("text");  // throws what others catch
  read("unknown_a", text.unknown_a);
  read("unknown_b", text.unknown_b);
  read("unknown_floor", text.unknown_floor);
  read("unknown_by_position", text.unknown_by_position);
  read("top_a", text.top_a);
  read("top_b", text.top_b);
  read("top_exact", text.top_exact);
  read("phrases_a", text.phrases_a);
  read("phrases_b", text.phrases_b);
  read("changed_words", text.changed_words);
  read("models", text.models);
}

}  // namespace sfumato::runs
