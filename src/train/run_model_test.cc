#include "train/run_model.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "train/judging_model.h"
#include "train/train_testing.h"

namespace sfumato::train {
namespace {

class RunModelTest : public base::FolderTest {};

constexpr const char* kEvery[] = {"logistic", "wgan_quick", "word_lm",
                                  "char_lm"};

TEST_F(RunModelTest, ACheckpointGivesTheModelBack) {
  for (const char* network : kEvery) {
    const config::TrainConfig config = ConfigOf(network);
    {
      TinyRun run(network, config);
      EXPECT_EQ(run.Restore(), 0);
      run.Report(1);
      run.Report(4);
      const RunModel read = ReadRunModel(network);
      EXPECT_EQ(read.round, 4) << network;
      EXPECT_TRUE(at::equal(read.params, run.model().Params(run.algorithm())))
          << network;
      EXPECT_EQ(read.model->Metadata().contains("class_names"), false);
      EXPECT_EQ(ReadRunModel(network, 1).round, 1) << network;
    }
    EXPECT_THROW(ReadRunModel(network, 3), Error) << network;
  }
}

TEST_F(RunModelTest, TheObserverBringsARunToItsLastCheckpoint) {
  for (const char* network : kEvery) {
    config::TrainConfig config = ConfigOf(network);
    at::Tensor before;
    {
      TinyRun run(network, config);
      run.Restore();
      run.Report(1);
      run.Report(4);  // waits for the writer
      before = run.algorithm().Broadcast().clone();
    }
    TinyRun again(network, config);
    // Another seed begins elsewhere.
    config.seed = 9;
    const auto other = ModelFor(config, SizeFor(config))->MakeAlgorithm({});
    EXPECT_FALSE(at::equal(other->Broadcast(), before)) << network;
    EXPECT_EQ(again.Restore(), 4) << network;
    EXPECT_TRUE(at::equal(again.algorithm().Broadcast(), before)) << network;
    EXPECT_EQ(again.mechanism().clip_norm(), 42) << network;
    // Samples of rounds with a tenth of four below one: of each reported round.
    const std::size_t sets =
        runs::SamplesIn(base::Path(network) / "samples").size() +
        runs::TextSamplesIn(base::Path(network) / "samples").size();
    EXPECT_EQ(sets, TraitsFor(config).draws ? 2u : 0u) << network;
  }
}

TEST_F(RunModelTest, WordsInAnotherOrderAreRefused) {
  const config::TrainConfig config = ConfigOf("word_lm");
  {
    TinyRun run("words", config);
    run.Restore();
    run.Report(4);
  }
  base::WriteFileAtomically("words/vocabulary.txt", "red\ngreen\nblue\n");
  EXPECT_THROW(ReadRunModel("words"), Error);
  base::WriteFileAtomically("words/vocabulary.txt", "blue\ngreen\n");
  EXPECT_THROW(ReadRunModel("words"), Error);
  base::WriteFileAtomically("words/vocabulary.txt", "blue\ngreen\nred\n");
  EXPECT_EQ(ReadRunModel("words").round, 4);
}

TEST_F(RunModelTest, AJudgeIsRefusedForOtherImagesOrClasses) {
  {
    TinyRun run("judge", ConfigOf("logistic"));
    run.Restore();
    run.Report(4);
  }
  data::DatasetInfo info;
  info.name = "people";
  info.image = {16, 16, 1};
  info.classes = {"left", "right"};
  EXPECT_EQ(ReadJudge("judge", info, false).classes, info.classes);
  EXPECT_THROW(ReadJudge("judge", info, /*discriminator=*/true), Error);
  EXPECT_THROW(ReadJudge("nowhere", info, false), Error);
  data::DatasetInfo smaller = info;
  smaller.image = {8, 8, 1};
  EXPECT_THROW(ReadJudge("judge", smaller, false), Error);
  data::DatasetInfo more = info;
  more.classes = {"left", "right", "neither"};
  EXPECT_THROW(ReadJudge("judge", more, false), Error);
  data::DatasetInfo others = info;
  others.classes = {"left", "up"};
  EXPECT_THROW(ReadJudge("judge", others, false), Error);
}

}  // namespace
}  // namespace sfumato::train
