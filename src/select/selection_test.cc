#include "select/selection.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <numeric>

#include "base/error.h"
#include "base/error_testing.h"
#include "base/folder_testing.h"
#include "data/dataset_writer.h"
#include "data/vocabulary.h"
#include "fmt/format.h"
#include "models/sequences.h"

namespace sfumato::select {
namespace {

// One feature an example, and a classifier that takes a positive one for class
// "yes". An example is {feature, label, column value}.
struct Row {
  float feature = 0;
  std::int32_t label = 0;
  std::int32_t device = 0;
};
using Person = std::pair<std::string, std::vector<Row>>;

class SelectionTest : public base::FolderTest {
 protected:
  // A set with everything that Select needs.
  struct People {
    std::unique_ptr<data::FederatedDataset> set;
    std::unique_ptr<models::Examples> examples;
    std::vector<std::int64_t> users;
    Verdicts verdicts;
  };
  People Make(const std::vector<Person>& people, const std::string& name,
              data::Origin origin = data::Origin::kPublic) {
    data::DatasetInfo info;
    info.name = name;
    info.kind = data::Kind::kFeatures;
    info.origin = origin;
    info.feature_count = 1;
    info.classes = {"no", "yes"};
    info.columns = {{.name = "device", .values = {"old", "new"}}};
    info.declared = true;
    data::DatasetWriter writer(folder_ / name, info);
    for (const auto& [id, rows] : people) {
      writer.BeginUser(id);
      for (const Row& row : rows) {
        writer.Add({.features = {&row.feature, 1},
                    .label = row.label,
                    .columns = {&row.device, 1}});
      }
    }
    writer.Finish();
    People made;
    made.set = std::make_unique<data::FederatedDataset>(folder_ / name);
    made.examples = models::ExamplesOf(*made.set);
    if (origin == data::Origin::kPrivate) {
      made.examples = models::SilentExamples(std::move(made.examples));
    }
    made.users.resize(people.size());
    std::iota(made.users.begin(), made.users.end(), 0);
    made.verdicts = JudgeAll(Model(2), Params(), *made.examples, pool_);
    return made;
  }
  static models::Stack Model(std::int64_t classes, std::int64_t inputs = 1) {
    return models::Stack({1, 1, inputs}, {models::Dense{.outputs = classes}});
  }
  static at::Tensor Params() {  // logits {0, 3x}
    return at::tensor({0.0f, 3.0f, 0.0f, 0.0f}).unsqueeze(0);
  }
  static std::unique_ptr<models::Examples> Chosen(const Criterion& criterion,
                                                  const People& people) {
    return Select(criterion, {*people.set, people.users, *people.examples,
                              people.verdicts});
  }
  // The features that take part, user by user.
  static std::vector<std::vector<float>> Features(
      const models::Examples& examples) {
    std::vector<std::vector<float>> all;
    for (std::int64_t user = 0; user < examples.users(); ++user) {
      all.emplace_back();
      for (std::int64_t i = 0; i < examples.user_size(user); ++i) {
        float value = 0;
        examples.Read(user, i, {&value, 1});
        all.back().push_back(value);
      }
    }
    return all;
  }

