#include "census/voter/image_voter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <span>

#include "base/crc32c.h"
#include "base/error.h"
#include "base/error_testing.h"
#include "base/folder_testing.h"
#include "base/json.h"
#include "base/random.h"
#include "census/answer/census_answer.h"
#include "census/answer/worth.h"
#include "census/voter/image_families.h"
#include "data/dataset_writer.h"

namespace sfumato::census {
namespace {

using base::Rng;
using data::FederatedDataset;
using data::Pixels;

constexpr int kSide = 12;
constexpr std::int64_t kExamples = 12;

// An L or a T, somewhat moved and shaded.
Pixels Letter(int kind, Rng& rng) {
  Pixels out(kSide * kSide);
  const int top = 2 + static_cast<int>(rng.Below(2));
  const int left = 3 + static_cast<int>(rng.Below(2));
  const auto level = static_cast<std::uint8_t>(190 + rng.Below(60));
  const auto ink = [&](int x, int y) {
    out[static_cast<std::size_t>((top + y) * kSide + left + x)] = level;
  };
  for (int i = 0; i < 7; ++i) ink(kind == 0 ? 0 : 2, i);
  for (int i = 0; i < 5; ++i) ink(i, kind == 0 ? 6 : 0);
  return out;
}

class ImageVoterTest : public base::FolderTest {
 protected:
  struct People {
    std::string folder = "people";
    int users = 60;
    std::int64_t examples = kExamples;
    ImageDamage damage = {};
    int damaged = 1'000'000;  // the first users
    std::vector<std::string> classes = {"l", "t"};
    int side = kSide;
    bool labelled = true;
    int only = -1;  // letter
  };

  FederatedDataset Make(const People& people) const {
    data::DatasetInfo info;
    info.name = people.folder;
    info.origin = data::Origin::kPublic;
    info.image = {people.side, people.side, 1};
    info.classes = people.classes;
    info.declared = true;
    data::DatasetWriter writer(folder_ / people.folder, info);
    for (int u = 0; u < people.users; ++u) {
      Rng rng(base::Key(people.folder), {static_cast<std::uint64_t>(u)});
      ImageSet set{.shape = info.image};
      for (std::int64_t i = 0; i < people.examples; ++i) {
        const int kind =
            people.only < 0 ? static_cast<int>(i % 2) : people.only;
        Pixels letter = Letter(kind, rng);
        letter.resize(info.image.size());
        set.images.push_back(std::move(letter));
      }
      if (people.damage && u < people.damaged) people.damage(set, rng);
      writer.BeginUser("user" + std::to_string(u));
      for (std::int64_t i = 0; i < people.examples; ++i) {
        writer.Add({.pixels = set.images[static_cast<std::size_t>(i)],
                    .label = !people.labelled  ? -1
                             : people.only < 0 ? static_cast<int>(i % 2)
                                               : people.only});
      }
    }
    writer.Finish();
    return FederatedDataset(folder_ / people.folder);
  }

  std::unique_ptr<Voter> Learn(double effort = 0.15,
                               const std::vector<std::string>& split = {}) {
    const FederatedDataset reference =
        Make({.folder = "reference", .users = 120});
    return LearnImageVoter(reference,
                           {.least_examples = 4,
                            .most_examples = kExamples,
                            .split = split,
                            .seed = 3,
                            .effort = effort},
                           pool_);
  }

  static ImageDamage DamageOf(std::string_view family,
                              std::string_view values) {
    const std::vector<ImageFamily> families =
        ImageFamilies({kSide, kSide, 1}, 2);
    const auto found = std::ranges::find(families, family, &ImageFamily::key);
    return std::ranges::find(found->strengths, values, &NamedDamage::values)
        ->damage;
  }

  // Released without noise.
  static CensusAnswer AnswerTo(const Voter& voter, const Votes& votes) {
    Counts counts;
    counts.counts.emplace_back(voter.calibration().cells.size());
    counts.asked = {static_cast<double>(votes.size())};
    for (const auto& vote : votes) {
      for (const std::int64_t cell : vote) {
        ++counts.counts[0][static_cast<std::size_t>(cell)];
      }
    }
    return AnswerOf(counts, voter.calibration(), {});
  }

