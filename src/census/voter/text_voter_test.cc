#include "census/voter/text_voter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "base/crc32c.h"
#include "base/error_testing.h"
#include "base/folder_testing.h"
#include "base/json.h"
#include "data/dataset_writer.h"
#include "data/generate/forum.h"
#include "data/text.h"
#include "data/transform/text_bugs.h"
#include "fmt/format.h"
#include "nlohmann/json.hpp"

namespace sfumato::census {
namespace {

using data::TextForm;
using Change = std::function<std::string(const std::string& raw)>;

data::DatasetInfo Info(TextForm form) {
  data::DatasetInfo info = data::ForumInfo("people");
  info.text_form = form;
  return info;
}

void WriteUsers(const base::Path& folder, TextForm form,
                const std::vector<std::vector<std::string>>& users) {
  std::filesystem::remove_all(folder);
  data::DatasetWriter writer(folder, Info(form));
  for (std::size_t u = 0; u < users.size(); ++u) {
    writer.BeginUser("user" + std::to_string(u));
    for (const std::string& text : users[u]) writer.Add({.text = text});
  }
  writer.Finish();
}

// Sixty people of another forum, 30 sentences each, after `change`. Of the
// first or second half of what they write, or of all.
base::Path Asked(const std::string& name, TextForm form, const Change& change,
                 int half = 0) {
  const data::Forum forum({.users = 60, .seed = 99, .mean_sentences = 60});
  std::vector<std::vector<std::string>> users;
  for (std::uint64_t u = 0; u < 60; ++u) {
    std::vector<std::string>& user = users.emplace_back();
    std::vector<std::string> sentences = forum.Sentences(u);
    const std::ptrdiff_t middle = std::ssize(sentences) / 2;
    if (half == 1) sentences.resize(static_cast<std::size_t>(middle));
    if (half == 2)
      sentences.erase(sentences.begin(), sentences.begin() + middle);
    for (const std::string& sentence : sentences) {
      if (user.size() < 30) user.push_back(change(sentence));
    }
  }
  WriteUsers(name, form, users);
  return name;
}

std::string Healthy(const std::string& raw) { return data::NormaliseText(raw); }

// The change in every `step`-th sentence.
Change InSome(int step, const Change& change) {
  return [=, at = 0](const std::string& raw) mutable {
    return at++ % step == 0 ? change(raw) : Healthy(raw);
  };
}

// Every token of ASCII changed by `change`.
Change Words(const std::function<std::string(std::string)>& change) {
  return [change](const std::string& raw) {
    std::string out;
    const std::string tokens = Healthy(raw);
    for (const std::string_view token : data::SplitTokens(tokens)) {
      if (!out.empty()) out += ' ';
      const bool ascii =
          std::ranges::all_of(token, [](char c) { return c > 0; });
      out += ascii ? change(std::string(token)) : std::string(token);
    }
    return out;
  };
}

// One of the project's.
Change Bug(std::string_view name) {
  for (const data::TextBug& one : data::TextBugs()) {
    if (one.info.name == name) {
      return [&one](const std::string& raw) {
        return one.apply(raw, TextForm::kRaw);
      };
    }
  }
  return Healthy;
}

std::vector<std::int64_t> All(const data::FederatedDataset& set) {
  std::vector<std::int64_t> users(set.users());
  std::iota(users.begin(), users.end(), 0);
  return users;
}

class TextVoterTest : public base::FolderTest {
 protected:
  static const Voter& Learned(std::int64_t marks = 1) {
    static std::map<std::int64_t, std::unique_ptr<Voter>> voters;
    auto& voter = voters[marks];
    if (!voter) {
      std::filesystem::remove_all("reference");
      data::MakeForum({.users = 200, .seed = 5, .mean_sentences = 40},
                      "reference", "reference");
      voter = LearnTextVoter(data::FederatedDataset("reference"),
                             {.marks = marks}, Pool());
    }
    return *voter;
  }

