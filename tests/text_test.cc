// Text as a user meets it: a vocabulary, training, drawing, an inspection, on a
// few generated people.

#include <algorithm>
#include <cmath>
#include <map>

#include "data/dataset.h"
#include "data/vocabulary.h"
#include "inspection_testing.h"
#include "runs/text_samples.h"

namespace sfumato {
namespace {

constexpr const char* kForum =
    "[data]\ngenerate = \"forum\"\nusers = 40\nexamples = 12\n";

class TextTest : public InspectionFixture {
 protected:
  // Says what the set is, as somebody would who owns it.
  void Declare(const std::string& set, const std::string& origin) {
    std::string json = Read(set + "/dataset.json");
    const std::string generated = "\"generated\"";
    json.replace(json.find(generated), generated.size(),
                 "\"" + origin + "\", \"id\": \"01\", \"declared\": true");
    Write(set + "/dataset.json", json);
  }
};

// Every author compares their own text now with their own before.
TEST_F(TextTest, ACensusNamesWhatAnUpdateDidToTheUsersOwnText) {
  const auto make = [&](const char* out) {
    ASSERT_EQ(Sfumato({"data", "make", "forum", "--users", "200", "--seed", "3",
                       "--mean-sentences", "30", "--out", out}),
              0)
        << Read("err");
  };
  make("before");
  ASSERT_EQ(Sfumato({"data", "bug", "before", "--bug", "join", "--share", "0.3",
                     "--out", "now"}),
            0)
      << Read("err");
  const auto ask = [&](const std::string& now) {
    Write("c.toml",
          "[data]\npath = \"" + now +
              "\"\nbefore_path = \"before\"\n[census]\nreference = "
              "\"forum\"\ngroups = \"before_after\"\neffort = 0.02\n");
    EXPECT_EQ(Sfumato({"census", "c.toml", "--out", "votes_" + now, "--json"}),
              0)
        << Read("err");
    return nlohmann::json::parse(Read("out"));
  };
  const auto changed = ask("now");
  EXPECT_EQ(changed.at("verdict"), "differs");
  EXPECT_EQ(changed.at("answers").at(0).at("key"), "join");
  EXPECT_LE(changed.at("answers").at(0).at("low"), 0.3);
  EXPECT_GE(changed.at("answers").at(0).at("high"), 0.3);
  make("same");
  EXPECT_NE(ask("same").at("verdict"), "differs");
}

TEST_F(TextTest, WordsAndCharactersTrainAndDraw) {
  Write("w.toml", std::string("preset = \"word_lm_quick\"\nrounds = 3\n") +
                      kForum +
                      "test_share = 0.2\n[cohort]\nsize = 8\n[text]\n"
                      "vocabulary_size = 50\nlongest_sentence = 6\n");
  ASSERT_EQ(Sfumato({"train", "w.toml", "--out", "words"}), 0) << Read("err");
  const data::Vocabulary words =
      data::ReadVocabulary(folder_ / "words/vocabulary.txt");
  EXPECT_EQ(words.words().size(), 50u);
  EXPECT_NE(Read("words/vocabulary.txt").find("# Counted exactly: generated\n"),
            std::string::npos);
  // What it wrote after every round, a tenth of three being less than one.
  EXPECT_EQ(runs::TextSamplesIn(folder_ / "words/samples").size(), 3u);
  ASSERT_EQ(Sfumato({"eval", "words", "--json"}), 0) << Read("err");
  const auto judged = nlohmann::json::parse(Read("out"));
  EXPECT_NEAR(judged.at("perplexity").get<double>(),
              std::exp(judged.at("loss").get<double>()), 1e-6);
  ASSERT_EQ(Sfumato({"sample", "words", "--count", "30", "--out", "drawn"}), 0)
      << Read("err");
  const runs::TextSamples drawn =
      runs::ReadTextSamples(runs::TextSamplesIn(folder_ / "drawn").at(0));
  EXPECT_EQ(drawn.round, 3);
  EXPECT_EQ(drawn.sentences.size(), 30u);
  for (const auto& sentence : drawn.sentences) {
    EXPECT_LE(sentence.size(), 6u);
    for (const std::string& word : sentence) {
      EXPECT_TRUE(word.empty() || words.Knows(word)) << word;
    }
  }

  // Another vocabulary than the run's has other numbers for words.
  ASSERT_EQ(Sfumato({"train", "w.toml", "--set",
                     "text.vocabulary=words/vocabulary.txt", "--set",
                     "preset=char_lm_quick", "--set", "model.name=char_lm",
                     "--out", "bytes"}),
            0)
      << Read("err");
  ASSERT_EQ(Sfumato({"sample", "bytes", "--count", "40", "--out", "spelled"}),
            0)
      << Read("err");
  // Text has no files of images.
  EXPECT_EQ(Sfumato({"sample", "bytes", "--npz", "--out", "images"}), 2);
  EXPECT_NE(Read("err").find("JSON lines"), std::string::npos) << Read("err");
  EXPECT_FALSE(fs::exists(folder_ / "images"));
  const runs::TextSamples spelled =
      runs::ReadTextSamples(runs::TextSamplesIn(folder_ / "spelled").at(0));
  EXPECT_EQ(spelled.top.size(), 20u);
  for (std::size_t i = 1; i < spelled.top.size(); ++i) {
    EXPECT_GE(spelled.top[i - 1].log_probability,
              spelled.top[i].log_probability);
  }
  // As many words, in another order, are other numbers.
  data::VocabularyText turned =
      data::ParseVocabulary(Read("words/vocabulary.txt"), "vocabulary.txt");
  std::ranges::reverse(turned.words);
  Write("words/vocabulary.txt", data::ToText(turned));
  for (const char* command : {"sample", "eval"}) {
    EXPECT_EQ(Sfumato({command, "words"}), 2);
    EXPECT_NE(Read("err").find("other words"), std::string::npos)
        << Read("err");
  }
  std::filesystem::remove(folder_ / "words/vocabulary.txt");
  EXPECT_EQ(Sfumato({"sample", "words"}), 2) << "whoever looks counts nothing";
  EXPECT_FALSE(std::filesystem::exists(folder_ / "words/vocabulary.txt"));
  std::string other = "zebra\n";
  for (int i = 0; i < 9; ++i) other += "w" + std::to_string(i) + "\n";
  Write("words/vocabulary.txt", other);
  EXPECT_EQ(Sfumato({"sample", "words"}), 2);
  EXPECT_NE(Read("err").find("54 symbols"), std::string::npos) << Read("err");
}

TEST_F(TextTest, AnInspectionGoesFromAConfigToAPage) {
  Write("i.toml",
        std::string("preset = \"word_lm_quick\"\nrounds = 3\n") + kForum +
            "bug = \"join\"\nbug_share = 1.0\nbug_of = \"examples\"\n"
            "[select]\nby = \"before_after\"\n[cohort]\nsize = 6\n"
            "[text]\nvocabulary_size = 60\n[inspect]\nsamples = 100\n"
            "character_rounds = 2\n[survey]\nhistogram_noise = 0.2\n");
  ASSERT_EQ(Sfumato({"inspect", "i.toml", "--out", "look", "--json"}), 0)
      << Read("err");
  const runs::InspectionRecord record = runs::ReadInspection(folder_ / "look");
  EXPECT_EQ(record.status, runs::Status::kFinished);
  EXPECT_EQ(record.a.runs,
            (Words{"a1_words", "a2_words", "a1_characters", "a2_characters"}));
  // Everybody's first two words are one: of a sentence of n words, 1 of n - 1
  // is unknown that was not.
  EXPECT_GT(runs::MeanOf(*record.unknown_b).value,
            runs::MeanOf(*record.unknown_a).value + 0.05);
  // A user is in four models, and no half is in another's.
  EXPECT_FALSE(record.privacy.pays_once);
  EXPECT_EQ(record.privacy.parts.size(), 2u + 8u);
  EXPECT_EQ(record.privacy.rounds, 3);
  EXPECT_EQ(record.privacy.character_rounds, 2);
  const runs::Contrast contrast =
      runs::ContrastFromJson(Json("look/contrast.json"), "contrast.json");
  ASSERT_TRUE(contrast.text.has_value());
  EXPECT_FALSE(contrast.text->unknown_by_position.empty());
  EXPECT_FALSE(contrast.text->top_b.empty());
  EXPECT_NE(Read("look/report.md").find("are unknown on A"), std::string::npos);
  EXPECT_NE(Read("look/report.html").find("counted exactly"),
            std::string::npos);
  EXPECT_EQ(Sfumato({"ledger", "verify", "look/ledger.sqlite"}), 0);
  // What was before has no joined words; what is now has.
  EXPECT_EQ(Read("look/before/data/data.safetensors").find("\u00A0"),
            std::string::npos);
  EXPECT_NE(Read("look/data/data.safetensors").find("\u00A0"),
            std::string::npos);

  struct Case {
    Words words;
    int code;
    std::string says;
  };
  const std::vector<Case> cases = {
      {{"--set", "data.bug="}, 2, "data.before_path"},
      {{"--set", "preset=gan_quick"}, 2, "word_lm_quick"},
      {{"--set", "select.by=accuracy"}, 4, "before_after"},
      {{"--set", "data.generate=handwriting", "--set", "preset=gan_quick",
        "--set", "data.bug=invert"},
       4,
       "for text"},
      {{"--set", "text.vocabulary=nowhere.txt"}, 2, "nowhere.txt"},
      {{"--set", "lstm.projection=16"}, 2, "tied"},
      {{"--set", "data.bug=invert"}, 2, "a bug of images"},
      {{"--set", "data.generate=", "--set", "data.bug=", "--set",
        "data.path=now", "--set", "data.before_path=others"},
       2,
       "1 of the 3 users now were there before"},
  };
  // Two states of the data are the same people's.
  for (const auto& [name, ids] : {std::pair("now", "abc"), {"others", "axy"}}) {
    std::string rows = "who,said\n";
    for (const char id : std::string(ids)) rows += std::string(1, id) + ",hi\n";
    Write("rows.csv", rows);
    ASSERT_EQ(Sfumato({"data", "import", "text", "rows.csv", "--user", "who",
                       "--text", "said", "--public", "--out", name}),
              0)
        << Read("err");
  }
  for (const Case& c : cases) {
    for (const bool dry : {true, false}) {
      Words words = {"inspect", "i.toml", "--out", "bad"};
      words.insert(words.end(), c.words.begin(), c.words.end());
      if (dry) words.push_back("--dry-run");
      EXPECT_EQ(Sfumato(words), c.code) << c.says << Read("err");
      EXPECT_NE(Read("err").find(c.says), std::string::npos) << Read("err");
      EXPECT_FALSE(fs::exists(folder_ / "bad"));
    }
  }
}

TEST_F(TextTest, AWordModelOfOthersSaysWhoIsOnWhichSide) {
  Write("j.toml", std::string("preset = \"word_lm_quick\"\nrounds = 3\n") +
                      kForum +
                      "seed = 9\n[cohort]\nsize = 20\n"
                      "[text]\nvocabulary_size = 70\n");
  ASSERT_EQ(Sfumato({"train", "j.toml", "--out", "judge"}), 0) << Read("err");
  ASSERT_EQ(
      Sfumato({"train", "j.toml", "--set", "data.seed=8", "--out", "other"}), 0)
      << Read("err");
  // The judge knows other words than the models do.
  Write("i.toml", std::string("preset = \"word_lm_quick\"\nrounds = 1\n") +
                      kForum +
                      "bug = \"join\"\nbug_share = 0.5\nbug_of = \"users\"\n"
                      "[select]\nby = \"perplexity\"\nmodel = \"judge\"\n"
                      "model_is = \"public\"\nbelow_quantile = 0.4\n"
                      "above_quantile = 0.6\n[cohort]\nsize = 3\n"
                      "[text]\nvocabulary_size = 60\n[inspect]\nsamples = 50\n"
                      "character_rounds = 1\n[survey]\nquantile_epsilon = 40\n"
                      "count_noise = 0\n");
  ASSERT_EQ(Sfumato({"inspect", "i.toml", "--out", "look"}), 0) << Read("err");
  const runs::InspectionRecord record = runs::ReadInspection(folder_ / "look");
  EXPECT_EQ(record.status, runs::Status::kFinished);
  EXPECT_TRUE(record.privacy.pays_once);
  EXPECT_EQ(record.model_words, "the word model of the run judge");
  EXPECT_EQ(record.model_provenance, "public");
  ASSERT_TRUE(record.above && record.below);
  EXPECT_EQ(record.above->source, "released");
  EXPECT_GT(record.above->value, record.below->value);
  EXPECT_TRUE(record.a.rule.starts_with("perplexity < ")) << record.a.rule;
  EXPECT_TRUE(record.b.rule.starts_with("perplexity > ")) << record.b.rule;
  // What `eval` says of the same people.
  ASSERT_EQ(Sfumato({"eval", "judge", "--data", "look/data", "--json"}), 0)
      << Read("err");
  int below = 0;
  int above = 0;
  const auto judged = nlohmann::json::parse(Read("out"));
  for (const auto& user : judged.at("by_user")) {
    const double perplexity = std::exp(user.at("loss").get<double>());
    below += perplexity < record.below->value;
    above += perplexity > record.above->value;
  }
  EXPECT_EQ(record.a.users.value, below);
  EXPECT_EQ(record.b.users.value, above);
  // Two fifths of the users each, and noise that moves nearly nobody.
  EXPECT_NEAR(below, 16, 2);
  EXPECT_NEAR(above, 16, 2);

  // Sentences: nearly everybody has some on both sides, and pays for both.
  const std::string middle = std::to_string(record.below->value);
  ASSERT_EQ(
      Sfumato({"inspect", "i.toml", "--set", "select.by=likelihood", "--set",
               "select.below_quantile=0", "--set", "select.above_quantile=0",
               "--set", "select.below=" + middle, "--set",
               "select.above=" + middle, "--set", "select.least_examples=1",
               "--out", "sentences"}),
      0)
      << Read("err");
  const runs::InspectionRecord by_sentence =
      runs::ReadInspection(folder_ / "sentences");
  EXPECT_FALSE(by_sentence.privacy.pays_once);
  EXPECT_GT(by_sentence.a.users.value, 30);
  EXPECT_GT(by_sentence.b.users.value, 30);
  EXPECT_NE(Read("sentences/report.md").find("holds unlikely"),
            std::string::npos);

  // Another judge under the same name would move people.
  runs::InspectionRecord stopped = record;
  stopped.status = runs::Status::kInterrupted;
  runs::WriteInspection(folder_ / "look", stopped);
  fs::rename(folder_ / "judge", folder_ / "first");
  fs::rename(folder_ / "other", folder_ / "judge");
  EXPECT_EQ(Sfumato({"resume", "look"}), 2);
  EXPECT_NE(Read("err").find("the judging model"), std::string::npos)
      << Read("err");

  struct Case {
    Words words;
    int code;
    std::string says;
  };
  const std::vector<Case> cases = {
      {{"--set", "select.model="}, 2, "train a word model first"},
      {{"--set", "select.model=nowhere"}, 2, "nowhere"},
      {{"--set", "select.by=likelihood", "--set", "select.above=9", "--set",
        "select.below=9"},
       2,
       "select.above_quantile"},
      {{"--set", "select.below_quantile=0", "--set", "select.below=0.5"},
       2,
       "a perplexity, at least 1"},
      {{"--set", "select.by=unlike_public", "--set", "select.above=0.9",
        "--set", "select.below=0.1"},
       4,
       "likelihood"},
      {{"--set", "select.below_quantile=0", "--set", "select.above_quantile=0",
        "--set", "select.below=1.5", "--set", "select.above=2"},
       2,
       "for a quarter of the users"},
  };
  for (const Case& c : cases) {
    Words words = {"inspect", "i.toml", "--out", "bad"};
    words.insert(words.end(), c.words.begin(), c.words.end());
    EXPECT_EQ(Sfumato(words), c.code) << c.says << Read("err");
    EXPECT_NE(Read("err").find(c.says), std::string::npos) << Read("err");
    EXPECT_FALSE(fs::exists(folder_ / "bad"));
  }
  EXPECT_EQ(Sfumato({"inspect", "i.toml", "--set", "select.model=nowhere",
                     "--out", "bad", "--dry-run"}),
            2);
}

TEST_F(TextTest, WordsOfPrivatePeopleAreChosenPrivatelyAndPaidFor) {
  ASSERT_EQ(
      Sfumato({"data", "make", "forum", "--users", "60", "--out", "people"}),
      0);
  ASSERT_EQ(Sfumato({"data", "vocabulary", "people", "--size", "20", "--exact",
                     "--out", "exact.txt"}),
            0)
      << Read("err");
  EXPECT_EQ(data::ReadVocabulary(folder_ / "exact.txt").words().size(), 20u);
  // As older programs wrote it, without whose words they are.
  std::string exact = Read("exact.txt");
  const std::string origin = "# Counted exactly: generated";
  ASSERT_NE(exact.find(origin), std::string::npos);
  exact.replace(exact.find(origin), origin.size(),
                "# Counted exactly in 'people'.");
  Write("exact.txt", exact);
  Declare("people", "private");
  const Words choose = {"data",  "vocabulary",     "people", "--noise",
                        "0.05",  "--words-a-user", "400",    "--out",
                        "w.txt", "--yes"};
  EXPECT_EQ(
      Sfumato({"data", "vocabulary", "people", "--exact", "--out", "w.txt"}),
      4);
  EXPECT_EQ(Sfumato(choose), 2);
  EXPECT_NE(Read("err").find("ledger create"), std::string::npos);
  ASSERT_EQ(Sfumato({"ledger", "create", "ledger.sqlite", "--population",
                     "people", "--epsilon", "10000", "--delta", "1e-3"}),
            0);
  Words nobodys = choose;
  nobodys[4] = "1000";
  EXPECT_EQ(Sfumato(nobodys), 2);
  EXPECT_NE(Read("err").find("what was spent stays spent"), std::string::npos)
      << Read("err");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "w.txt"));
  ASSERT_EQ(Sfumato(choose), 0) << Read("err");
  const data::Vocabulary shared = data::ReadVocabulary(folder_ / "w.txt");
  // The threshold is 1 + 0.05 sqrt(400) Q(1e-9 / 400), about 8 users.
  std::map<std::string, int> users;
  const data::FederatedDataset people(folder_ / "people");
  for (std::size_t u = 0; u < people.users(); ++u) {
    for (const std::string& word : data::WordsOfUser(
             people.user(u), people.info().text_form, 10'000, 1)) {
      ++users[word];
    }
  }
  EXPECT_GT(shared.words().size(), 3u);
  for (const std::string& word : shared.words()) {
    EXPECT_GE(users[word], 3) << word;  // five deviations of 1 below it
  }
  ASSERT_EQ(
      Sfumato({"ledger", "export", "ledger.sqlite", "--output", "entries"}), 0)
      << Read("err");
  EXPECT_NE(Read("entries").find("vocabulary-people-"), std::string::npos);
  // A second choice is a second release.
  Words again = choose;
  again[8] = "w2.txt";
  ASSERT_EQ(Sfumato(again), 0) << Read("err");
  // What a missing folder would lose is not spent.
  Words lost = choose;
  lost[8] = "nowhere/w.txt";
  EXPECT_EQ(Sfumato(lost), 6);
  // Nobody trains on private text without a vocabulary, or an exact one.
  Write("p.toml",
        "preset = \"word_lm_quick\"\nrounds = 2\n[data]\npath = \"people\"\n"
        "[cohort]\nsize = 10\npopulation = 60\n");
  EXPECT_EQ(Sfumato({"train", "p.toml", "--out", "p", "--yes"}), 4);
  EXPECT_NE(Read("err").find("text.vocabulary"), std::string::npos)
      << Read("err");
  const auto train = [&](const std::string& file, const std::string& is) {
    return Sfumato({"train", "p.toml", "--set", "text.vocabulary=" + file,
                    "--set", "text.vocabulary_is=" + is, "--set",
                    "privacy.noise_multiplier=5", "--out", "q", "--yes"});
  };
  EXPECT_EQ(Sfumato({"train", "p.toml", "--set", "text.vocabulary=exact.txt",
                     "--set", "text.vocabulary_is=public", "--dry-run"}),
            4);
  EXPECT_EQ(train("exact.txt", "public"), 4);
  EXPECT_NE(Read("err").find("counted exactly"), std::string::npos)
      << Read("err");
  // Whose words they are is said, and is true.
  EXPECT_EQ(train("w.txt", ""), 4);
  EXPECT_NE(Read("err").find("text.vocabulary_is"), std::string::npos)
      << Read("err");
  std::filesystem::remove_all(folder_ / "q");
  Write("plain.txt", "the\na\nhave\n");
  EXPECT_EQ(train("plain.txt", "released"), 2) << Read("err");
  std::filesystem::remove_all(folder_ / "q");
  ASSERT_EQ(train("w.txt", "released"), 0) << Read("err");
  EXPECT_NE(Read("err").find(", released before · rounds "), std::string::npos)
      << Read("err");
  // Whoever reads the page later reads the same price, words included.
  const std::string costs =
      Read("out").substr(Read("out").find("Costs    ") + 9, 8);
  EXPECT_NE(Read("err").find(costs), std::string::npos) << costs << Read("err");
  std::filesystem::remove_all(folder_ / "q");
  EXPECT_EQ(train("w.txt", "public"), 4) << "they were chosen from these users";
  // An inspection of the same people to its end: its epsilon has the words.
  Write("i.toml",
        "preset = \"word_lm_quick\"\nrounds = 2\n[data]\npath = \"people\"\n"
        "before_path = \"people\"\n[cohort]\nsize = 10\npopulation = 60\n"
        "[select]\nby = \"before_after\"\nusers_a = 60\nusers_b = 60\n"
        "[text]\nvocabulary = \"w.txt\"\nvocabulary_is = \"released\"\n"
        "[privacy]\nnoise_multiplier = 5\n"
        "[survey]\ncount_noise = 0\nhistogram_noise = 9\n"
        "[inspect]\nsamples = 60\ncharacter_rounds = 2\n");
  ASSERT_EQ(Sfumato({"inspect", "i.toml", "--dry-run"}), 0) << Read("err");
  ASSERT_EQ(Sfumato({"inspect", "i.toml", "--out", "i", "--yes"}), 0)
      << Read("err");
  const auto record = nlohmann::json::parse(Read("i/inspection.json"));
  EXPECT_EQ(record.at("privacy").at("parts")[0].at("what"),
            "vocabulary, released before");
  EXPECT_EQ(Read("i/report.html").find("Not quite"), std::string::npos);
}

TEST_F(TextTest, CanariesAreRememberedWithoutPrivacyAndJudgedBesideAProof) {
  Write("c.toml", std::string("preset = \"word_lm_quick\"\nrounds = 12\n") +
                      kForum +
                      "test_share = 0.2\n[cohort]\nsize = 20\n[text]\n"
                      "vocabulary_size = 100\nlongest_sentence = 6\n"
                      "[canary]\nusers = 4\nrepeats = 60\nwords = 4\n");
  ASSERT_EQ(Sfumato({"train", "c.toml", "--set", "algorithm=fedavg", "--set",
                     "local.epochs=3", "--out", "plain"}),
            0)
      << Read("err");
  ASSERT_EQ(Sfumato({"eval", "plain", "--exposure", "--alternatives", "1023",
                     "--json"}),
            0)
      << Read("err");
  const auto plain = nlohmann::json::parse(Read("out"));
  EXPECT_TRUE(plain.at("proven").is_null());
  const auto& estimate = plain.at("estimate");
  EXPECT_EQ(estimate.at("most_measurable_bits"), 10);
  ASSERT_EQ(estimate.at("canaries").size(), 4u);
  for (const auto& canary : estimate.at("canaries")) {
    EXPECT_NEAR(canary.at("exposure_bits").get<double>(),
                10 - std::log2(canary.at("rank").get<double>()), 1e-9);
    const std::string words = canary.at("sentence");
    EXPECT_EQ(std::ranges::count(words, ' '), 3) << words;
  }
  // By chance 1.4; a mean of four above 8 comes once in two million, above 7
  // once in 200,000 (sums of exponential variables).
  EXPECT_GT(estimate.at("mean_bits").get<double>(), 8);
  ASSERT_EQ(Sfumato({"eval", "plain", "--exposure"}), 0) << Read("err");
  EXPECT_NE(Read("out").find("Not a bound"), std::string::npos) << Read("out");
  EXPECT_NE(Read("out").find("nothing: trained without privacy"),
            std::string::npos);

  // With much noise the same sentences are strangers, and that is proven.
  ASSERT_EQ(Sfumato({"train", "c.toml", "--set", "privacy.noise_multiplier=5",
                     "--set", "rounds=3", "--out", "noisy"}),
            0)
      << Read("err");
  ASSERT_EQ(Sfumato({"eval", "noisy", "--exposure", "--alternatives", "1023",
                     "--json"}),
            0)
      << Read("err");
  const auto noisy = nlohmann::json::parse(Read("out"));
  for (std::size_t i = 0; i < 4; ++i) {
    for (const char* key : {"user", "sentence"}) {
      EXPECT_EQ(noisy.at("estimate").at("canaries")[i].at(key),
                estimate.at("canaries")[i].at(key));
    }
  }
  const auto& proven = noisy.at("proven");
  EXPECT_EQ(proven.at("adjacency"), "add-remove");
  const double epsilon = proven.at("epsilon");
  const auto& chances = proven.at("chance_of_exposure");
  EXPECT_EQ(chances.back().at("exposure_bits"), 10);
  // Never above what the run's own ε and δ say by themselves.
  EXPECT_LE(chances.back().at("at_most").get<double>(),
            std::exp(epsilon) / 1024 + proven.at("delta").get<double>() + 1e-9);
  EXPECT_LT(proven.at("mean_at_most_bits").get<double>(),
            (epsilon + 1) / std::log(2.0) + 0.1);
  EXPECT_LT(noisy.at("estimate").at("mean_bits").get<double>(), 7);

  // What is judged is what people wrote: as many predictions as without.
  ASSERT_EQ(Sfumato({"eval", "noisy", "--json"}), 0) << Read("err");
  const auto judged = nlohmann::json::parse(Read("out")).at("by_user");
  ASSERT_EQ(Sfumato({"train", "c.toml", "--set", "canary.users=0", "--set",
                     "rounds=1", "--out", "without"}),
            0)
      << Read("err");
  ASSERT_EQ(Sfumato({"eval", "without", "--json"}), 0) << Read("err");
  const auto others = nlohmann::json::parse(Read("out")).at("by_user");
  ASSERT_EQ(judged.size(), others.size());
  for (std::size_t i = 0; i < judged.size(); ++i) {
    EXPECT_EQ(judged[i].at("user"), others[i].at("user"));
    EXPECT_EQ(judged[i].at("examples"), others[i].at("examples"));
  }
  EXPECT_EQ(Sfumato({"eval", "without", "--exposure"}), 2);
  EXPECT_NE(Read("err").find("canary.users"), std::string::npos) << Read("err");
  EXPECT_EQ(Sfumato({"eval", "noisy", "--exposure", "--data", "x"}), 2);

  // Nobody's private data get a sentence that they did not write.
  ASSERT_EQ(
      Sfumato({"data", "make", "forum", "--users", "30", "--out", "people"}),
      0);
  Declare("people", "private");
  ASSERT_EQ(Sfumato({"ledger", "create", "ledger.sqlite", "--population",
                     "people", "--epsilon", "1e9", "--delta", "1e-3"}),
            0);
  EXPECT_EQ(Sfumato({"train", "c.toml", "--set", "data.generate=", "--set",
                     "data.path=people", "--set", "data.test_share=0", "--set",
                     "cohort.population=30", "--out", "no", "--yes"}),
            2);
  EXPECT_NE(Read("err").find("canary.users"), std::string::npos) << Read("err");
}

}  // namespace
}  // namespace sfumato
