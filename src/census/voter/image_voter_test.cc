#include "census/voter/image_voter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <optional>

#include "base/error.h"
#include "base/error_testing.h"
#include "base/folder_testing.h"
#include "base/random.h"
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
    ImageDamage damage = {};  // of every user
    std::vector<std::string> classes = {"l", "t"};
    int side = kSide;
    bool labelled = true;
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
        Pixels letter = Letter(static_cast<int>(i % 2), rng);
        letter.resize(info.image.size());
        set.images.push_back(std::move(letter));
      }
      if (people.damage) people.damage(set, rng);
      writer.BeginUser("user" + std::to_string(u));
      for (std::int64_t i = 0; i < people.examples; ++i) {
        writer.Add({.pixels = set.images[static_cast<std::size_t>(i)],
                    .label = people.labelled ? static_cast<int>(i % 2) : -1});
      }
    }
    writer.Finish();
    return FederatedDataset(folder_ / people.folder);
  }

  std::unique_ptr<Voter> Learn(double effort = 0.15) {
    const FederatedDataset reference =
        Make({.folder = "reference", .users = 120});
    return LearnImageVoter(reference,
                           {.least_examples = 4,
                            .most_examples = kExamples,
                            .seed = 3,
                            .effort = effort},
                           pool_);
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
// of all references say little, and those from the user's own say as much as
// ever.
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
  EXPECT_LT(At(grey.gap, kAlong), 0.6F * At(healthy.gap, kAlong));
  EXPECT_GT(At(grey.gap, kApart), 0.8F * At(healthy.gap, kApart));
}

}  // namespace
}  // namespace sfumato::census