  // From the same references, in less time: it votes, but misses much.
  static std::unique_ptr<Voter> LearnedQuickly(VoterOptions options,
                                               double effort = 0.3) {
    std::filesystem::remove_all("reference");
    data::MakeForum({.users = 200, .seed = 5, .mean_sentences = 40},
                    "reference", "reference");
    options.effort = effort;
    return LearnTextVoter(data::FederatedDataset("reference"), options, Pool());
  }
  static const Voter& Dull() {
    static const std::unique_ptr<Voter> voter = LearnedQuickly({}, 0.02);
    return *voter;
  }

  static fed::WorkerPool& Pool() {
    static fed::WorkerPool pool(2);
    return pool;
  }

  // How many of the sixty mark the cell.
  static std::int64_t Marked(const Voter& voter, const std::string& key,
                             const base::Path& folder) {
    const data::FederatedDataset set(folder);
    const auto cell =
        static_cast<std::int64_t>(voter.calibration().CellOf(key));
    std::int64_t count = 0;
    for (const auto& marks : voter.VotesOf(set, All(set), Pool())) {
      count += std::ranges::count(marks, cell);
    }
    return count;
  }
};

TEST_F(TextVoterTest, HealthyUsersSaySo) {
  const Voter& voter = Learned();
  EXPECT_GE(
      Marked(voter, kAsItShouldBe, Asked("a", TextForm::kTokens, Healthy)), 57);
  const auto raw = [](const std::string& sentence) { return sentence; };
  EXPECT_GE(Marked(voter, kAsItShouldBe, Asked("b", TextForm::kRaw, raw)), 57);
}

// The damages here are written anew, or the project's bugs: not those that the
// voter learned from. Nine in ten, as so few references can teach.
TEST_F(TextVoterTest, DamagesOfTheCatalogueAreNamed) {
  const Voter& voter = Learned();
  const std::vector<std::pair<std::string, Change>> cases = {
      {"join", Bug("join")},
      {"case", Bug("case")},
      {"cut", Bug("cut")},
      {"backwards", Words([](std::string word) {
         return std::string(word.rbegin(), word.rend());
       })},
      {"double", Words([](std::string word) { return word[0] + word; })},
      {"drop", Words([](std::string word) {
         std::erase(word, 'e');
         return word;
       })},
      {"template",
       [](const std::string& raw) {
         return Healthy(raw) + " sent from my telephone , sorry for typos";
       }},
      {"spaces", [](const std::string& raw) {
         std::string text = Healthy(raw);
         std::erase(text, ' ');
         return text;
       }}};
  for (const auto& [key, change] : cases) {
    EXPECT_GE(Marked(voter, key, Asked(key, TextForm::kTokens, change)), 54)
        << key;
  }
}

TEST_F(TextVoterTest, DamagesOfNoCatalogueAreNotNamed) {
  const Voter& voter = Learned();
  const auto rot13 = Words([](std::string word) {
    for (char& c : word) {
      if (c >= 'a' && c <= 'z')
        c = static_cast<char>('a' + (c - 'a' + 13) % 26);
    }
    return word;
  });
  const auto reversed = [](const std::string& raw) {
    const std::string tokens = Healthy(raw);
    auto words = data::SplitTokens(tokens);
    std::ranges::reverse(words);
    std::string out;
    for (const std::string_view word : words) out += std::string(word) + ' ';
    return out;
  };
  for (const auto& [name, change] :
       {std::pair<std::string, Change>{"rot13", rot13}, {"order", reversed}}) {
    const base::Path folder = Asked(name, TextForm::kTokens, change);
    EXPECT_GE(Marked(voter, kNoneOfThese, folder) +
                  Marked(voter, kCannotTell, folder),
              48)
        << name;
  }
}

TEST_F(TextVoterTest, WithTwoMarksTwoDamagesAreNamed) {
  const Voter& voter = Learned(2);
  const base::Path folder =
      Asked("both", TextForm::kTokens, [](const std::string& raw) {
        return data::JoinFirstTwo(data::CutLastLetters(Healthy(raw)));
      });
  EXPECT_GE(Marked(voter, "join", folder), 48);
  EXPECT_GE(Marked(voter, "cut", folder), 48);
}

TEST_F(TextVoterTest, WhoSaysLittleOrNonsenseVotesInSilence) {
  const Voter& voter = Dull();
  const std::string enormous(3'000'000, 'a');
  std::string long_text;
  for (int i = 0; i < 200'000; ++i) long_text += "how can i ";
  WriteUsers("strange", TextForm::kTokens,
             {{},
              {"how can i ?"},
              std::vector<std::string>(20, ""),
              std::vector<std::string>(20, " \u00A0 "),
              std::vector<std::string>(9, enormous),
              std::vector<std::string>(9, long_text),
              std::vector<std::string>(20, std::string("\0\1", 2))});
  const data::FederatedDataset set("strange");
  const Votes votes = voter.VotesOf(set, All(set), Pool());
  const std::vector<std::int64_t> cannot_tell = {
      static_cast<std::int64_t>(voter.calibration().CellOf(kCannotTell))};
  for (const std::size_t user : {0, 1, 2}) {
    EXPECT_EQ(votes[user], cannot_tell) << user;
  }
  for (const auto& marks : votes) EXPECT_EQ(marks.size(), 1u);
}

// The writer takes UTF-8 alone; a damaged file has other bytes.
TEST_F(TextVoterTest, BytesThatAreNotTextVoteInSilence) {
  WriteUsers("bytes", TextForm::kTokens,
             {std::vector<std::string>(20, "how can i brew QQQQ ?")});
  const base::Path file = base::Path("bytes") / "data.safetensors";
  std::string bytes = base::ReadFile(file);
  for (std::size_t at = bytes.find("QQQQ"); at != std::string::npos;
       at = bytes.find("QQQQ", at)) {
    bytes.replace(at, 4, "\xFF\xC3\xE2\x80");
  }
  std::ofstream(file, std::ios::binary) << bytes;
  const data::FederatedDataset set("bytes");
  EXPECT_EQ(Dull().VotesOf(set, {0}, Pool()).size(), 1u);
}

TEST_F(TextVoterTest, SetsOfAnotherKindCannotTell) {
  data::DatasetInfo info;
  info.name = "pictures";
  info.image = {.height = 1, .width = 1};
  data::DatasetWriter writer("pictures", info);
  writer.BeginUser("a");
  const std::uint8_t pixel = 3;
  for (int i = 0; i < 20; ++i) writer.Add({.pixels = {&pixel, 1}});
  writer.Finish();
  const Voter& voter = Dull();
  EXPECT_EQ(
      voter.VotesOf(data::FederatedDataset("pictures"), {0}, Pool())[0][0],
      static_cast<std::int64_t>(voter.calibration().CellOf(kCannotTell)));
}

TEST_F(TextVoterTest, TheCalibrationCountsReferenceUsers) {
  const Calibration& calibration = Dull().calibration();
  EXPECT_EQ(calibration.cells.front().key, kAsItShouldBe);
  EXPECT_EQ(calibration.cells.back().key, kCannotTell);
  ASSERT_FALSE(calibration.states.empty());
  EXPECT_EQ(calibration.states.front().key, kAsItShouldBe);
  for (const State& state : calibration.states) {
    for (const Tried& tried : state.tried) {
      ASSERT_EQ(tried.votes.size(), calibration.cells.size());
      // One mark each.
      EXPECT_EQ(std::accumulate(tried.votes.begin(), tried.votes.end(), 0L),
                tried.users)
          << state.key << " " << tried.values;
    }
  }
  // What ToJson writes is what readers accept.
  EXPECT_EQ(ToJson(CalibrationFromJson(ToJson(calibration), "voter.json")),
            ToJson(calibration));
}

// Of 200 references, a good 70 count as people in the confusion. Each is asked
// several times, and that is not worth as many people.
TEST_F(TextVoterTest, UsersMadeOfOnePersonAreNotWorthAsManyPeople) {
  for (const State& state : Learned().calibration().states) {
    for (const Tried& tried : state.tried) {
      ASSERT_EQ(tried.worth.size(), tried.votes.size());
      for (const std::int64_t worth : tried.worth) {
        EXPECT_GE(worth, 70) << state.key << " " << tried.values;
        EXPECT_LT(worth, tried.users) << state.key << " " << tried.values;
      }
    }
  }
}

TEST_F(TextVoterTest, LessEffortAsksFewerReferenceUsers) {
  const auto asked = [](const Voter& voter) {
    return voter.calibration().states[0].tried[0].users;
  };
  data::MakeForum({.users = 60, .seed = 5, .mean_sentences = 30}, "few", "few");
  const data::FederatedDataset few("few");
  const auto none = LearnTextVoter(few, {.effort = 0}, Pool());
  // Whatever the effort, 40, from the 24 people whose confusion counts: two of
  // each.
  EXPECT_EQ(asked(*none), 48);
  EXPECT_LT(asked(*LearnTextVoter(few, {.effort = 0.2}, Pool())),
            asked(*LearnTextVoter(few, {.effort = 0.4}, Pool())));
}

// One sentence of ten is too little to be sure of.
TEST_F(TextVoterTest, WithForeignReferencesTheLikeliestIsMarked) {
  const auto sure = LearnedQuickly({});
  const auto foreign = LearnedQuickly({.foreign = true});
  const Change cut = [](const std::string& raw) {
    return data::CutLastLetters(Healthy(raw));
  };
  const base::Path mild = Asked("mild", TextForm::kTokens, InSome(10, cut));
  const base::Path odd =
      Asked("odd", TextForm::kTokens,
            InSome(3, Words([](std::string word) {
                     return word.size() > 6 ? word.substr(0, 5) + "~" : word;
                   })));
  EXPECT_GT(Marked(*foreign, "cut", mild), Marked(*sure, "cut", mild));
  EXPECT_GT(Marked(*sure, kCannotTell, mild) + Marked(*sure, kCannotTell, odd),
            0);
  for (const base::Path& folder : {mild, odd}) {
    EXPECT_EQ(Marked(*foreign, kCannotTell, folder), 0);
  }
}

TEST_F(TextVoterTest, ASplitFamilySaysHowManySentences) {
  const auto voter = LearnedQuickly({.split = {"case"}});
  const std::string all = "case=all sentences";
  const std::string some = "case=10 % of sentences";
  const base::Path in_all = Asked("all", TextForm::kTokens, Bug("case"));
  const base::Path in_some =
      Asked("some", TextForm::kTokens, InSome(10, Bug("case")));
  EXPECT_GE(Marked(*voter, all, in_all), 48);
  EXPECT_LE(Marked(*voter, some, in_all), 8);
  EXPECT_LE(Marked(*voter, all, in_some), 8);
  EXPECT_GE(Marked(*voter, some, in_some), 20);
  const auto& states = voter->calibration().states;
  const auto state = std::ranges::find(states, some, &State::key);
  ASSERT_NE(state, states.end());
  ASSERT_EQ(state->tried.size(), 1u);
  EXPECT_EQ(state->tried[0].values, "10 % of sentences");

  voter->Write("split");
  const auto read = ReadTextVoter("split");
  for (const base::Path& folder : {in_all, in_some}) {
    const data::FederatedDataset set(folder);
    EXPECT_EQ(read->VotesOf(set, All(set), Pool()),
              voter->VotesOf(set, All(set), Pool()));
  }
}

// People who always wrote like that are as they should be.
TEST_F(TextVoterTest, AVoteOnWhatChangedNamesNewDamage) {
  const auto learned = LearnedQuickly({.change = true});
  learned->Write("voter");
  const auto voter = ReadTextVoter("voter");
  EXPECT_TRUE(voter->on_change());
  const Change cut = [](const std::string& raw) {
    return data::CutLastLetters(Healthy(raw));
  };
  const data::FederatedDataset well(
      Asked("well", TextForm::kTokens, Healthy, 1));
  const data::FederatedDataset still_well(
      Asked("still_well", TextForm::kTokens, Healthy, 2));
  const data::FederatedDataset ill(Asked("ill", TextForm::kTokens, cut, 1));
  const data::FederatedDataset now_ill(
      Asked("now_ill", TextForm::kTokens, cut, 2));
  const auto marked = [&](const char* key, const data::FederatedDataset& before,
                          const data::FederatedDataset& now) {
    const auto cell =
        static_cast<std::int64_t>(voter->calibration().CellOf(key));
    const Votes votes =
        voter->VotesOnChange(before, All(before), now, All(now), Pool());
    EXPECT_EQ(votes, learned->VotesOnChange(before, All(before), now, All(now),
                                            Pool()));
    return std::ranges::count(votes, std::vector{cell});
  };
  EXPECT_GE(marked(kAsItShouldBe, well, still_well), 54);
  EXPECT_GE(marked("cut", well, now_ill), 48);
  EXPECT_EQ(marked("cut", ill, now_ill), 0);
  EXPECT_GE(marked(kAsItShouldBe, ill, now_ill), 48);

  // Who was not there before cannot tell; nor who writes too little.
  const auto cannot_tell =
      static_cast<std::int64_t>(voter->calibration().CellOf(kCannotTell));
  WriteUsers("little", TextForm::kTokens, {{"how can i ?"}});
  const data::FederatedDataset little("little");
  EXPECT_EQ(voter->VotesOnChange(well, {-1}, now_ill, {0}, Pool())[0][0],
            cannot_tell);
  EXPECT_EQ(voter->VotesOnChange(little, {0}, now_ill, {0}, Pool())[0][0],
            cannot_tell);
  EXPECT_EQ(voter->VotesOnChange(well, {0}, little, {0}, Pool())[0][0],
            cannot_tell);
}

TEST_F(TextVoterTest, OnlyAVoterOfChangesVotesOnThem) {
  const data::FederatedDataset set(Asked("a", TextForm::kTokens, Healthy));
  EXPECT_FALSE(Dull().on_change());
  EXPECT_EQ(
      Thrown([&] { Dull().VotesOnChange(set, {0}, set, {0}, Pool()); }).kind(),
      ErrorKind::kBadInput);
}

TEST_F(TextVoterTest, AnUnknownFamilyIsNotSplit) {
  data::MakeForum({.users = 60, .seed = 5, .mean_sentences = 30}, "few", "few");
  const Error error = Thrown([] {
    LearnTextVoter(data::FederatedDataset("few"), {.split = {"rotate"}},
                   Pool());
  });
  EXPECT_EQ(error.kind(), ErrorKind::kBadInput);
  EXPECT_NE(std::string(error.what()).find("unknown family 'rotate'"),
            std::string::npos)
      << error.what();
}

TEST_F(TextVoterTest, VotesDoNotDependOnThreads) {
  const base::Path folder = Asked("a", TextForm::kTokens, Healthy);
  const data::FederatedDataset set(folder);
  fed::WorkerPool alone(1);
  fed::WorkerPool many(5);
  const auto users = All(set);
  EXPECT_EQ(Dull().VotesOf(set, users, alone),
            Dull().VotesOf(set, users, many));
  // Nor on who else is asked.
  EXPECT_EQ(Dull().VotesOf(set, {users[7]}, alone)[0],
            Dull().VotesOf(set, users, alone)[7]);
}

TEST_F(TextVoterTest, LearningDoesNotDependOnThreads) {
  data::MakeForum({.users = 60, .seed = 5, .mean_sentences = 30}, "few", "few");
  const data::FederatedDataset few("few");
  for (const int threads : {1, 3}) {
    fed::WorkerPool pool(threads);
    LearnTextVoter(few, {.effort = 0.1}, pool)
        ->Write("v" + std::to_string(threads));
  }
  for (const char* file : {"voter.json", "voter.safetensors"}) {
    EXPECT_EQ(base::ReadFile(base::Path("v1") / file),
              base::ReadFile(base::Path("v3") / file));
  }
}

TEST_F(TextVoterTest, WhatIsReadVotesAsWhatWasWritten) {
  Dull().Write("voter");
  const std::unique_ptr<Voter> read = ReadTextVoter("voter");
  EXPECT_EQ(ToJson(read->calibration()), ToJson(Dull().calibration()));
  const data::FederatedDataset set(
      Asked("a", TextForm::kTokens, [](const std::string& raw) {
        return data::CutLastLetters(Healthy(raw));
      }));
  EXPECT_EQ(read->VotesOf(set, All(set), Pool()),
            Dull().VotesOf(set, All(set), Pool()));
  EXPECT_EQ(Thrown([] { Dull().Write("voter"); }).kind(), ErrorKind::kBadInput);
}

TEST_F(TextVoterTest, ADamagedFolderIsCorrupt) {
  Dull().Write("voter");
  const auto kind = [] {
    return Thrown([] { ReadTextVoter("voter"); }).kind();
  };
  for (const char* name : {"voter.json", "voter.safetensors"}) {
    const base::Path file = base::Path("voter") / name;
    const std::string whole = base::ReadFile(file);
    std::string changed = whole;
    changed[changed.size() * 3 / 4] ^= 1;
    for (const std::string& bytes :
         {changed, whole.substr(0, whole.size() / 2), std::string()}) {
      std::ofstream(file, std::ios::binary) << bytes;
      EXPECT_EQ(kind(), ErrorKind::kCorrupt) << name;
    }
    std::filesystem::remove(file);
    EXPECT_EQ(kind(), ErrorKind::kCorrupt) << name;
    std::ofstream(file, std::ios::binary) << whole;
  }
  EXPECT_NO_THROW(ReadTextVoter("voter"));
}

// Whoever changes the file can mend its sum; numbers must still be possible.
TEST_F(TextVoterTest, SettingsThatCannotBeAreCorrupt) {
  using nlohmann::json;
  LearnedQuickly({.split = {"case"}}, 0.02)->Write("voter");
  const base::Path file = base::Path("voter") / "voter.json";
  const json whole = base::ParseJson(base::ReadFile(file));
  const std::string tensors =
      base::ReadFile(base::Path("voter") / "voter.safetensors");
  const auto read_with = [&](const std::function<void(json&)>& change) {
    json settings = whole;
    settings.erase("sum");
    change(settings);
    settings["sum"] =
        fmt::format("{:08x}", base::Crc32c(tensors, base::Crc32c([&] {
                                             json without = settings;
                                             without.erase("sum");
                                             return without.dump(1);
                                           }())));
    std::ofstream(file, std::ios::binary) << settings.dump(1);
    ReadTextVoter("voter");
  };
  EXPECT_NO_THROW(read_with([](json&) {}));
  const std::size_t cells = whole["calibration"]["cells"].size();
  const std::vector<std::function<void(json&)>> changes = {
      [](json& j) { j["format"] = 1; },
      [](json& j) { j["foreign"] = 3; },
      [](json& j) { j.erase("foreign"); },
      [](json& j) { j["change"] = true; },
      [](json& j) { j.erase("splits"); },
      [](json& j) { j["splits"] = 7; },
      [](json& j) { j["splits"][0]["family"] = 999; },
      [](json& j) { j["splits"][0]["family"] = -1; },
      [](json& j) { j["splits"][0]["family"] = "join"; },
      [](json& j) { j["splits"][0]["cells"] = json::array(); },
      [](json& j) { j["splits"][0]["cells"].push_back(1); },
      [](json& j) { j["splits"][0]["cells"][0] = 0; },
      [=](json& j) { j["splits"][0]["cells"][0] = cells - 2; },
      [](json& j) { j["splits"].push_back(j["splits"][0]); },
      [=](json& j) { j["cell_of"][3] = cells; },
      [](json& j) { j["cell_of"].erase(0); },
      [](json& j) { j["least_examples"] = 0; }};
  for (std::size_t i = 0; i < changes.size(); ++i) {
    EXPECT_EQ(Thrown([&] { read_with(changes[i]); }).kind(),
              ErrorKind::kCorrupt)
        << i;
  }
}

TEST_F(TextVoterTest, TooFewReferencesAreRefused) {
  data::MakeForum({.users = 20, .seed = 5, .mean_sentences = 80}, "few", "few");
  const Error error =
      Thrown([] { LearnTextVoter(data::FederatedDataset("few"), {}, Pool()); });
  EXPECT_EQ(error.kind(), ErrorKind::kBadInput);
  EXPECT_NE(std::string(error.what()).find("20 people"), std::string::npos)
      << error.what();
}

}  // namespace
}  // namespace sfumato::census
