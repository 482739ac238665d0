#include "config/train_config.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <type_traits>
#include <variant>
#include <vector>

#include "base/error.h"
#include "config/config_fields.h"

namespace sfumato::config {
namespace {

using Strings = std::vector<std::string>;

// The least that a config must say.
const std::string kLeast =
    "data.generate = \"handwriting\"\nprivacy.epsilon = 2\n";

TrainConfig Parse(const std::string& toml, const Strings& sets = {}) {
  return ParseTrainConfig(toml, "train.toml", sets);
}

// The error of a config that must be refused.
Error Refused(const std::string& toml, const Strings& sets = {}) {
  try {
    Parse(toml, sets);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kBadInput) << toml;
    EXPECT_NE(error.todo(), "") << toml;
    return error;
  }
  ADD_FAILURE() << "was read: " << toml << testing::PrintToString(sets);
  return BadInput("");
}

bool Contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

TEST(TrainConfigTest, WhatIsNotSaidIsTheDefault) {
  TrainConfig expected;
  expected.data.generate = "handwriting";
  expected.privacy.epsilon = 2;
  EXPECT_EQ(Parse(kLeast), expected);
}

TEST(TrainConfigTest, ReadsEveryTypeOfValue) {
  const TrainConfig config = Parse(R"(
name = "first try"
rounds = 1_000
[data]
path = "people"
[cohort]
size = 50          # a whole number for a key of numbers
[local]
learning_rate = 5e-4
[privacy]
noise_multiplier = 1
[device]
tf32 = false
)");
  EXPECT_EQ(config.name, "first try");
  EXPECT_EQ(config.rounds, 1000);
  EXPECT_EQ(config.data.path, "people");
  EXPECT_EQ(config.cohort.size, 50.0);
  EXPECT_EQ(config.local.learning_rate, 5e-4);
  EXPECT_EQ(config.privacy.noise_multiplier, 1.0);
  EXPECT_FALSE(config.device.tf32);
}

TEST(TrainConfigTest, SetsGoOverTheFileInTheirOrder) {
  const TrainConfig config =
      Parse(kLeast + "rounds = 3\nmodel.name = \"lenet\"\n",
            {"rounds=20", "model.name=mlp", "name='a b'", "data.seed=7",
             "cohort.size=2.5", "device.tf32=false", "rounds=1e3",
             "privacy.ledger=a=b", "privacy.population=2024"});
  EXPECT_EQ(config.rounds, 1000);
  EXPECT_EQ(config.model.name, "mlp");
  EXPECT_EQ(config.name, "a b");
  EXPECT_EQ(config.data.seed, 7);
  EXPECT_EQ(config.cohort.size, 2.5);
  EXPECT_FALSE(config.device.tf32);
  EXPECT_EQ(config.privacy.ledger, "a=b");
  EXPECT_EQ(config.privacy.population, "2024") << "text needs no quotes";
}

TEST(TrainConfigTest, TextBeyondAsciiMayStandWhereTextMay) {
  // U+3042, U+E0C3 and others at which toml++ itself stumbles.
  for (const char* text : {"é", "§", "あ", "\uE0C3", "\uE0C3\uE0A9", "🙂"}) {
    const std::string quoted = "\"" + std::string(text) + "\"";
    EXPECT_EQ(Parse(kLeast + "name = " + quoted + " # é あ").name, text);
    EXPECT_EQ(Parse(kLeast, {"name=" + quoted}).name, text);
    EXPECT_EQ(Parse(kLeast, {"name=" + std::string(text)}).name, text);
    EXPECT_EQ(Parse(kLeast + "name = \"\"\"\\\n" + text + "\"\"\"").name, text);
  }
  EXPECT_EQ(Parse("\xEF\xBB\xBF" + kLeast), Parse(kLeast))
      << "a byte order mark";
}

TEST(TrainConfigTest, ASetCanTakeAKeyBack) {
  const TrainConfig config =
      Parse(kLeast, {"data.generate=", "data.path=people"});
  EXPECT_EQ(config.data.generate, "");
  EXPECT_EQ(config.data.path, "people");
}

TEST(TrainConfigTest, WhatIsWrittenReadsBackTheSame) {
  TrainConfig config;
  config.name = "\"quotes\" \\ back\tslash\n\x01\x7f é 🙂 # [x]";
  config.algorithm = Algorithm::kFedAvg;
  config.rounds = 999'999;
  config.seed = std::numeric_limits<std::int64_t>::max();
  config.data.path = "C:\\new";
  config.data.test_share = 0.1;
  config.cohort.size = 1.0 / 3;
  config.local.learning_rate = 5e-324;
  config.server.learning_rate = 1.7976931348623157e308;
  config.privacy.delta = 1e-6;
  config.privacy.epsilon = 1e16;
  config.device.tf32 = false;
  EXPECT_EQ(Parse(ToToml(config)), config);
}

TEST(TrainConfigTest, EveryFieldReadsBackWhenItIsNotTheDefault) {
  // Every field is given another value than its default, through the table;
  // the text then has them all, and reading gives them back.
  TrainConfig config;
  for (const Field& field : Fields()) {
    const Slot slot = field.slot(config);
    if (const auto* text = std::get_if<std::string*>(&slot)) {
      const auto* words = std::get_if<OneOf>(&field.rule);
      **text = words == nullptr            ? field.key + "!"
               : words->words[0] == **text ? words->words[1]
                                           : words->words[0];
    } else if (const auto* choice = std::get_if<Choice>(&slot)) {
      choice->set(choice->get() == 1 ? 0 : 1);
    } else if (const auto* whole = std::get_if<std::int64_t*>(&slot)) {
      const auto* range = std::get_if<Range>(&field.rule);
      const bool higher =
          range == nullptr || range->Holds(static_cast<double>(**whole + 1));
      **whole += higher ? 1 : -1;
    } else if (const auto* number = std::get_if<double*>(&slot)) {
      **number = **number / 2 + 0.125;
    } else if (const auto* given = std::get_if<std::optional<double>*>(&slot)) {
      **given = 0.375;
    } else {
      bool& truth = **std::get_if<bool*>(&slot);
      truth = !truth;
    }
  }
  config.data.generate = "";  // beside data.path
  config.data.test_path = "";
  config.cohort.sampling = Sampling::kPoisson;
  config.cohort.population = 1000;
  config.canary.users = 0;  // with a model of words alone
  EXPECT_EQ(Parse(ToToml(config)), config);
}

// Where in `config` a choice is kept: what setting it changes.
const char* PlaceOf(const Choice& choice, const TrainConfig& config) {
  const auto* bytes = reinterpret_cast<const char*>(&config);
  const std::vector<char> before(bytes, bytes + sizeof config);
  choice.set((choice.get() + 1) % choice.words.size());
  return std::mismatch(before.begin(), before.end(), bytes).second;
}

TEST(TrainConfigTest, EveryMemberHasOneRow) {
  TrainConfig config;
  const auto* begin = reinterpret_cast<const char*>(&config);
  std::map<const char*, std::size_t> members = {{begin + sizeof config, 0}};
  for (const Field& field : Fields()) {
    const Slot slot = field.slot(config);
    if (const auto* choice = std::get_if<Choice>(&slot)) {
      members[PlaceOf(*choice, config)] = sizeof(By);
      continue;
    }
    std::visit(
        [&]<typename Member>(const Member& member) {
          if constexpr (std::is_pointer_v<Member>) {
            members[reinterpret_cast<const char*>(member)] = sizeof *member;
          }
        },
        slot);
  }
  EXPECT_EQ(members.size(), Fields().size() + 1) << "a member has two rows";
  // What no row reaches is padding: less than a number or a text takes.
  const char* end = begin;
  for (const auto& [at, size] : members) {
    EXPECT_LT(at - end, 8) << "a member has no row, " << end - begin
                           << " bytes from the beginning";
    end = at + size;
  }
}

TEST(TrainConfigTest, EveryKeyHasACommentInTheEffectiveConfig) {
  const std::string toml = ToToml({});
  for (const Field& field : Fields()) {
    EXPECT_NE(field.comment, "") << field.FullKey();
    EXPECT_TRUE(Contains(toml, field.comment)) << field.FullKey();
  }
  EXPECT_TRUE(Contains(toml, "\n[cohort]\nsampling = \"poisson\""));
}

TEST(TrainConfigTest, ChangedKeysAreThoseWithOtherValues) {
  TrainConfig config;
  EXPECT_EQ(ChangedKeys(config), "");
  config.cohort.size = 7;
  config.select.by = By::kClass;
  config.select.below = 0.5;
  EXPECT_EQ(ChangedKeys(config),
            "select.by = \"class\"\nselect.below = 0.5\ncohort.size = 7\n");
}

TEST(TrainConfigTest, DefaultsKeepTheirOwnRules) {
  TrainConfig config = Parse(kLeast);
  EXPECT_EQ(Parse(ToToml(config)), config);
}

TEST(TrainConfigTest, ThresholdsThatNobodyGaveAreQuantiles) {
  const auto select = [](const std::string& lines) {
    return Parse(
               "data.generate = \"handwriting\"\nprivacy.epsilon = 1\n"
               "[select]\n" +
               lines)
        .select;
  };
  const auto quantiles = [&](const std::string& lines) {
    const SelectConfig found = select(lines);
    return std::pair(found.above_quantile, found.below_quantile);
  };
  using Pair = std::pair<double, double>;
  // Sides of equal size.
  EXPECT_EQ(quantiles("by = \"accuracy\""), Pair(0.75, 0.25));
  EXPECT_EQ(quantiles("by = \"perplexity\""), Pair(0.75, 0.25));
  EXPECT_FALSE(select("by = \"accuracy\"").above.has_value());
  // What is given stays, and the other one does not overlap with it.
  EXPECT_EQ(quantiles("by = \"accuracy\"\nabove = 0.9\nbelow = 0.5"),
            Pair(0, 0));
  EXPECT_EQ(quantiles("by = \"accuracy\"\nbelow = 0.5"), Pair(0.75, 0));
  EXPECT_EQ(quantiles("by = \"accuracy\"\nabove_quantile = 0.1"),
            Pair(0.1, 0.1));
  EXPECT_EQ(quantiles("by = \"accuracy\"\nbelow_quantile = 0.8"),
            Pair(0.8, 0.8));
  // Nobody is asked where no threshold is needed.
  for (const char* by : {"everyone", "class", "column", "examples"}) {
    EXPECT_EQ(quantiles(std::string("by = \"") + by + "\""), Pair(0, 0)) << by;
  }
}

struct Bad {
  const char* toml;
  const char* what;   // a part of it
  const char* where;  // all of it
  const char* todo;   // a part of it
};

TEST(TrainConfigTest, RefusesWithFileLineAndKey) {
  const std::vector<Bad> cases = {
      // TOML that is none
      {"rounds = ", "not valid TOML", "train.toml:1", "rounds = 100"},
      {"\nrounds 3", "not valid TOML", "train.toml:2", ""},
      {"[cohort\nsize = 3", "not valid TOML", "train.toml:1", ""},
      {"name = \"cut", "not valid TOML", "train.toml:1", ""},
      {"rounds = 3\nrounds = 4", "not valid TOML", "train.toml:2", ""},
      {"rounds = 99999999999999999999", "not valid TOML", "train.toml:1", ""},
      {"rounds = 3\nname = \"\xff\"", "not UTF-8", "train.toml:2", "UTF-8"},
      {"# \xff", "not UTF-8", "train.toml:1", ""},
      {"rounds = 3\n[%]\n", "not valid TOML", "train.toml:2", ""},
      {"rounds = 3\n\n[[\n", "not valid TOML", "train.toml:3", ""},
      {"rounds = 3\n[é]", "not valid TOML", "train.toml:2", ""},
      {"name = é", "not valid TOML", "train.toml:1", ""},
      {"é = 3", "not valid TOML", "train.toml:1", ""},
      {"\"é\" = 3", "unknown key 'é'", "train.toml:1", ""},
      // unknown keys
      {"\nround = 3", "unknown key 'round'", "train.toml:2", "'rounds'"},
      {"[cohort]\nsze = 3", "unknown key 'cohort.sze'", "train.toml:2",
       "'cohort.size'"},
      {"[cohrt]\nsize = 3", "unknown section [cohrt]", "train.toml:1",
       "'cohort'"},
      {"[weather]\nsun = 3", "unknown section [weather]", "train.toml:1",
       "one of: data, model, lstm, text, canary, gan, select, survey, primary, "
       "inspect, census, cohort, "
       "local, server, privacy, evaluation, checkpoint, device"},
      {"[[cohort]]\nsize = 3", "'cohort' is a list where a section",
       "train.toml:1", "[cohort]"},
      {"[cohort.size]\nx = 3", "cohort.size is a section where a number",
       "train.toml:1", ""},
      {"[cohort.deep]\nx = 3", "unknown key 'cohort.deep'", "train.toml:1", ""},
      {"clip_norm = 3", "unknown key 'clip_norm'", "train.toml:1",
       "'privacy.clip_norm'"},
      {"learning_rate = 3", "unknown key 'learning_rate'", "train.toml:1",
       "did you mean 'primary.learning_rate' or 'local.learning_rate' or "
       "'server.learning_rate'?"},
      {"\"cohort.size\" = 3", "unknown key 'cohort.size'", "train.toml:1", ""},
      {"cohort = 3", "'cohort' is 3 where a section", "train.toml:1",
       "[cohort]"},
      {"rounds.x = 3", "rounds is a section where a whole number",
       "train.toml:1", ""},
      // other types
      {"rounds = \"ten\"", "rounds is 'ten' where a whole number",
       "train.toml:1", ""},
      {"rounds = 1.5", "rounds is 1.5 where a whole number", "train.toml:1",
       ""},
      {"rounds = 1e300", "rounds is 1e+300 where a whole number",
       "train.toml:1", ""},
      {"rounds = nan", "rounds is nan where a whole number", "train.toml:1",
       ""},
      {"rounds = true", "rounds is true where a whole number", "train.toml:1",
       ""},
      {"rounds = [3]", "rounds is a list where a whole number", "train.toml:1",
       ""},
      {"rounds = 2026-11-15", "rounds is a date or time where", "train.toml:1",
       ""},
      {"name = 3", "name is 3 where text in quotes", "train.toml:1", ""},
      {"device.tf32 = 1", "device.tf32 is 1 where true or false",
       "train.toml:1", ""},
      {"cohort.size = \"10\"", "cohort.size is '10' where a number",
       "train.toml:1", ""},
      {"cohort.size = true", "cohort.size is true where a number",
       "train.toml:1", ""},
      // keys that do not belong together
      {"data.path = \"p\"\nprivacy.epsilon = 1\n[select]\nby = \"vote\"\n"
       "value = \"invert\"",
       "select.value, where users are chosen by their vote", "train.toml:5",
       "select.answer"},
      // out of range
      {"cohort.size = nan", "cohort.size is nan where a finite number",
       "train.toml:1", ""},
      {"cohort.size = inf", "cohort.size is inf where a finite number",
       "train.toml:1", ""},
      {"cohort.size = 0", "cohort.size is 0, out of range", "train.toml:1",
       "above 0"},
      {"rounds = 0", "rounds is 0, out of range", "train.toml:1",
       "from 1 to 999999"},
      {"rounds = 1000000", "out of range", "train.toml:1", "999999"},
      {"seed = -1", "seed is -1, out of range", "train.toml:1", "at least 0"},
      {"[data]\ntest_share = 1.0", "data.test_share is 1, out of range",
       "train.toml:2", "from 0 to below 1"},
      {"privacy.delta = 1", "privacy.delta is 1, out of range", "train.toml:1",
       "from 0 to below 1"},
      {"privacy.target_quantile = 0", "out of range", "train.toml:1",
       "above 0 to below 1"},
      {"cohort.expected_weight = 1.5", "out of range", "train.toml:1",
       "above 0 to 1"},
      {"data.generate = \"forum\"\nprivacy.epsilon = 1\nselect.above = 1.5",
       "select.above is 1.5, out of range", "train.toml:3", "from 0 to 1"},
      {"data.generate = \"forum\"\nprivacy.epsilon = 1\n[select]\n"
       "by = \"perplexity\"\nabove = 0.9\nbelow = 40",
       "select.above is 0.9, out of range", "train.toml:5", "at least 1"},
      {"data.generate = \"forum\"\nprivacy.epsilon = 1\n[select]\n"
       "by = \"likelihood\"\nbelow = 40",
       "sides by likelihood, and select.above is not given", "train.toml:4",
       "give select.above"},
      {"data.generate = \"handwriting\"\nprivacy.epsilon = 1\n[select]\n"
       "by = \"unlike_public\"\nabove = 0.5",
       "sides by unlike_public, and select.below is not given", "train.toml:4",
       "select.below"},
      {"data.generate = \"forum\"\nprivacy.epsilon = 1\n[select]\n"
       "by = \"likelihood\"\nabove = 40\nbelow = 0.5",
       "select.below is 0.5, out of range", "train.toml:6", "select.below"},
      // unknown words
      {"algorithm = \"dp_fedavgg\"", "algorithm cannot be 'dp_fedavgg'",
       "train.toml:1", "'dp_fedavg'"},
      {"cohort.sampling = \"poison\"", "cohort.sampling cannot be",
       "train.toml:1", "'poisson'"},
      {"cohort.weights = \"uniforme\"", "", "train.toml:1", "'uniform'"},
      {"server.optimizer = \"adm\"", "", "train.toml:1", "'adam'"},
      {"privacy.clipping = \"adaptiv\"", "", "train.toml:1", "'adaptive'"},
      {"device.name = \"gpu\"", "", "train.toml:1", "known: auto, cpu, cuda"},
      {"data.generate = \"faces\"", "", "train.toml:1", "one of: handwriting"},
      // keys that do not go together
      {"", "neither data.path nor data.generate", "train.toml", ""},
      {"[data]\npath = \"x\"\ngenerate = \"handwriting\"",
       "both data.path and data.generate", "train.toml:3", ""},
      {"privacy.epsilon = 1\n[data]\npath = \"x\"\ntest_path = \"y\"\n"
       "test_share = 0.1",
       "both data.test_path and data.test_share", "train.toml:5", ""},
      {"algorithm = \"dp_fedavg_gan\"\nprivacy.epsilon = 1\n[data]\n"
       "path = \"x\"\npublic_path = \"y\"",
       "a generator between public data", "train.toml:5", "dp_fedavg"},
      {"data.path = \"x\"", "dp_fedavg without noise", "train.toml", "fedavg"},
      {"data.path = \"x\"\nprivacy.epsilon = 1\ncohort.size = 2.5\n"
       "cohort.sampling = \"fixed\"",
       "a fixed cohort of 2.5", "train.toml:3", ""},
      {"data.path = \"x\"\nprivacy.epsilon = 1\ncohort.size = 20\n"
       "cohort.population = 10",
       "a cohort of 20 users from a population of 10", "train.toml:3", ""},
      {"data.path = \"x\"\nprivacy.epsilon = 1\ncanary.users = 1",
       "canaries for emnist_cnn", "train.toml:3", "word_lm"},
      {"data.path = \"x\"\nprivacy.epsilon = 1\ncanary.users = 1\nmodel.name = "
       "\"char_lm\"",
       "canaries for char_lm", "train.toml:3", "word_lm"},
      {"data.path = \"x\"\nprivacy.epsilon = 1\ncanary.users = 1\nmodel.name = "
       "\"word_lm\"\n"
       "canary.words = 21",
       "canaries of 21 words, where sentences are cut after 20", "train.toml:5",
       "longest_sentence"},
      {"data.path = \"x\"\nprivacy.epsilon = 1\ncanary.users = 1\nmodel.name = "
       "\"word_lm\"\n"
       "select.half = 1",
       "canaries among selected users", "train.toml:3", "everyone"},
      {"data.path = \"x\"\nprivacy.epsilon = 1\ncanary.repeats = 0",
       "canary.repeats is 0, out of range", "train.toml:3", "from 1"},
      {"data.path = \"x\"\nprivacy.epsilon = 1\ncanary.users = nan",
       "canary.users is nan", "train.toml:3", ""},
  };
  for (const Bad& bad : cases) {
    const Error error = Refused(bad.toml);
    EXPECT_TRUE(Contains(error.what(), bad.what))
        << bad.toml << ": " << error.what();
    EXPECT_EQ(error.where(), bad.where) << bad.toml;
    EXPECT_TRUE(Contains(error.todo(), bad.todo))
        << bad.toml << ": " << error.todo();
  }
}

TEST(TrainConfigTest, RefusesSetsByTheirKey) {
  const std::vector<Bad> cases = {
      {"rounds", "'rounds' is not of the form key=value", "--set",
       "--set cohort.size=50"},
      {"=3", "'=3' is not of the form key=value", "--set", ""},
      {"cohrt.size=3", "unknown key 'cohrt.size'", "--set", "'cohort.size'"},
      {"cohort=3", "unknown key 'cohort'", "--set", ""},
      {"cohort.size.x=3", "unknown key 'cohort.size.x'", "--set",
       "'cohort.size'"},
      {"weather.sun=3", "unknown key 'weather.sun'", "--set", "one of: data"},
      {"rounds=ten", "rounds is 'ten' where a whole number", "--set rounds",
       ""},
      {"rounds=", "rounds is '' where a whole number", "--set rounds", ""},
      {"rounds=3\nseed=4", "where a whole number", "--set rounds", ""},
      {"rounds=-3", "rounds is -3, out of range", "--set rounds", ""},
      {"privacy.epsilon=nan", "where a finite number", "--set privacy.epsilon",
       ""},
      {"device.tf32=yes", "where true or false", "--set device.tf32", ""},
      {"algorithm=fedav", "algorithm cannot be 'fedav'", "--set algorithm",
       "'fedavg'"},
      {"name=\xff", "text in UTF-8", "--set name", ""},
      {"data.path=people", "both data.path and data.generate", "train.toml:1",
       ""},
  };
  for (const Bad& bad : cases) {
    const Error error = Refused(kLeast, {bad.toml});
    EXPECT_TRUE(Contains(error.what(), bad.what))
        << bad.toml << ": " << error.what();
    EXPECT_EQ(error.where(), bad.where) << bad.toml;
    EXPECT_TRUE(Contains(error.todo(), bad.todo))
        << bad.toml << ": " << error.todo();
  }
}

TEST(TrainConfigTest, PrivacyMayHaveNoiseOrBudgetOrBoth) {
  const std::string data = "data.path = \"x\"\n";
  EXPECT_NO_THROW(Parse(data + "privacy.noise_multiplier = 1"));
  EXPECT_NO_THROW(Parse(data + "privacy.epsilon = 1"));
  EXPECT_NO_THROW(
      Parse(data + "privacy.noise_multiplier = 1\nprivacy.epsilon = 1"));
  EXPECT_NO_THROW(Parse(data + "algorithm = \"fedavg\""));
}

TEST(TrainConfigTest, NamesTheFileThatCannotBeRead) {
  const base::Path path =
      base::Path(testing::TempDir()) / "TrainConfigTest_NoSuchFile.toml";
  try {
    ReadTrainConfig(path);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kBadInput);
    EXPECT_EQ(error.where(), path.string());
  }
}

TEST(TrainConfigTest, ReadsAFile) {
  const base::Path path =
      base::Path(testing::TempDir()) / "TrainConfigTest_ReadsAFile.toml";
  base::WriteFileAtomically(path, kLeast);
  EXPECT_EQ(ReadTrainConfig(path, {"rounds=7"}).rounds, 7);
}

}  // namespace
}  // namespace sfumato::config