  Votes Ask(const Voter& voter, const FederatedDataset& set) {
    std::vector<std::int64_t> users(set.users());
    for (std::size_t i = 0; i < users.size(); ++i) {
      users[i] = static_cast<std::int64_t>(i);
    }
    return voter.VotesOf(set, users, pool_);
  }

  static int Marking(const Voter& voter, const Votes& votes,
                     std::string_view key) {
    const auto cell =
        static_cast<std::int64_t>(voter.calibration().CellOf(key));
    return static_cast<int>(
        std::ranges::count_if(votes, [cell](const auto& vote) {
          return std::ranges::find(vote, cell) != vote.end();
        }));
  }

  fed::WorkerPool pool_{2};
};

static std::string Shown(const Voter& voter, const Votes& votes) {
  std::string text;
  for (const Cell& cell : voter.calibration().cells) {
    const auto count = std::ranges::count_if(votes, [&](const auto& vote) {
      return voter.calibration().cells[static_cast<std::size_t>(vote[0])].key ==
             cell.key;
    });
    if (count > 0) text += cell.key + " " + std::to_string(count) + " ";
  }
  return text;
}

// Letters light on dark: nothing healthy is ever inverted or blank, and a
// voter that learned anything gets these right.
TEST_F(ImageVoterTest, UsersVoteForWhatWasDoneToTheirImages) {
  const auto voter = Learn();
  EXPECT_GE(Marking(*voter, Ask(*voter, Make({})), kAsItShouldBe), 54);
  const auto invert = LevelCurve([](double level) { return 1 - level; });
  const auto blank = LevelCurve([](double) { return 0.0; });
  EXPECT_GE(
      Marking(*voter, Ask(*voter, Make({.folder = "b", .damage = invert})),
              "invert"),
      54);
  const Votes of_blank = Ask(*voter, Make({.folder = "c", .damage = blank}));
  EXPECT_GE(Marking(*voter, of_blank, "blank"), 54) << Shown(*voter, of_blank);
}

// Every row is a brightness of its own: no reference looks like this, whatever
// of the catalogue was done to it.
TEST_F(ImageVoterTest, WhatIsInNoCatalogueIsNotGivenAName) {
  const auto voter = Learn();
  const ImageDamage rows = EachImage([](const data::ImageView& view, Rng&) {
    Pixels out(view.shape.size());
    for (std::size_t i = 0; i < out.size(); ++i) {
      out[i] = static_cast<std::uint8_t>(97 * (i / kSide));
    }
    return out;
  });
  const Votes votes = Ask(*voter, Make({.damage = rows}));
  EXPECT_GE(Marking(*voter, votes, kNoneOfThese) +
                Marking(*voter, votes, kCannotTell),
            54);
}

// More examples now, or other letters, are not damage.
TEST_F(ImageVoterTest, OfTwoStatesNeitherSizeNorMixIsADamage) {
  const FederatedDataset reference =
      Make({.folder = "reference", .users = 160, .examples = 3 * kExamples});
  const auto voter = LearnImageVoter(reference,
                                     {.least_examples = 4,
                                      .most_examples = 2 * kExamples,
                                      .change = true,
                                      .seed = 3,
                                      .effort = 0.3},
                                     pool_);
  const FederatedDataset few = Make({.folder = "few", .examples = 4});
  const FederatedDataset many =
      Make({.folder = "many", .examples = 2 * kExamples});
  const FederatedDataset one =
      Make({.folder = "one", .examples = kExamples, .only = 1});
  const FederatedDataset inverted =
      Make({.folder = "now", .damage = DamageOf("invert", "")});
  // Of 60; few examples may not be enough to tell.
  const auto damaged = [&](const FederatedDataset& before,
                           const FederatedDataset& now) {
    std::vector<std::int64_t> users(now.users());
    std::iota(users.begin(), users.end(), 0);
    const Votes votes = voter->VotesOnChange(before, users, now, users, pool_);
    return 60 - Marking(*voter, votes, kAsItShouldBe) -
           Marking(*voter, votes, kCannotTell);
  };
  EXPECT_LE(damaged(few, many), 2);
  EXPECT_LE(damaged(many, few), 2);
  EXPECT_LE(damaged(many, one), 2);
  EXPECT_GE(damaged(many, inverted), 54);
}

TEST_F(ImageVoterTest, UsersWithTooFewExamplesCannotTell) {
  const auto voter = Learn(0.01);
  const Votes votes = Ask(*voter, Make({.users = 5, .examples = 3}));
  EXPECT_EQ(Marking(*voter, votes, kCannotTell), 5);
}

TEST_F(ImageVoterTest, UsersOfAnotherShapeCannotTell) {
  const auto voter = Learn(0.01);
  EXPECT_EQ(
      Marking(*voter, Ask(*voter, Make({.users = 5, .side = 14})), kCannotTell),
      5);
}

TEST_F(ImageVoterTest, LabelsOfOtherClassesAreNotLookedAt) {
  const auto voter = Learn(0.01);
  // The same people: what their labels are called must not matter, nor whether
  // they have any.
  const Votes other =
      Ask(*voter, Make({.folder = "p", .classes = {"one", "two"}}));
  std::filesystem::rename("p", "other");
  EXPECT_EQ(other, Ask(*voter, Make({.folder = "p", .labelled = false})));
}

TEST_F(ImageVoterTest, AVoterIsAFunctionOfItsReferencesAndSeed) {
  const auto one = Learn(0.01);
  std::filesystem::remove_all("reference");
  fed::WorkerPool three(3);
  const FederatedDataset reference =
      Make({.folder = "reference", .users = 120});
  const auto two = LearnImageVoter(reference,
                                   {.least_examples = 4,
                                    .most_examples = kExamples,
                                    .seed = 3,
                                    .effort = 0.01},
                                   three);
  one->Write("one");
  two->Write("two");
  EXPECT_EQ(base::ReadFile("one/voter.json"), base::ReadFile("two/voter.json"));
}

TEST_F(ImageVoterTest, AWrittenVoterVotesTheSame) {
  const auto voter = Learn(0.02);
  voter->Write("voter");
  const auto again = ReadImageVoter("voter");
  const FederatedDataset people =
      Make({.damage = LevelCurve([](double l) { return 0.6 * l; })});
  EXPECT_EQ(Ask(*again, people), Ask(*voter, people));
  EXPECT_EQ(ToJson(again->calibration()), ToJson(voter->calibration()));
}

TEST_F(ImageVoterTest, ADamagedVoterIsRefused) {
  Learn(0.01)->Write("voter");
  const std::string json = base::ReadFile("voter/voter.json");
  const std::string tensors = base::ReadFile("voter/voter.safetensors");
  for (const std::string& broken :
       {std::string(), std::string("{}"), json.substr(0, json.size() / 2),
        std::string("[1]")}) {
    base::WriteFileAtomically("voter/voter.json", broken);
    EXPECT_EQ(Thrown([&] { ReadImageVoter("voter"); }).kind(),
              ErrorKind::kCorrupt);
  }
  base::WriteFileAtomically("voter/voter.json", json);
  std::string changed = tensors;
  changed[changed.size() / 2] ^= 1;
  base::WriteFileAtomically("voter/voter.safetensors", changed);
  EXPECT_EQ(Thrown([&] { ReadImageVoter("voter"); }).kind(),
            ErrorKind::kCorrupt);
}

// A voter's JSON, changed as `change` says, and its tensors.
class ChangedVoter : public ImageVoterTest {
 protected:
  // What reading throws; nothing if it reads.
  using Change = std::function<void(nlohmann::json&)>;
  std::optional<ErrorKind> Reading(const Change& change) {
    nlohmann::json json = json_;
    change(json);
    base::WriteFileAtomically("voter/voter.json", json.dump());
    try {
      read_ = ReadImageVoter("voter");
    } catch (const Error& error) {
      return error.kind();
    }
    return std::nullopt;
  }

