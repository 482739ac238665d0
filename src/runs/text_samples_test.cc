#include "runs/text_samples.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "base/error.h"
#include "fmt/format.h"
#include "nlohmann/json.hpp"
#include "runs/contrast.h"

namespace sfumato::runs {
namespace {

namespace fs = std::filesystem;

class TextSamplesTest : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::path(testing::TempDir()) /
              (std::string("TextSamplesTest.") + test->name());
    fs::remove_all(folder_);
  }

  base::Path folder_;
};

TextSamples Drawn() {
  return {.round = 120,
          .sentences = {{"i", "", "\"quoted\""}, {}},
          .words = {{"i have", 31}, {"\xFF \n", 1}},
          .top = {{"i have", -4.75}, {"", -9}},
          .label = {{"epsilon", "0.5"}, {"delta", "1e-06"}}};
}

ErrorKind KindOfReading(const base::Path& path) {
  try {
    ReadTextSamples(path);
  } catch (const Error& error) {
    EXPECT_EQ(error.where(), path.string());
    return error.kind();
  }
  ADD_FAILURE() << path << " was read";
  return ErrorKind::kBadInput;
}

TEST_F(TextSamplesTest, AreReadAsTheyWereWritten) {
  WriteTextSamples(folder_, Drawn(), "first");
  const std::vector<base::Path> found = TextSamplesIn(folder_);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].filename(), "round_000120.jsonl");
  const TextSamples read = ReadTextSamples(found[0]);
  EXPECT_EQ(read.round, 120);
  EXPECT_EQ(read.sentences, Drawn().sentences);
  ASSERT_EQ(read.words.size(), 2u);
  EXPECT_EQ(read.words[1].word, "\xFF \n");
  EXPECT_EQ(read.words[0].count, 31);
  ASSERT_EQ(read.top.size(), 2u);
  EXPECT_EQ(read.top[0].log_probability, -4.75);
  EXPECT_EQ(read.label, Drawn().label);
  EXPECT_TRUE(TextSamplesIn(folder_ / "nowhere").empty());
}

TEST_F(TextSamplesTest, ADamagedFileIsSaidToBe) {
  WriteTextSamples(folder_, Drawn(), "first");
  const base::Path path = TextSamplesIn(folder_).at(0);
  const std::string whole = base::ReadFile(path);
  const auto kind_of = [&](const std::string& text) {
    base::WriteFileAtomically(path, text);
    return KindOfReading(path);
  };
  // Cut anywhere; a cut last line is dropped by the reader of lines, and
  // missed here.
  for (std::size_t size = 0; size + 1 < whole.size(); size += 7) {
    EXPECT_EQ(kind_of(whole.substr(0, size)), ErrorKind::kCorrupt) << size;
  }
  const std::string head = whole.substr(0, whole.find('\n') + 1);
  EXPECT_EQ(kind_of(head + "{\"word\":3,\"count\":1}\n"), ErrorKind::kCorrupt);
  EXPECT_EQ(kind_of(head + "{\"bytes\":\"f\",\"count\":1}\n"),
            ErrorKind::kCorrupt);
  EXPECT_EQ(kind_of(head + "{\"bytes\":\"fg\",\"count\":1}\n"),
            ErrorKind::kCorrupt);
  EXPECT_EQ(kind_of(head + "{\"sentence\":\"i am\"}\n"), ErrorKind::kCorrupt);
  for (const char* round : {"-1", "1e300", "18446744073709551615", "true"}) {
    std::string other = whole;
    other.replace(other.find(":120,"), 5, fmt::format(":{},", round));
    EXPECT_EQ(kind_of(other), ErrorKind::kCorrupt) << round;
  }
  EXPECT_EQ(kind_of("nothing\n"), ErrorKind::kCorrupt);
  EXPECT_EQ(kind_of("{\"schema\":\"sfumato.text_samples/2\"}\n"),
            ErrorKind::kUnsupported);
}

TEST_F(TextSamplesTest, NumbersThatAreNoneAreNotWritten) {
  TextSamples samples = Drawn();
  samples.top[0].log_probability = NAN;
  fs::create_directories(folder_);
  const base::Path path = folder_ / "round_000001.jsonl";
  EXPECT_THROW(WriteTextSampleFile(path, samples), Error);
  EXPECT_FALSE(fs::exists(path)) << "whole or absent";
}

TEST_F(TextSamplesTest, TheCardSaysWhoseTextItIsAndWhatItCost) {
  WriteTextSamples(folder_, Drawn(), "first");
  const std::string card = base::ReadFile(folder_ / "README.md");
  EXPECT_NE(card.find("as sure as its ε says"), std::string::npos);
  EXPECT_NE(card.find("and this text is computed from it alone"),
            std::string::npos)
      << card;
  EXPECT_NE(card.find("| ε | 0.5 |"), std::string::npos);
}

TEST(TextContrastJsonTest, IsReadAsItWasWritten) {
  Contrast contrast;
  contrast.hypotheses = {{.key = "join",
                          .affects = "sentences",
                          .mass_a = 0.25,
                          .mass_b = 0.5,
                          .examples = {"i have"}}};
  TextContrast& text = contrast.text.emplace();
  text.unknown_a = 0.0625;
  text.unknown_b = 0.125;
  text.unknown_floor = 0.5;
  text.unknown_by_position = {{1, 0.25, 0.5, 0.125, true}};
  text.top_a = {{"regex", 0.0055, false}};
  text.top_b = {{"i have", 0.008, true}};
  text.phrases_a = {{"i", "", "am"}};
  text.phrases_b = {{""}};
  text.changed_words = {{"i", true, 0.5, 0.25}};
  text.models = {{"a1", 2000, 4000, 0.5, 0.25, 1, 0.125}};
  const auto json = nlohmann::json::parse(ToJson(contrast).dump());
  const Contrast read = ContrastFromJson(json, "x");
  EXPECT_EQ(ToJson(read), ToJson(contrast));
  EXPECT_EQ(read.text->top_b[0].word, "i have");
  EXPECT_EQ(read.text->phrases_a[0][1], "");
  EXPECT_EQ(read.text->models[0].words, 4000);
  EXPECT_EQ(read.hypotheses[0].affects, "sentences");
  // A contrast of images has none.
  EXPECT_FALSE(ContrastFromJson(ToJson(Contrast()), "x").text);
  for (const nlohmann::json& bad :
       {nlohmann::json(3), nlohmann::json({{"top_a", 3}}),
        nlohmann::json({{"phrases_b", {{1}}}}),
        nlohmann::json::parse(R"({"models":[{"words":1e300}]})"),
        nlohmann::json::parse(
            R"({"unknown_by_position":[{"position":1e10}]})")}) {
    nlohmann::json damaged = json;
    damaged["text"] = bad;
    EXPECT_THROW(ContrastFromJson(damaged, "x"), Error) << bad;
  }
}

}  // namespace
}  // namespace sfumato::runs