  fed::WorkerPool pool_{2};
};

using Wanted = std::vector<std::vector<float>>;

// ada: 2 of 3 right; bob: all of 2; eve: none of 2, dan has nothing.
const std::vector<Person> kPeople = {{"ada", {{1, 1, 0}, {2, 1, 1}, {3, 0, 1}}},
                                     {"bob", {{-4, 0, 0}, {5, 1, 0}}},
                                     {"eve", {{6, 0, 1}, {-7, 1, 1}}},
                                     {"dan", {}}};

TEST_F(SelectionTest, JudgesEveryExampleAlikeWithAnyNumberOfThreads) {
  std::vector<Row> many;
  for (int i = 0; i < 150; ++i) many.push_back({1, i % 3 == 0 ? 0 : 1, 0});
  std::vector<Person> all = kPeople;
  all.push_back({"max", many});
  People people = Make(all, "set");
  EXPECT_EQ(people.verdicts.correct[0], (std::vector<char>{1, 1, 0}));
  EXPECT_EQ(people.verdicts.Accuracy(0), 2 / 3.0);
  EXPECT_EQ(people.verdicts.Accuracy(1), 1);
  EXPECT_EQ(people.verdicts.Accuracy(2), 0);
  EXPECT_TRUE(std::isnan(people.verdicts.Accuracy(3))) << "no examples";
  EXPECT_EQ(people.verdicts.Accuracy(4), 100 / 150.0);
  fed::WorkerPool one(1);
  EXPECT_EQ(JudgeAll(Model(2), Params(), *people.examples, one).correct,
            people.verdicts.correct);
  const std::vector<double> accuracies = Accuracies(people.verdicts);
  EXPECT_EQ(accuracies[1], 1);
  EXPECT_TRUE(std::isnan(accuracies[3]));
  EXPECT_EQ(CorrectionRates(people.verdicts)[4], 50 / 150.0);
}

// With two marks. dan has no examples, whatever he votes.
TEST_F(SelectionTest, AUserIsOnTheSideOfTheirMarksAndOnNoneWithAnother) {
  People people = Make(kPeople, "set");
  people.verdicts.marks = {
      {"as_it_should_be"}, {"blur", "invert"}, {"rotate"}, {"as_it_should_be"}};
  Criterion criterion{.by = By::kVote, .answer = "invert"};
  EXPECT_EQ(Features(*Chosen(criterion, people)),
            (Wanted{{1, 2, 3}, {}, {}, {}}));
  criterion.side = Side::kB;
  EXPECT_EQ(Features(*Chosen(criterion, people)),
            (Wanted{{}, {-4, 5}, {}, {}}));
  // Whatever a voter marks beside it, nobody is on both sides.
  people.verdicts.marks[1] = {"as_it_should_be", "invert"};
  EXPECT_EQ(Features(*Chosen(criterion, people)),
            (Wanted{{}, {-4, 5}, {}, {}}));
  criterion.side = Side::kA;
  EXPECT_EQ(Features(*Chosen(criterion, people)),
            (Wanted{{1, 2, 3}, {}, {}, {}}));
}

TEST_F(SelectionTest, AModelOfOtherClassesOrInputsIsRefused) {
  const People people = Make(kPeople, "set");
  const auto judge = [&](const models::Stack& model) {
    return Thrown([&] {
             JudgeAll(model, model.Initial(1), *people.examples, pool_);
           })
        .kind();
  };
  EXPECT_EQ(judge(Model(3)), ErrorKind::kBadInput);
  EXPECT_EQ(judge(Model(2, 4)), ErrorKind::kBadInput);
  const models::Stack three = Model(3);
  EXPECT_EQ(Thrown([&] {
              ScoreAll(three, three.Initial(1), *people.examples, pool_);
            }).kind(),
            ErrorKind::kBadInput);
}

TEST_F(SelectionTest, EachCriterionChoosesItsOwn) {
  People people = Make(kPeople, "set");
  const auto features = [&](Criterion criterion, Side side) {
    criterion.side = side;
    return Features(*Chosen(criterion, people));
  };
  EXPECT_EQ(features({.by = By::kEveryone}, Side::kB),
            (Wanted{{1, 2, 3}, {-4, 5}, {6, -7}, {}}));
  const Criterion accuracy{.by = By::kAccuracy, .above = 0.9, .below = 0.7};
  EXPECT_EQ(features(accuracy, Side::kA), (Wanted{{}, {-4, 5}, {}, {}}));
  EXPECT_EQ(features(accuracy, Side::kB), (Wanted{{1, 2, 3}, {}, {6, -7}, {}}));
  const Criterion two{.by = By::kExamples, .least_examples = 2};
  EXPECT_EQ(features(two, Side::kA), (Wanted{{1, 2}, {-4, 5}, {}, {}}));
  EXPECT_EQ(features(two, Side::kB), (Wanted{{}, {}, {6, -7}, {}}));
  const Criterion no{.by = By::kClass, .value = "no"};
  EXPECT_EQ(features(no, Side::kA), (Wanted{{1, 2}, {5}, {-7}, {}}));
  EXPECT_EQ(features(no, Side::kB), (Wanted{{3}, {-4}, {6}, {}}));
  const Criterion old{.by = By::kColumn, .column = "device", .value = "old"};
  EXPECT_EQ(features(old, Side::kA), (Wanted{{2, 3}, {}, {6, -7}, {}}));
  EXPECT_EQ(features(old, Side::kB), (Wanted{{1}, {-4, 5}, {}, {}}));
  // The discriminator takes positive numbers for private.
  people.verdicts = ScoreAll(Model(2), Params(), *people.examples, pool_);
  EXPECT_NEAR(people.verdicts.score[0][0], 1 / (1 + std::exp(-3.0)), 1e-6);
  const Criterion unlike{
      .by = By::kUnlikePublic, .above = 0.5, .below = 0.5, .least_examples = 1};
  EXPECT_EQ(features(unlike, Side::kA), (Wanted{{}, {-4}, {-7}, {}}));
  EXPECT_EQ(features(unlike, Side::kB), (Wanted{{1, 2, 3}, {5}, {6}, {}}));
}

TEST_F(SelectionTest, AUserOnAThresholdIsOnNeitherSide) {
  const People people = Make(kPeople, "set");
  Criterion criterion{.by = By::kAccuracy, .above = 2 / 3.0, .below = 2 / 3.0};
  EXPECT_EQ(Chosen(criterion, people)->user_size(0), 0);
  criterion.side = Side::kB;
  EXPECT_EQ(Chosen(criterion, people)->user_size(0), 0);
  EXPECT_EQ(SelectedUsers(*Chosen(criterion, people)), 1);
}

TEST_F(SelectionTest, NumbersForSurveysSayWhoIsOnWhichSide) {
  const People people = Make(kPeople, "set");
  Criterion criterion{.by = By::kAccuracy, .above = 0.9, .below = 0.5};
  const auto a = Chosen(criterion, people);
  criterion.side = Side::kB;
  const auto b = Chosen(criterion, people);
  const std::vector<double> sides = SidesOf(*a, *b);
  EXPECT_TRUE(std::isnan(sides[0]) && std::isnan(sides[3]));
  EXPECT_EQ(sides[1], 0);
  EXPECT_EQ(sides[2], 1);
  EXPECT_EQ(TakingPart(*b)[2], 0);
  EXPECT_TRUE(std::isnan(TakingPart(*b)[1]));
}

TEST_F(SelectionTest, TheHalvesOfASideAreDisjointAndMakeItWhole) {
  std::vector<Person> people;
  for (int i = 0; i < 60; ++i) {
    people.push_back({fmt::format("user {}", i), {{1, 1, 0}}});
  }
  const People made = Make(people, "set");
  const auto first = Chosen({.half = 1}, made);
  const auto second = Chosen({.half = 2}, made);
  for (std::int64_t user = 0; user < 60; ++user) {
    EXPECT_EQ(first->user_size(user) + second->user_size(user), 1);
  }
  EXPECT_GT(SelectedUsers(*first), 15);
  EXPECT_GT(SelectedUsers(*second), 15);
}

// Whether a user takes part, and with what, is about nobody else: the chosen
// examples of 20 people are the same when others join, leave or change, also in
// front of them.
TEST_F(SelectionTest, NobodyIsSelectedOrSplitByAnothersData) {
  std::vector<Person> own;
  for (int i = 0; i < 20; ++i) {
    Person person{fmt::format("person {}", i), {}};
    for (int j = 0; j <= i % 7; ++j) {
      person.second.push_back(
          {static_cast<float>(i + 0.01 * j), (i * j) % 3 == 0 ? 1 : 0, j % 2});
    }
    own.push_back(person);
  }
  std::vector<Person> others;
  for (int i = 0; i < 13; ++i) {
    others.push_back({fmt::format("other {}", i), {{-1, 1, 1}, {1, 0, 0}}});
  }
  std::vector<Person> more = others;
  more.insert(more.end(), own.begin(), own.end());
  const People few = Make(own, "few");
  const People many = Make(more, "many");
  std::vector<Criterion> criteria;
  for (const std::int64_t half : {0, 1, 2}) {
    for (const Side side : {Side::kA, Side::kB}) {
      criteria.push_back({.by = By::kAccuracy,
                          .side = side,
                          .half = half,
                          .above = 0.6,
                          .below = 0.5});
      criteria.push_back({.by = By::kExamples,
                          .side = side,
                          .half = half,
                          .least_examples = 2});
      criteria.push_back(
          {.by = By::kClass, .side = side, .half = half, .value = "no"});
    }
  }
  for (const Criterion& criterion : criteria) {
    const auto before = Features(*Chosen(criterion, few));
    const auto after = Features(*Chosen(criterion, many));
    for (std::size_t i = 0; i < own.size(); ++i) {
      EXPECT_EQ(before[i], after[others.size() + i]) << Words(criterion);
    }
  }
}

TEST_F(SelectionTest, UnknownSlicesAreRefusedBeforeAnythingIsRead) {
  const People people = Make(kPeople, "set");
  EXPECT_EQ(Thrown([&] {
              Chosen({.by = By::kClass, .value = "maybe"}, people);
            }).where(),
            "select.value");
  EXPECT_EQ(Thrown([&] {
              Chosen({.by = By::kColumn, .column = "colour", .value = "x"},
                     people);
            }).where(),
            "select.column");
}

// A label out of range in the middle of the file.
TEST_F(SelectionTest, OfPrivateDataABrokenExampleSaysNothing) {
  for (const data::Origin origin :
       {data::Origin::kPrivate, data::Origin::kPublic}) {
    const bool hidden = origin == data::Origin::kPrivate;
    const std::string name = hidden ? "hidden" : "open";
    {
      const People whole = Make(kPeople, name, origin);
    }
    // The first label, 1 of "yes", becomes 77.
    const std::filesystem::path path = folder_ / name / "data.safetensors";
    const base::SafetensorsFile file(path);
    std::string bytes;
    {
      std::ifstream in(path, std::ios::binary);
      bytes.assign(std::istreambuf_iterator<char>(in), {});
    }
    const std::vector<std::int32_t> labels = {1, 1, 0, 0, 1, 0, 1};
    const std::string pattern(reinterpret_cast<const char*>(labels.data()),
                              labels.size() * 4);
    const auto at = bytes.find(pattern);
    ASSERT_NE(at, std::string::npos);
    bytes[at] = 77;
    std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;

    const data::FederatedDataset set(folder_ / name);
    std::unique_ptr<models::Examples> examples = models::ExamplesOf(set);
    if (hidden) examples = models::SilentExamples(std::move(examples));
    const std::vector<std::int64_t> users = {0, 1, 2, 3};
    const auto run = [&] {
      Verdicts verdicts;
      if (hidden) {
        verdicts = JudgeAll(Model(2), Params(), *examples, pool_);
        EXPECT_EQ(verdicts.correct[0], (std::vector<char>{0, 1, 0}));
      }
      return Select({.by = By::kClass, .side = Side::kB, .value = "yes"},
                    {set, users, *examples, verdicts});
    };
    if (hidden) {
      EXPECT_EQ(Features(*run()), (Wanted{{2}, {5}, {-7}, {}}));
    } else {
      EXPECT_EQ(Thrown([&] { run(); }).kind(), ErrorKind::kCorrupt);
    }
  }
}

// A word model that looks at nothing: "the" has chance 1/2, an end 1/4, "cat"
// 1/8, an unknown word 1/16, padding and begin 1/32 each. So a sentence of n
// words has a perplexity of 2 to the power of its bits / (n + 1).
class LikelihoodTest : public SelectionTest {
 protected:
  using Texts = std::vector<std::pair<std::string, std::vector<std::string>>>;