  // The same with tensors that `change` changed, and the sum that belongs to
  // them. Tensors of the file: by name, their shape and numbers.
  struct Tensor {
    std::vector<std::uint64_t> shape = {};
    std::vector<float> numbers = {};
  };
  using Tensors = std::map<std::string, Tensor>;
  std::optional<ErrorKind> ReadingTensors(
      const std::function<void(Tensors&)>& change) {
    Tensors changed = tensors_;
    change(changed);
    WriteTensors(changed);
    const auto thrown = Reading([](nlohmann::json& json) {
      json["voter_crc32c"] =
          base::Crc32c(base::ReadFile("voter/voter.safetensors"));
    });
    WriteTensors(tensors_);
    return thrown;
  }

  void Keep(const Voter& voter) {
    voter.Write("voter");
    json_ = base::ParseJson(base::ReadFile("voter/voter.json"));
    const base::SafetensorsFile file("voter/voter.safetensors");
    for (const auto& [name, view] : file.tensors()) {
      const auto numbers = file.Get<float>(name);
      tensors_[name] = {view.shape, {numbers.begin(), numbers.end()}};
    }
  }

  std::unique_ptr<Voter> read_;

 private:
  static void WriteTensors(const Tensors& tensors) {
    std::vector<base::TensorOut> out;
    for (const auto& [name, tensor] : tensors) {
      out.push_back({.name = name,
                     .shape = tensor.shape,
                     .bytes = std::as_bytes(std::span(tensor.numbers))});
    }
    std::filesystem::remove("voter/voter.safetensors");
    base::WriteSafetensors("voter/voter.safetensors", out);
  }

