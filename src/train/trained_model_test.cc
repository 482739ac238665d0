#include "train/trained_model.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <set>
#include <utility>

#include "base/error.h"
#include "config/presets.h"
#include "train/train_testing.h"

namespace sfumato::train {
namespace {

constexpr const char* kDrawing[] = {"wgan_quick", "word_lm", "char_lm"};

TEST(ModelKindsTest, AnAlgorithmAndANetworkBelongToOneKind) {
  std::set<std::pair<config::Algorithm, std::string>> taken;
  for (const ModelKind& kind : ModelKinds()) {
    for (const config::Algorithm algorithm : kind.algorithms) {
      for (const std::string& network : kind.networks) {
        EXPECT_TRUE(taken.insert({algorithm, network}).second)
            << config::Word(algorithm) << " " << network;
      }
    }
  }
  for (const std::string& preset : config::PresetNames()) {
    const config::TrainConfig config =
        config::ParseTrainConfig("preset = \"" + preset +
                                     "\"\n[data]\npath = \"people\"\n"
                                     "[privacy]\nnoise_multiplier = 1.0\n",
                                 preset);
    EXPECT_TRUE(taken.contains({config.algorithm, config.model.name}))
        << preset;
  }
}

TEST(ModelKindsTest, AnUnknownNetworkIsRefusedWithTheNearest) {
  config::TrainConfig config = ConfigOf("wgan_quick");
  config.model.name = "wgan_quik";
  try {
    TraitsFor(config);
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kBadInput);
    EXPECT_EQ(std::string(error.what()),
              "unknown model 'wgan_quik' for "
              "dp_fedavg_gan");
    EXPECT_NE(error.todo().find("wgan_quick"), std::string::npos);
  }
  // A network of another algorithm is not known to this one.
  config = ConfigOf("wgan_quick");
  config.algorithm = config::Algorithm::kFedAvg;
  EXPECT_THROW(ModelFor(config, {.shape = {16, 16, 1}, .classes = 2}), Error);
}

TEST(TrainedModelTest, TheSameSeedDrawsTheSameBytes) {
  for (const char* network : kDrawing) {
    const config::TrainConfig config = ConfigOf(network);
    const auto model = ModelFor(config, SizeFor(config));
    const auto algorithm = model->MakeAlgorithm({});
    const at::Tensor params = model->Params(*algorithm);
    const auto drawn = [&](std::uint64_t seed, int threads) {
      return model->Draw(params,
                         {.seed = seed, .count = 30, .threads = threads});
    };
    const auto same = [](const Drawn& a, const Drawn& b) {
      if (const auto* text = std::get_if<runs::TextSamples>(&a)) {
        return *text == std::get<runs::TextSamples>(b);
      }
      return std::get<runs::ImageSamples>(a).pixels ==
             std::get<runs::ImageSamples>(b).pixels;
    };
    EXPECT_TRUE(same(drawn(3, 1), drawn(3, 2))) << network;
    EXPECT_FALSE(same(drawn(3, 1), drawn(4, 1))) << network;
  }
}

TEST(TrainedModelTest, AConditionalGeneratorIsAskedForAClass) {
  config::TrainConfig config = ConfigOf("wgan_quick");
  EXPECT_EQ(ModelFor(config, SizeFor(config))->label_count(), 0);
  config.gan.conditional = true;
  const auto model = ModelFor(config, SizeFor(config));
  EXPECT_EQ(model->label_count(), 2);
  const auto algorithm = model->MakeAlgorithm({});
  const auto labels = [&](std::int64_t label) {
    return std::get<runs::ImageSamples>(
               model->Draw(model->Params(*algorithm),
                           {.count = 4, .label = label}))
        .labels;
  };
  EXPECT_EQ(labels(-1), (std::vector<std::int32_t>{0, 1, 0, 1}));
  EXPECT_EQ(labels(1), (std::vector<std::int32_t>{1, 1, 1, 1}));
}

TEST(TrainedModelTest, AClassifierOfZerosIsRightByItsBiasAlone) {
  const config::TrainConfig config = ConfigOf("logistic");
  const auto model = ModelFor(config, SizeFor(config));
  at::Tensor params = at::zeros_like(model->Params(*model->MakeAlgorithm({})));
  const ZeroExamples examples({16, 16, 1}, {{1, 1, 1}, {}, {0}});
  const std::vector<std::int64_t> users = {0, 1, 2};
  fed::WorkerPool pool(1);
  // Two classes, equally likely.
  EXPECT_NEAR(model->Judge(params, examples, users, pool).mean_loss(),
              std::log(2), 1e-6);
  params.index_put_({0, -1}, 5.0);  // always the second class
  const fed::Evaluation found = model->Judge(params, examples, users, pool);
  EXPECT_DOUBLE_EQ(found.accuracy(), 0.75);
  EXPECT_EQ(found.users[0].correct, 3);
  EXPECT_EQ(found.users[2].correct, 0);
  // (3 log(1 + e^-5) + log(1 + e^5)) / 4
  EXPECT_NEAR(found.mean_loss(),
              (3 * std::log1p(std::exp(-5)) + std::log1p(std::exp(5))) / 4,
              1e-5);
}

TEST(TrainedModelTest, ALanguageModelOfZerosHoldsEverySymbolEquallyLikely) {
  const config::TrainConfig config = ConfigOf("word_lm");
  const ModelSize size = SizeFor(config);
  const auto model = ModelFor(config, size);
  const at::Tensor params =
      at::zeros_like(model->Params(*model->MakeAlgorithm({})));
  const auto examples = models::SyntheticSequences(
      {.symbols = size.classes, .longest = 5, .users = 2, .user_size = 3});
  fed::WorkerPool pool(1);
  const std::vector<std::int64_t> users = {0, 1};
  const fed::Evaluation found = model->Judge(params, *examples, users, pool);
  EXPECT_GT(found.total.examples, 6);  // symbols, not sentences
  // Three words and padding, unknown, begin, end.
  EXPECT_NEAR(found.mean_loss(), std::log(7), 1e-5);
}

TEST(TrainedModelTest, MetadataSayWhatTheModelTakes) {
  config::TrainConfig config = ConfigOf("logistic");
  EXPECT_EQ(ModelFor(config, SizeFor(config))->Metadata(),
            (base::Metadata{{"input", "16x16x1"},
                            {"classes", "2"},
                            {"class_names", "[\"left\",\"right\"]"}}));
  config.data.public_path = "public";
  EXPECT_EQ(
      ModelFor(config, SizeFor(config))->Metadata(),
      (base::Metadata{
          {"input", "16x16x1"}, {"classes", "2"}, {"task", "public or own"}}));
  EXPECT_EQ(TraitsFor(config).labels, models::Labels::kUnused);
  config = ConfigOf("wgan_quick");
  EXPECT_EQ(ModelFor(config, SizeFor(config))->Metadata(),
            (base::Metadata{
                {"image", "16x16x1"}, {"latent", "4"}, {"classes", "0"}}));
  config = ConfigOf("word_lm");
  EXPECT_EQ(
      ModelFor(config, SizeFor(config))->Metadata(),
      (base::Metadata{{"symbols", "7"}, {"vocabulary", kVocabulary.Sum()}}));
}

TEST(TrainedModelTest, AGeneratorThatCollapsedIsReported) {
  const config::TrainConfig config = ConfigOf("wgan_quick");
  const auto model = ModelFor(config, SizeFor(config));
  const std::vector<runs::Value> well = {runs::Released("batch_spread", 0.5)};
  const std::vector<runs::Value> poor = {runs::Released("batch_spread", 0.05)};
  EXPECT_FALSE(model->Warning(well).has_value());
  EXPECT_NE(model->Warning(poor).value().find("collapsed"), std::string::npos);
}

}  // namespace
}  // namespace sfumato::train