  static models::Lstm WordModel(std::int64_t symbols) {
    return models::Lstm({.symbols = symbols,
                         .embedding = 2,
                         .hidden = 3,
                         .projection = 2,
                         .tied = true,
                         .begin = data::Vocabulary::kBegin,
                         .end = data::Vocabulary::kEnd});
  }
  static at::Tensor WordParams(const models::Lstm& model) {
    at::Tensor params = at::zeros({1, model.layout().size()});
    model.layout().View(params, model.output_bias())[0].copy_(
        -std::log(2.0) * at::tensor({5.0, 4.0, 5.0, 2.0, 1.0, 3.0}));
    return params;
  }
  // ada  "the the the" 5 bits of 4, "cat" 5 of 2:     10 of 6, 2^(5/3) = 3.17
  // bob  "dog dog" 10 of 3, "cat" 5 of 2:             15 of 5, 2^3 = 8
  // eve  "the dog the the the the": 11 of 7:          2^(11/7) = 2.97
  // dan  nothing
  void SetUp() override {
    SelectionTest::SetUp();
    data::DatasetInfo info;
    info.name = "text";
    info.kind = data::Kind::kText;
    info.origin = data::Origin::kPublic;
    data::DatasetWriter writer(folder_ / "text", info);
    const Texts people = {{"ada", {"the the the", "cat"}},
                          {"bob", {"dog dog", "cat"}},
                          {"eve", {"the dog the the the the"}},
                          {"dan", {}}};
    for (const auto& [id, sentences] : people) {
      writer.BeginUser(id);
      for (const std::string& sentence : sentences) {
        writer.Add({.text = sentence});
      }
    }
    writer.Finish();
    set_ = std::make_unique<data::FederatedDataset>(folder_ / "text");
    sentences_ = models::SentencesOf(*set_, words_, 8);
    verdicts_ = LikelihoodOfAll(model_, params_, *sentences_, pool_);
  }
  std::vector<std::vector<std::int64_t>> ChosenBy(Criterion criterion,
                                                  Side side) const {
    criterion.side = side;
    return ChosenExamples(criterion, {*set_, users_, *sentences_, verdicts_});
  }

