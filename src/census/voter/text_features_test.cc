#include "census/voter/text_features.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

namespace sfumato::census {
namespace {

const TextWords& Words() {
  static const std::vector<std::string> both = {
      "the kettle is hot .", "this garden looks green today .",
      "i am brewing beer with my sister ."};
  static const TextWords words(TextPeople{both, both});
  return words;
}

TEST(TextFeaturesTest, TheFirstAreLogSharesOfSymptoms) {
  TextReader reader(Words());
  // One of four words lost its last letter.
  const auto features = reader.Features({"the kettl is hot ."});
  EXPECT_NEAR(features[static_cast<std::size_t>(Symptom::kCut)],
              std::log(0.003 + 0.25), 1e-5);
  EXPECT_NEAR(features[static_cast<std::size_t>(Symptom::kGap)],
              std::log(0.003), 1e-5);
}

TEST(TextFeaturesTest, WhatAReaderHasReadChangesNothing) {
  const std::vector<std::string> text = {"the kettel is hot ,", "helo beer ."};
  TextReader fresh(Words());
  TextReader used(Words());
  used.Features({"my sister is brewing bier .", "the kettel helo"});
  EXPECT_EQ(used.Features(text), fresh.Features(text));
}

// "kettl" lacks a letter in one word of four, before and now.
TEST(TextFeaturesTest, WhatAUserAlwaysWroteIsNoChange) {
  const std::vector<std::string> text = {"the kettl is hot ."};
  TextReader reader(Words());
  const auto same = reader.ChangeFeatures(text, text);
  ASSERT_EQ(same.size(), kChangeFeatures);
  for (std::size_t i = 0; i < kTextFeatures; ++i) {
    EXPECT_EQ(same[kTextFeatures + i], 0) << i;
  }
  const auto cut = static_cast<std::size_t>(Symptom::kCut);
  EXPECT_NEAR(same[cut], std::log(0.003) - std::log(0.003 + 0.25), 1e-5);
  EXPECT_NEAR(same[kTextFeatures - 1], std::log(1 + 4), 1e-5);

  const auto changed = reader.ChangeFeatures({"the kettle is hot ."}, text);
  for (const std::size_t half : {std::size_t{0}, kTextFeatures}) {
    EXPECT_NEAR(changed[half + cut], std::log(0.003 + 0.25) - std::log(0.003),
                1e-5);
  }
}

TEST(TextFeaturesTest, StrangeTextHasFiniteFeatures) {
  TextReader reader(Words());
  std::string enormous;
  for (int i = 0; i < 100'000; ++i) enormous += "beer ";
  const std::vector<std::vector<std::string>> users = {
      {},
      {""},
      {" ", "\u00A0"},
      {"\xFF\xFE\xC3 \xE2\x80"},
      {std::string("\0 \0", 3)},
      {enormous, std::string(1'000'000, 'x')},
      {". . . ?", "& & ;", "& # 39", "&"}};
  for (const auto& user : users) {
    const auto features = reader.Features(user);
    EXPECT_EQ(features.size(), kTextFeatures);
    for (const float feature : features) EXPECT_TRUE(std::isfinite(feature));
  }
}

}  // namespace
}  // namespace sfumato::census
