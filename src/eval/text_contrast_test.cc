#include "eval/text_contrast.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>

#include "base/error.h"
#include "eval/text_health.h"
#include "eval/text_measures.h"

namespace sfumato::eval {
namespace {

using Sentence = std::vector<std::string>;

const std::vector<std::string>& Names() {
  static const std::vector<std::string> words = {
      "i",    "you",  "this", "the",  "we",   "it",   "have", "am",
      "can",  "is",   "want", "need", "file", "page", "code", "table",
      "with", "from", "into", "for",  "user", "list", "open", "read"};
  return words;
}

const WordSet& Known() {
  static const WordSet words(Names().begin(), Names().end());
  return words;
}

// A model of sentences of eight words, of which one in ten is unknown, spelled
// in one of 60 ways; `change` breaks a sentence's words before they are looked
// up.
using Change = std::function<void(Sentence&, base::Rng&)>;

DrawnText Draw(const std::string& name, const Change& change = {},
               int sentences = 1200) {
  base::Rng rng(5, {base::Key("drawn"), base::Key(name)});
  DrawnText drawn{.model = name};
  std::map<std::string, double> spellings;
  for (int i = 0; i < sentences; ++i) {
    Sentence words;
    for (int k = 0; k < 8; ++k) {
      // Frequent and rare ones.
      const auto at = static_cast<std::size_t>(
          static_cast<double>(Names().size()) * std::pow(rng.Uniform(), 2));
      words.push_back(rng.Bernoulli(0.1)
                          ? "regex" +
                                std::string(1, 'a' + char(rng.Below(20))) +
                                std::string(1, 'x' + char(rng.Below(3)))
                          : Names()[at]);
    }
    if (change) change(words, rng);
    for (std::string& word : words) {
      if (Known().contains(word)) continue;
      ++spellings[word];
      word.clear();
    }
    drawn.sentences.push_back(std::move(words));
  }
  for (const auto& [word, count] : spellings) {
    drawn.words.push_back({word, count});
  }
  return drawn;
}

Change JoinFirst(double share) {
  return [share](Sentence& words, base::Rng& rng) {
    if (!rng.Bernoulli(share)) return;
    words[0] += " " + words[1];
    words.erase(words.begin() + 1);
  };
}

// As likely as they were drawn.
std::vector<ProbableWord> TopOfDrawn(const DrawnText& drawn) {
  double all = 0;
  for (const CountedWord& word : drawn.words) all += word.count;
  std::vector<ProbableWord> top;
  for (const CountedWord& word : drawn.words) {
    top.push_back({word.word, std::log(word.count / all)});
  }
  std::ranges::sort(top, std::greater(), &ProbableWord::log_probability);
  return top;
}

runs::Contrast Compare(const Change& change = {}) {
  return CompareText({.a = {Draw("a1"), Draw("a2")},
                      .b = {Draw("b1", change), Draw("b2", change)},
                      .vocabulary = &Known(),
                      .top_a = TopOfDrawn(Draw("a1")),
                      .top_b = TopOfDrawn(Draw("b1", change))});
}

TEST(TextContrastTest, JoinedWordsAreNamedAndFoundAtTheBeginning) {
  const runs::Contrast found = Compare(JoinFirst(0.3));
  EXPECT_EQ(found.verdict, runs::Verdict::kDiffers);
  ASSERT_FALSE(found.hypotheses.empty());
  const runs::Hypothesis& best = found.hypotheses.front();
  EXPECT_EQ(best.key, "join");
  EXPECT_EQ(best.words,
            "two words joined into one at the beginning of sentences");
  EXPECT_TRUE(best.supported);
  // They are joined in 30 of 100 sentences, and named where one of both is
  // known: not in 1 of 100.
  EXPECT_NEAR(best.affected, 0.99 * 0.3, 0.04);
  EXPECT_EQ(best.affects, "sentences");
  EXPECT_EQ(best.mass_a, 0);
  ASSERT_FALSE(best.examples.empty());
  EXPECT_NE(best.examples.front().find(' '), std::string::npos);
  // An unknown word stands first in 10 of 100 sentences; joined, in 10 + 27.
  const runs::UnknownAt& first = found.text->unknown_by_position.front();
  EXPECT_NEAR(first.a, 0.1, 0.03);
  EXPECT_NEAR(first.b, 0.37, 0.03);
  EXPECT_TRUE(first.differs);
  EXPECT_FALSE(found.text->unknown_by_position[4].differs);
}

TEST(TextContrastTest, WhatIsTheSameIsSaidToBe) {
  const runs::Contrast found = Compare();
  EXPECT_EQ(found.verdict, runs::Verdict::kSame) << found.reason;
  for (const runs::Hypothesis& each : found.hypotheses) {
    EXPECT_FALSE(each.supported) << each.key;
  }
}

TEST(TextContrastTest, ATraitOfOneTwinAloneIsNoFinding) {
  const runs::Contrast found =
      CompareText({.a = {Draw("a1"), Draw("a2")},
                   .b = {Draw("b1", JoinFirst(0.3)), Draw("b2")},
                   .vocabulary = &Known()});
  EXPECT_NE(found.verdict, runs::Verdict::kDiffers) << found.sentence;
}

TEST(TextContrastTest, ARepeatedPhraseIsATemplate) {
  const runs::Contrast found = Compare([](Sentence& words, base::Rng& rng) {
    if (rng.Bernoulli(0.2)) words = {"read", "the", "list", "from", "user"};
  });
  EXPECT_EQ(found.hypotheses.front().key, "template");
  EXPECT_TRUE(found.hypotheses.front().supported);
  EXPECT_EQ(found.hypotheses.front().affects, "words");
  // 5 words of 20 sentences beside 8 of 80.
  EXPECT_NEAR(found.hypotheses.front().mass_b, 100.0 / 740, 0.02);
}

TEST(TextContrastTest, ADifferenceThatNothingExplainsIsStillOne) {
  const runs::Contrast found = Compare([](Sentence& words, base::Rng&) {
    for (std::string& word : words) {
      if (word == "i" || word == "you" || word == "this") word = "open";
    }
  });
  EXPECT_EQ(found.verdict, runs::Verdict::kDiffers);
  EXPECT_EQ(found.sentence,
            "The sides differ, and none of 8 explanations fits.");
  EXPECT_EQ(found.text->changed_words.front().word, "open");
}

TEST(TextContrastTest, WhereUnknownWordsStandIsEnoughToDiffer) {
  // One word in ten is unknown as before, but in B they are the first ones.
  const Change first = [](Sentence& words, base::Rng& rng) {
    if (rng.Bernoulli(0.15)) words[0] = "regexax";
    for (std::size_t k = 1; k < words.size(); ++k) {
      if (!Known().contains(words[k]) && rng.Bernoulli(0.17)) words[k] = "i";
    }
  };
  const runs::Contrast found = Compare(first);
  EXPECT_EQ(found.verdict, runs::Verdict::kDiffers);
  EXPECT_NE(found.sentence.find("Word 1 of B's sentences is unknown"),
            std::string::npos)
      << found.sentence;
  EXPECT_NE(found.sentence.find("none of 8 explanations"), std::string::npos);
}

TEST(TextContrastTest, WithoutTwinsNothingIsSaid) {
  const runs::Contrast found = CompareText({.a = {Draw("a1")},
                                            .b = {Draw("b1", JoinFirst(1))},
                                            .vocabulary = &Known()});
  EXPECT_EQ(found.verdict, runs::Verdict::kCannotSay);
  EXPECT_EQ(found.floor_source, "none");
  EXPECT_FALSE(found.warnings.empty());
  EXPECT_EQ(found.hypotheses.front().key, "join") << "but it is shown";
  EXPECT_FALSE(found.hypotheses.front().supported);
}

TEST(TextContrastTest, TheTablesHaveWhatWasDrawn) {
  const runs::Contrast found = Compare(JoinFirst(1));
  const runs::TextContrast& text = *found.text;
  ASSERT_EQ(text.top_b.size(), 20u);
  EXPECT_TRUE(text.top_b[0].marked);
  EXPECT_FALSE(text.top_a[0].marked);
  EXPECT_GE(text.top_b[0].probability, text.top_b[1].probability);
  ASSERT_EQ(text.phrases_b.size(), 12u);
  EXPECT_EQ(text.phrases_b[0].size(), 7u);
  EXPECT_EQ(text.phrases_b[0][0], "") << "unknown";
  EXPECT_EQ(text.models.size(), 4u);
  EXPECT_TRUE(text.top_exact);
  const runs::Contrast again = CompareText({.a = {Draw("a1"), Draw("a2")},
                                            .b = {Draw("b1"), Draw("b2")},
                                            .vocabulary = &Known(),
                                            .top_a = {{"one", std::log(0.5)}},
                                            .top_exact = false});
  EXPECT_NEAR(again.text->top_a[0].probability, 0.5, 1e-12);
  EXPECT_FALSE(again.text->top_exact);
}

TEST(TextContrastTest, WhatIsDrawnIsMadeFitToRead) {
  DrawnText hostile = Draw("b1");
  hostile.words.push_back({std::string(500, 'x'), 900});
  const runs::Contrast found = CompareText({.a = {Draw("a1"), Draw("a2")},
                                            .b = {hostile, Draw("b2")},
                                            .vocabulary = &Known(),
                                            .top_b = {{"\xFF\u202E<b>", -1}}});
  EXPECT_EQ(found.text->top_b[0].word, "\\xFF\\u{202E}<b>");
  for (const runs::ChangedWord& word : found.text->changed_words) {
    EXPECT_LT(word.word.size(), 200u);
  }
  EXPECT_NO_THROW(runs::ToJson(found).dump());
}

TEST(TextContrastTest, TheSameDrawsGiveTheSameAnswer) {
  EXPECT_EQ(runs::ToJson(Compare(JoinFirst(0.1))),
            runs::ToJson(Compare(JoinFirst(0.1))));
}

TEST(TextContrastTest, ModelsThatLearnedNothingCannotBeCompared) {
  const auto verdict = [](const DrawnText& bad) {
    const runs::Contrast found = CompareText({.a = {Draw("a1"), Draw("a2")},
                                              .b = {bad, Draw("b2")},
                                              .vocabulary = &Known()});
    EXPECT_TRUE(found.hypotheses.empty());
    EXPECT_EQ(found.verdict, runs::Verdict::kCannotSay);
    return found.reason;
  };
  DrawnText one = Draw("b1");
  for (Sentence& sentence : one.sentences) sentence = {"i", "am"};
  EXPECT_EQ(verdict(one), "b1 draws a few sentences over and over.");
  DrawnText word = Draw("b1");
  word.words = {{"regex", 900}, {"xcode", 3}};
  EXPECT_EQ(verdict(word), "b1 draws a few unknown words over and over.");
  DrawnText bytes = Draw("b1");
  for (CountedWord& each : bytes.words) each.word += "\xFE";
  EXPECT_NE(verdict(bytes).find("not text"), std::string::npos);
}

TEST(TextContrastTest, AModelThatKnowsNoFrequentWordsIsRandom) {
  DrawnText drawn = Draw("a1");
  base::Rng rng(3);
  for (Sentence& sentence : drawn.sentences) {
    for (std::string& word : sentence) {
      word = "w" + std::to_string(rng.Below(10000));
    }
  }
  EXPECT_EQ(TextHealthOf(drawn, 10000).words,
            "draws words at random: it learned nothing");
  EXPECT_TRUE(TextHealthOf(Draw("a1"), 10000).usable);
}

TEST(TextContrastTest, RefusesWhatCannotBeCompared) {
  const auto refused =
      [](const std::function<void(CompareTextOptions&)>& spoil) {
        CompareTextOptions options{.a = {Draw("a1"), Draw("a2")},
                                   .b = {Draw("b1"), Draw("b2")},
                                   .vocabulary = &Known()};
        spoil(options);
        try {
          CompareText(options);
        } catch (const Error& error) {
          return error.kind() == ErrorKind::kBadInput;
        }
        return false;
      };
  EXPECT_TRUE(refused([](auto& o) { o.a.clear(); }));
  EXPECT_TRUE(refused([](auto& o) { o.b.push_back(Draw("b3")); }));
  EXPECT_TRUE(refused([](auto& o) { o.vocabulary = nullptr; }));
  EXPECT_TRUE(refused([](auto& o) { o.a[0].sentences.resize(49); }));
  EXPECT_TRUE(refused([](auto& o) { o.b[1].words.clear(); }));
  EXPECT_TRUE(refused([](auto& o) { o.b[1].words[0].count = 0; }));
  EXPECT_TRUE(refused([](auto& o) { o.b[1].words[0].count = NAN; }));
  EXPECT_TRUE(refused([](auto& o) { o.top_a = {{"w", NAN}}; }));
  EXPECT_TRUE(refused([](auto& o) { o.top_b = {{"w", 1}}; }));
}

TEST(TextMeasuresTest, AreMeansOverWhatWasDrawn) {
  DrawnText a{.model = "a1",
              .sentences = {{"i", "", "am"}, {"", "file"}},
              .words = {{"ab", 3}, {"a 1", 1}}};
  DrawnText b = a;
  b.words = {{"Ab", 1}};
  const auto measures = TextMeasures(LineUp({"a1"}, {"b1"}), {a, b}, Known());
  const auto of = [&](const std::string& key) {
    return *std::ranges::find(measures, key, &runs::Measure::key);
  };
  EXPECT_DOUBLE_EQ(of("unknown_share").a, 0.4);
  EXPECT_DOUBLE_EQ(of("unknown_first").a, 0.5);
  EXPECT_DOUBLE_EQ(of("sentence_length").a, 2.5);
  EXPECT_DOUBLE_EQ(of("word_length").a, 2.25);
  EXPECT_DOUBLE_EQ(of("spaces").a, 0.25);
  EXPECT_DOUBLE_EQ(of("digits").a, 0.25);
  EXPECT_DOUBLE_EQ(of("capitals").b, 1);
}

// The words of a half are chosen on the other one, so luck adds nothing.
TEST(TextDrawsTest, EqualModelsAreNotApartHoweverFewDraws) {
  const TextTraits traits(Known());
  double sum = 0;
  for (int i = 0; i < 20; ++i) {
    const TextDraws draws({Draw("x" + std::to_string(i), {}, 60),
                           Draw("y" + std::to_string(i), {}, 60)},
                          traits, 1);
    const Chosen more = draws.MoreWords({.from = {0}, .to = {1}});
    sum += draws.Excess(more, 0, draws.Whole(0), 1, draws.Whole(1)) / 20;
  }
  EXPECT_NEAR(sum, 0, 0.03);
}

TEST(TextDrawsTest, TheExcessIsTheDistanceInVariation) {
  // Half of the words "i", half "am"; and one in four "i".
  DrawnText a{.model = "a"};
  DrawnText b{.model = "b"};
  for (int i = 0; i < 100; ++i) {
    a.sentences.push_back({"i", "am", "i", "am"});
    b.sentences.push_back({"i", "am", "am", "am"});
  }
  const TextTraits traits(Known());
  const TextDraws draws({a, b}, traits, 1);
  const Chosen more = draws.MoreWords({.from = {0}, .to = {1}});
  EXPECT_NEAR(draws.Excess(more, 0, draws.Whole(0), 1, draws.Whole(1)), 0.25,
              1e-12);
}

TEST(TextDrawsTest, AnUnknownSpellingHasItsShareOfTheUnknownWords) {
  // A quarter of the words is unknown; one spelling of five is joined.
  DrawnText a{.model = "a", .words = {{"i have", 20}, {"regex", 80}}};
  for (int i = 0; i < 100; ++i) a.sentences.push_back({"", "i", "am", "file"});
  const TextTraits traits(Known());
  const TextDraws draws({a}, traits, 1);
  EXPECT_NEAR(draws.Mass(0, TextTrait::kJoined, draws.Whole(0)), 0.05, 1e-12);
  EXPECT_NEAR(draws.MostMass(0, TextTrait::kCase), 0.25, 1e-12) << "i";
}

TEST(RankedScoresTest, CountsPairsByWeightAndTiesHalf) {
  // from 0 (once), 2 (three times); to 1 (once), 2 (once).
  const RankedScores ranked({0, 2}, {1, 2});
  // 1 beats 0: 1 of 4; 2 beats 0 and ties thrice: 2.5 of 4.
  EXPECT_DOUBLE_EQ(ranked.Chance({1, 3}, {1, 1}), (1 + 2.5) / 8);
  EXPECT_DOUBLE_EQ(ranked.Chance({0, 0}, {1, 1}), 0.5);
}

TEST(IsSpelledTest, NeedsFiftyWordsThatAreMostlyText) {
  EXPECT_TRUE(IsSpelled({.words = {{"regex", 30}, {"i have", 20}}}));
  EXPECT_FALSE(IsSpelled({.words = {{"regex", 30}, {"i have", 19}}}));
  EXPECT_TRUE(IsSpelled({.words = {{"regex", 60}, {"\xff\xfe", 40}}}));
  EXPECT_FALSE(IsSpelled({.words = {{"regex", 59}, {"\xff\xfe", 41}}}));
  EXPECT_FALSE(IsSpelled({}));
}

}  // namespace
}  // namespace sfumato::eval