  const data::Vocabulary words_{{"the", "cat"}};
  const models::Lstm model_ = WordModel(6);
  const at::Tensor params_ = WordParams(model_);
  const std::vector<std::int64_t> users_ = {0, 1, 2, 3};
  std::unique_ptr<data::FederatedDataset> set_;
  std::unique_ptr<models::Examples> sentences_;
  Verdicts verdicts_;
};

using Numbers = std::vector<std::vector<std::int64_t>>;

TEST_F(LikelihoodTest, PerplexityIsOfAllWordsTogether) {
  EXPECT_EQ(verdicts_.likelihood[0][0].predictions, 4);
  EXPECT_NEAR(verdicts_.likelihood[0][0].Perplexity(), std::exp2(5 / 4.0),
              1e-5);
  EXPECT_NEAR(verdicts_.likelihood[1][0].Perplexity(), std::exp2(10 / 3.0),
              1e-5);
  EXPECT_NEAR(verdicts_.Perplexity(0), std::exp2(10 / 6.0), 1e-5);
  EXPECT_NEAR(verdicts_.Perplexity(1), 8, 1e-5);
  const std::vector<double> logs = LogPerplexities(verdicts_);
  EXPECT_NEAR(logs[2], std::log(2.0) * 11 / 7, 1e-6);
  EXPECT_TRUE(std::isnan(logs[3]));
}

TEST_F(LikelihoodTest, UsersForWhomTheModelDoesBadlyAreOnSideB) {
  const Criterion criterion{.by = By::kPerplexity, .above = 6, .below = 3.1};
  EXPECT_EQ(ChosenBy(criterion, Side::kA), (Numbers{{}, {}, {0}, {}}));
  EXPECT_EQ(ChosenBy(criterion, Side::kB), (Numbers{{}, {0, 1}, {}, {}}));
  const Criterion all{.by = By::kPerplexity, .above = 4, .below = 4};
  EXPECT_EQ(ChosenBy(all, Side::kA), (Numbers{{0, 1}, {}, {0}, {}}));
}

TEST_F(LikelihoodTest, SentencesThatTheModelHoldsUnlikelyAreOnSideB) {
  Criterion criterion{
      .by = By::kLikelihood, .above = 5, .below = 2.5, .least_examples = 1};
  EXPECT_EQ(ChosenBy(criterion, Side::kA), (Numbers{{0}, {}, {}, {}}));
  EXPECT_EQ(ChosenBy(criterion, Side::kB), (Numbers{{1}, {0, 1}, {}, {}}));
  criterion.least_examples = 2;
  EXPECT_EQ(ChosenBy(criterion, Side::kB), (Numbers{{}, {0, 1}, {}, {}}));
}

TEST_F(LikelihoodTest, AModelOfOtherWordsIsRefused) {
  const models::Lstm other = WordModel(7);
  EXPECT_EQ(Thrown([&] {
              LikelihoodOfAll(other, other.Initial(1), *sentences_, pool_);
            }).where(),
            "select.model");
}

// Bob's second sentence cannot be read.
class DamagedSentences : public models::Examples {
 public:
  explicit DamagedSentences(const models::Examples& all) : all_(all) {}
  models::Shape shape() const override { return all_.shape(); }
  std::int64_t classes() const override { return all_.classes(); }
  std::int64_t users() const override { return all_.users(); }
  std::int64_t user_size(std::int64_t user) const override {
    return all_.user_size(user);
  }
  std::int64_t Read(std::int64_t user, std::int64_t i,
                    std::span<float> values) const override {
    if (user == 1 && i == 1) throw Corrupt("damaged", "text", "");
    return all_.Read(user, i, values);
  }

