#include "config/presets.h"

#include <gtest/gtest.h>

#include <string>

#include "base/error.h"
#include "config/train_config.h"
#include "fmt/format.h"

namespace sfumato::config {
namespace {

constexpr char kData[] = "[data]\ngenerate = \"handwriting\"\n";

TEST(PresetsTest, EveryPresetIsAConfigThatReadsBack) {
  const std::vector<std::string> names = PresetNames();
  ASSERT_GE(names.size(), 4u);
  EXPECT_EQ(names[0], "");
  EXPECT_EQ(PresetToml(""), "");
  for (const std::string& name : names) {
    if (name.empty()) continue;
    const TrainConfig config =
        ParseTrainConfig("preset = \"" + name + "\"\n" + kData, "x.toml");
    EXPECT_EQ(config.preset, name);
    EXPECT_EQ(config.algorithm, ModelsLanguage(config)
                                    ? Algorithm::kDpFedAvg
                                    : Algorithm::kDpFedAvgGan);
    // The effective config begins with its preset and says everything anew.
    EXPECT_EQ(ParseTrainConfig(ToToml(config), "y.toml"), config) << name;
  }
}

TEST(PresetsTest, ThePapersIsAsPublished) {
  // Augenstein et al. 2020, Table 9: 1,000 rounds of 10 users, 6 steps of 32
  // examples on both sides, learning rates 5e-4 and 5e-3, clip norm 0.1,
  // z = 0.01.
  const TrainConfig config =
      ParseTrainConfig("preset = \"gan_paper\"\n" + std::string(kData), "x");
  EXPECT_EQ(config.rounds, 1000);
  EXPECT_EQ(config.cohort.size, 10);
  EXPECT_EQ(config.local.max_steps, 6);
  EXPECT_EQ(config.local.batch_size, 32);
  EXPECT_EQ(config.local.learning_rate, 5e-4);
  EXPECT_EQ(config.gan.generator_steps, 6);
  EXPECT_EQ(config.gan.generator_batch, 32);
  EXPECT_EQ(config.gan.generator_learning_rate, 5e-3);
  EXPECT_EQ(config.privacy.clip_norm, 0.1);
  EXPECT_EQ(config.privacy.noise_multiplier, 0.01);
}

TEST(PresetsTest, ThePapersLanguageModelsAreAsPublished) {
  // Augenstein et al. 2020, appendix B.2 and Table 5: 2,000 rounds of 5,000
  // users, server rate 1, device rate 0.5, Nesterov 0.99, z = 1.
  for (const bool words : {true, false}) {
    const TrainConfig config =
        ParseTrainConfig(fmt::format("preset = \"{}_lm_paper\"\n{}",
                                     words ? "word" : "char", kData),
                         "x");
    EXPECT_EQ(config.rounds, 2000);
    EXPECT_EQ(config.cohort.size, 5000);
    EXPECT_EQ(config.server.optimizer, ServerRule::kNesterov);
    EXPECT_EQ(config.server.learning_rate, 1);
    EXPECT_EQ(config.server.momentum, 0.99);
    EXPECT_EQ(config.local.learning_rate, 0.5);
    EXPECT_EQ(config.privacy.noise_multiplier, 1);
    EXPECT_EQ(config.privacy.clip_norm, words ? 0.2 : 0.1);
    EXPECT_EQ(config.text.vocabulary_size, 10'000);
    EXPECT_EQ(config.lstm.layers, words ? 1 : 3);
    EXPECT_EQ(config.lstm.hidden, words ? 670 : 256);
    EXPECT_EQ(config.lstm.embedding, words ? 96 : 128);
    EXPECT_EQ(config.lstm.projection, words ? 96 : 128);
  }
}

TEST(PresetsTest, TheFileChangesThePresetWhereverTheLineStands) {
  const std::string own = "rounds = 3\npreset = \"gan_quick\"\n" +
                          std::string(kData) + "[cohort]\nsize = 4\n";
  const TrainConfig config = ParseTrainConfig(own, "x.toml");
  EXPECT_EQ(config.rounds, 3);
  EXPECT_EQ(config.cohort.size, 4);
  EXPECT_EQ(config.local.batch_size, 16);  // the preset's
}

TEST(PresetsTest, SetsComeLastAndASetPresetComesFirst) {
  const std::string own =
      "preset = \"gan_paper\"\nrounds = 3\n" + std::string(kData);
  const TrainConfig config =
      ParseTrainConfig(own, "x.toml", {"preset=gan_quick", "cohort.size=7"});
  EXPECT_EQ(config.preset, "gan_quick");
  EXPECT_EQ(config.model.name, "wgan_quick");  // and nothing of gan_paper's
  EXPECT_EQ(config.gan.l2, 0);
  EXPECT_EQ(config.rounds, 3);  // the file's, over the preset's
  EXPECT_EQ(config.cohort.size, 7);
  // The order of sets does not matter for a preset.
  EXPECT_EQ(
      ParseTrainConfig(own, "x.toml", {"cohort.size=7", "preset=gan_quick"}),
      config);
  EXPECT_EQ(ParseTrainConfig(own, "x.toml", {"rounds=9"}).rounds, 9);
}

TEST(PresetsTest, AnUnknownOneIsRefusedWithTheNearest) {
  for (const bool by_set : {false, true}) {
    try {
      ParseTrainConfig(by_set ? kData : "preset = \"gan_quik\"\n", "x.toml",
                       by_set ? std::vector<std::string>{"preset=gan_quik"}
                              : std::vector<std::string>{});
      ADD_FAILURE();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kBadInput);
      EXPECT_EQ(error.where(), by_set ? "--set preset" : "x.toml:1");
      EXPECT_NE(error.todo().find("gan_quick"), std::string::npos);
    }
  }
}

}  // namespace
}  // namespace sfumato::config