  nlohmann::json json_;
  Tensors tensors_;
};

TEST_F(ChangedVoter, IsRefusedWhateverWasChanged) {
  Keep(*Learn(0.01, {"rotate", "blur"}));
  ASSERT_EQ(Reading([](nlohmann::json&) {}), std::nullopt);
  ASSERT_EQ(ReadingTensors([](Tensors&) {}), std::nullopt);

  // One number or list of JSON, by its place.
  const nlohmann::json huge = 1e300;
  const std::vector<std::pair<std::string, nlohmann::json>> values = {
      {"/schema", "sfumato.image_voter/2"},
      {"/shape", {12, 12}},
      {"/shape/0", 0},
      {"/shape/1", -12},
      {"/shape/1", 1e9},
      {"/shape/1", std::int64_t{1} << 40},
      {"/shape/2", 2},
      {"/shape", nlohmann::json::object()},
      {"/classes", nlohmann::json::array()},
      {"/classes", {"l", "t", "x"}},
      {"/classes", {1, 2}},
      {"/options/marks", 0},
      {"/options/marks", 2},  // the calibration has one
      {"/options/marks", true},
      {"/options/marks", std::uint64_t{1} << 63},
      {"/options/least_examples", -1},
      {"/options/least_examples", 0.5},
      {"/options/most_examples", 0},
      {"/options/most_examples", nullptr},
      {"/options/classes", -1},
      {"/options/labels", 1},
      {"/options/split", "rotate"},
      {"/options/seed", -1},
      {"/options/seed", huge},
      {"/margins", nlohmann::json::array()},
      {"/margins", nlohmann::json::array({0.5})},
      {"/margins", std::vector<double>(100'000)},
      {"/margins/0", nullptr},
      {"/margins/0", huge},
      {"/unsure", nlohmann::json::array({0.5})},
      {"/unsure", nlohmann::json::object()},
      {"/beside", nlohmann::json::array()},
      {"/beside/1", nlohmann::json::array()},
      {"/beside/1/0", "0"},
      {"/odd_of_pairs", nullptr},
      {"/cell_of_family", nlohmann::json::array({1})},
      {"/cell_of_family/0", 0},  // as it should be
      {"/cell_of_family/0", -1},
      {"/cell_of_family/0", 1'000'000},
      {"/cell_of_family/0", 1.5},
      {"/splits", nullptr},
      {"/splits/0/family", -1},
      {"/splits/0/family", 1000},
      {"/splits/0/cells", nlohmann::json::array({1})},
      {"/splits/0/cells/0", 1000},
      {"/splits/0/cells/0", 0},
      {"/voter_crc32c", 1},
      {"/voter_crc32c", nullptr},
      {"/calibration", nullptr},
      {"/calibration/cells", nlohmann::json::array()},
      {"/calibration/marks", 2},
      {"/calibration/states/0/tried/0/votes/0", -1},
  };
  for (const auto& [place, value] : values) {
    EXPECT_EQ(Reading([&](nlohmann::json& json) {
                json[nlohmann::json::json_pointer(place)] = value;
              }),
              ErrorKind::kCorrupt)
        << place << " " << value.dump().substr(0, 60);
  }
  // A family twice among those that are split.
  EXPECT_EQ(Reading([](nlohmann::json& json) {
              json["splits"][1]["family"] = json["splits"][0]["family"];
            }),
            ErrorKind::kCorrupt);
  EXPECT_EQ(Reading([](nlohmann::json& json) {
              json["calibration"] = {{"about", "classes"},
                                     {"cells", nlohmann::json::array()},
                                     {"states", nlohmann::json::array()},
                                     {"marks", 1},
                                     {"remarks", nlohmann::json::array()}};
            }),
            ErrorKind::kCorrupt);
  // Without any one of its parts.
  nlohmann::json whole;
  Reading([&](nlohmann::json& json) { whole = json; });
  for (const auto& [key, value] : whole.items()) {
    if (key == "kind") continue;  // ReadVoter's
    EXPECT_EQ(Reading([&](nlohmann::json& json) { json.erase(key); }),
              ErrorKind::kCorrupt)
        << key;
  }

  Tensors tensors;
  ReadingTensors([&](Tensors& all) { tensors = all; });
  for (const auto& [name, tensor] : tensors) {
    // The states of the fit are read alike.
    if (name.starts_with("fit/users") && name != "fit/users1") continue;
    const std::size_t rank = tensor.shape.size();
    const auto changed = [&](const std::function<void(Tensor&)>& change) {
      return ReadingTensors([&](Tensors& all) { change(all[name]); });
    };
    EXPECT_EQ(ReadingTensors([&](Tensors& all) { all.erase(name); }),
              ErrorKind::kCorrupt)
        << name;
    EXPECT_EQ(changed([](Tensor& one) { one.numbers[0] = NAN; }),
              ErrorKind::kCorrupt)
        << name;
    EXPECT_EQ(changed([](Tensor& one) { one.shape.push_back(1); }),
              ErrorKind::kCorrupt)
        << name;
    EXPECT_EQ(changed([](Tensor& one) { one = {{0}, {}}; }),
              ErrorKind::kCorrupt)
        << name;
    EXPECT_EQ(changed([&](Tensor& one) {
                one.numbers.clear();
                one.shape.assign(rank, std::uint64_t{1} << 40);
                one.shape[rank - 1] = 0;
              }),
              ErrorKind::kCorrupt)
        << name;
    // One column less; of what has as many as a voter likes, that is right
    // only where another tensor says the same.
    EXPECT_EQ(changed([&](Tensor& one) {
                one.shape[rank - 1] -= 1;
                std::uint64_t size = 1;
                for (const std::uint64_t side : one.shape) size *= side;
                one.numbers.resize(size);
              }),
              ErrorKind::kCorrupt)
        << name;
  }
  for (const char* name : {"scale/spread", "fit/thresholds", "fit/fixed"}) {
    EXPECT_EQ(ReadingTensors([&](Tensors& all) { all[name].numbers[0] = -1; }),
              ErrorKind::kCorrupt)
        << name;
  }
  EXPECT_EQ(
      ReadingTensors([](Tensors& all) {
        for (const char* name :
             {"templates/centre", "templates/directions", "templates/means"}) {
          all.erase(name);
        }
      }),
      ErrorKind::kCorrupt);
  std::filesystem::remove("voter/voter.safetensors");
  EXPECT_EQ(Reading([](nlohmann::json&) {}), ErrorKind::kCorrupt);
  base::WriteFileAtomically("voter/voter.safetensors", "");
  EXPECT_EQ(Reading([](nlohmann::json& json) {
              json["voter_crc32c"] = base::Crc32c("");
            }),
            ErrorKind::kCorrupt);
}

// Numbers that a float can hold, though no voter has them.
TEST_F(ChangedVoter, WithNumbersThatCanBeVotes) {
  Keep(*Learn(0.01, {"rotate"}));
  const FederatedDataset people = Make({.users = 3});
  for (const float number : {3e38F, 1e-38F}) {
    const auto thrown = ReadingTensors([&](Tensors& all) {
      for (auto& [name, tensor] : all) {
        std::ranges::fill(tensor.numbers, number);
      }
    });
    EXPECT_EQ(thrown, std::nullopt);
    EXPECT_EQ(Ask(*read_, people).size(), 3U);
  }
}

// Two families; the first is split by whether the only number of a user is
// above zero.
TEST(ImageVoterCellsTest, AUserMayMarkACellOfEachOfTwoFamilies) {
  ImageVoter voter(
      {.reader = ImageReader({1, 1, 1}, ClassTemplates()),
       .network = SetNetwork({.inputs = 1, .outputs = 3}, at::kCPU),
       .cell_of_family = {1, 3, 5},
       .splits = {{.family = 0,
                   .cells = {1, 2},
                   .choice = {.weights = {-1, 1}, .bias = {0, 0}}}}});
  for (const char* key :
       {kAsItShouldBe, "turn=1", "turn=2", "blur", kNoneOfThese, kCannotTell}) {
    voter.own_calibration().cells.push_back({.key = key});
  }
  using Cells = std::vector<std::int64_t>;
  const at::Tensor above = at::ones({1});
  EXPECT_EQ(voter.CellsOf({0, 1}, above), (Cells{2, 3}));
  EXPECT_EQ(voter.CellsOf({0, 1}, -above), (Cells{1, 3}));
  EXPECT_EQ(voter.CellsOf({0}, above), (Cells{2}));
  EXPECT_EQ(voter.CellsOf({0, 2}, above), (Cells{2}));  // 2 has no cell
  EXPECT_EQ(voter.CellsOf({1}, at::Tensor()), (Cells{3}));
  EXPECT_EQ(voter.CellsOf({kHealthyMark}, at::Tensor()), (Cells{0}));
  EXPECT_TRUE(voter.MarksSplit({1, 0}));
  EXPECT_FALSE(voter.MarksSplit({1}));
}

// Images of one level each: darkened, blank or with other mid-tones, they are
// images of another level each.
TEST_F(ImageVoterTest, FamiliesThatAreOneAnswerAreNotSplit) {
  const ImageDamage flat = [](ImageSet& set, Rng& rng) {
    for (Pixels& image : set.images) {
      std::ranges::fill(image, static_cast<std::uint8_t>(120 + rng.Below(10)));
    }
  };
  const auto voter =
      LearnImageVoter(Make({.folder = "flat", .users = 120, .damage = flat}),
                      {.least_examples = 4,
                       .most_examples = kExamples,
                       .labels = false,
                       .split = {"contrast", "gamma"},
                       .effort = 0.1},
                      pool_);
  const std::vector<Cell>& cells = voter->calibration().cells;
  const auto joined = std::ranges::find_if(cells, [](const Cell& cell) {
    return cell.key.find("contrast_or_gamma") != std::string::npos;
  });
  ASSERT_NE(joined, cells.end()) << ToJson(voter->calibration())["cells"];
  for (const Cell& cell : cells) {
    EXPECT_FALSE(cell.key.starts_with("contrast=")) << cell.key;
    EXPECT_FALSE(cell.key.starts_with("gamma=")) << cell.key;
  }
  EXPECT_NE(std::ranges::find(voter->calibration().remarks,
                              "Not split by strength: with other mid-tones, "
                              "which is one answer with others."),
            voter->calibration().remarks.end());
}

// Letters are turned by 30° in 20 of 100 users: nothing else may be named, and
// no other angle.
TEST_F(ImageVoterTest, AFamilyThatIsSplitNamesTheStrength) {
  const auto voter = Learn(0.15, {"rotate"});
  const Calibration& calibration = voter->calibration();
  EXPECT_THROW(calibration.CellOf("rotate"), Error);
  const Cell& cell = calibration.cells[calibration.CellOf("rotate=30°")];
  EXPECT_EQ(cell.words, "turned: 30°");
  EXPECT_FALSE(cell.cause.empty());
  for (std::size_t s = 1; s < calibration.states.size(); ++s) {
    const State& state = calibration.states[s];
    EXPECT_EQ(state.key, calibration.cells[s].key);
    if (!state.key.starts_with("rotate=")) continue;
    ASSERT_EQ(state.tried.size(), 1U);
    EXPECT_EQ("rotate=" + state.tried[0].values, state.key);
  }

  const Votes votes = Ask(
      *voter,
      Make({.users = 100, .damage = DamageOf("rotate", "30°"), .damaged = 20}));
  EXPECT_GE(Marking(*voter, votes, "rotate=30°"), 15) << Shown(*voter, votes);
  const CensusAnswer answer = AnswerTo(*voter, votes);
  EXPECT_EQ(answer.verdict, CensusVerdict::kDiffers) << Shown(*voter, votes);
  for (const CellAnswer& one : answer.answers) {
    if (one.key == kAsItShouldBe || one.key == kCannotTell) continue;
    EXPECT_EQ(one.supported, one.key == "rotate=30°") << one.key;
    if (one.key != "rotate=30°") continue;
    EXPECT_LE(one.low, 0.2);
    EXPECT_GE(one.high, 0.2);
  }

  voter->Write("voter");
  const auto again = ReadImageVoter("voter");
  EXPECT_EQ(ToJson(again->calibration()), ToJson(calibration));
  EXPECT_EQ(Ask(*again, FederatedDataset("people")), votes);
}

TEST_F(ImageVoterTest, OnlyAFamilyOfSeveralStrengthsCanBeSplit) {
  const Error unknown = Thrown([&] { Learn(0.01, {"rotat"}); });
  EXPECT_EQ(unknown.kind(), ErrorKind::kBadInput);
  EXPECT_EQ(unknown.where(), "census.split");
  EXPECT_NE(std::string(unknown.what()).find("unknown family 'rotat'"),
            std::string::npos);
  EXPECT_NE(unknown.todo().find("rotate"), std::string::npos);
  std::filesystem::remove_all("reference");
  const Error one = Thrown([&] { Learn(0.01, {"mirror"}); });
  EXPECT_EQ(one.kind(), ErrorKind::kBadInput);
  EXPECT_EQ(one.where(), "census.split");
}

// Of 120 people 48 are asked 80 times: worth at least as many, and less than
// answers of 80 people. A pool has no people, but its examples are few, too.
TEST_F(ImageVoterTest, ReferenceUsersOfFewPeopleAreWorthLess) {
  const auto voter = Learn(0.04);
  for (const Tried& healthy : voter->calibration().states[0].tried) {
    EXPECT_EQ(healthy.users, 80);
    for (const std::int64_t worth : healthy.worth) {
      EXPECT_GE(worth, 48);
      EXPECT_LT(worth, 80);
    }
  }
  // With a damage, at most one of them is asked about each strength.
  for (std::size_t s = 1; s < voter->calibration().states.size(); ++s) {
    for (const Tried& tried : voter->calibration().states[s].tried) {
      EXPECT_EQ(tried.users, 10);
      EXPECT_EQ(tried.worth, std::vector<std::int64_t>(tried.votes.size(), 10));
    }
  }
  const auto worth_of_pool = [&](int examples) {
    const auto of_pool = LearnImageVoter(
        Make({.folder = "pool", .users = 1, .examples = examples}),
        {.least_examples = 4, .most_examples = 12, .effort = 0.01}, pool_);
    const Tried& tried = of_pool->calibration().states[0].tried.at(0);
    EXPECT_EQ(tried.users, 20);
    return WorthOf(tried, 1);
  };
  EXPECT_EQ(worth_of_pool(400), 20);
  std::filesystem::remove_all("pool");
  EXPECT_LT(worth_of_pool(40), 15);
}

TEST_F(ImageVoterTest, OneExampleOfAClassIsTooFew) {
  const FederatedDataset one = Make({.users = 1, .examples = 1});
  EXPECT_EQ(Thrown([&] { LearnImageVoter(one, {}, pool_); }).kind(),
            ErrorKind::kBadInput);
}

// How much better an image fits another class is said as it should be placed,
// and, last, as the user's images are placed: by distance, by direction, and by
// direction from the middle of the user's own images.
class LabelsBesideADamage : public ImageVoterTest {
 protected:
  // The mean numbers about labels of right and of swapped ones.
  struct Numbers {
    at::Tensor right;
    at::Tensor gap;  // by how much swapped ones have more
  };
  enum Number { kAsItShouldBe, kPlaced, kAlong, kApart };

  Numbers Read(const std::function<Pixels(const data::ImageView&)>& damage) {
    if (!reference_) reference_.emplace(Make({.folder = "reference"}));
    std::vector<ReferenceRow> rows;
    for (std::int64_t u = 0; u < 60; ++u) {
      for (std::int64_t i = 0; i < kExamples; ++i) rows.push_back({u, i});
    }
    const data::ImageShape& shape = reference_->info().image;
    const ImageReader reader(
        shape, ClassTemplates(*reference_, rows, ImagePoints(shape), pool_));
    Rng rng(3);
    ImageSet set{.shape = shape};
    for (int i = 0; i < 20; ++i) {
      const Pixels letter = Letter(i % 2, rng);
      set.images.push_back(damage({set.shape, letter}));
      set.labels.push_back(i % 2);
    }
    const auto read = [&] {
      const at::Tensor all = reader.Read(set).mean(0);
      const std::int64_t n = reader.size();
      const std::int64_t first = n - reader.templates().size() + 1;
      return all.index_select(
          0, at::tensor({first, n - 3, n - 2, n - 1}, at::kLong));
    };
    const at::Tensor right = read();
    for (std::int32_t& label : set.labels) label = 1 - label;
    return {.right = right, .gap = read() - right};
  }
  static float At(const at::Tensor& numbers, Number number) {
    return numbers[number].item<float>();
  }

 private:
  std::optional<FederatedDataset> reference_;
};

TEST_F(LabelsBesideADamage, AMoveIsFollowed) {
  const Numbers moved = Read(
      [](const data::ImageView& image) { return data::Shift(image, 3, 0); });
  EXPECT_GT(At(moved.gap, kPlaced), 1.2F * At(moved.gap, kAsItShouldBe));
  for (const Number number : {kAlong, kApart}) {
    EXPECT_LT(At(moved.right, number), 0);
    EXPECT_GT(At(moved.gap, number), 0.5);
  }
}

// Where little is left of what makes images differ, directions from the middle
// of all references say little, and those from the user's own say most of what
// they said.
TEST_F(LabelsBesideADamage, WhatHappensToAllImagesAlikeCancels) {
  const Numbers healthy = Read([](const data::ImageView& image) {
    return Pixels(image.pixels.begin(), image.pixels.end());
  });
  const Numbers grey = Read([](const data::ImageView& image) {
    Pixels pixels(image.pixels.begin(), image.pixels.end());
    for (std::uint8_t& level : pixels) {
      level = static_cast<std::uint8_t>(96 + level / 4);
    }
    return pixels;
  });
  EXPECT_LT(At(grey.gap, kAlong), At(healthy.gap, kAlong) / 3);
  EXPECT_GT(At(grey.gap, kApart), At(healthy.gap, kApart) * 2 / 3);
}

}  // namespace
}  // namespace sfumato::census