 private:
  const models::Examples& all_;
};

TEST_F(LikelihoodTest, ASentenceThatCannotBeReadIsOnNoSideAndCountsNowhere) {
  const auto silent =
      models::SilentExamples(std::make_unique<DamagedSentences>(*sentences_));
  verdicts_ = LikelihoodOfAll(model_, params_, *silent, pool_);
  EXPECT_NEAR(verdicts_.Perplexity(1), std::exp2(10 / 3.0), 1e-5);
  const Criterion criterion{
      .by = By::kLikelihood, .above = 5, .below = 5, .least_examples = 1};
  EXPECT_EQ(ChosenBy(criterion, Side::kA), (Numbers{{0}, {}, {0}, {}}));
  EXPECT_EQ(ChosenBy(criterion, Side::kB), (Numbers{{1}, {0}, {}, {}}));
}

// Whoever has a label that was not declared is neither right nor wrong there.
TEST_F(SelectionTest, ExamplesWithoutALabelAreOnNeitherSide) {
  const People people = Make(
      {{"ada", {{1, 1}, {2, -1}, {-1, 1}}}, {"bea", {{3, -1}}}}, "unlabelled");
  EXPECT_EQ(Accuracies(people.verdicts)[0], 0.5);
  EXPECT_TRUE(std::isnan(Accuracies(people.verdicts)[1]));
  EXPECT_EQ(CorrectionRates(people.verdicts)[0], 0.5);
  Criterion criterion{.by = By::kExamples, .least_examples = 1};
  using Users = std::vector<std::vector<float>>;
  EXPECT_EQ(Features(*Chosen(criterion, people)), (Users{{1}, {}}));
  criterion.side = Side::kB;
  EXPECT_EQ(Features(*Chosen(criterion, people)), (Users{{-1}, {}}));
  for (const Side side : {Side::kA, Side::kB}) {
    const auto by_accuracy =
        Chosen({.by = By::kAccuracy, .side = side, .above = 0.4, .below = 0.4},
               people);
    EXPECT_EQ(by_accuracy->user_size(1), 0) << "nothing of bea was judged";
  }
}

}  // namespace
}  // namespace sfumato::select
