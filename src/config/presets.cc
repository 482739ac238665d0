#include "config/presets.h"

#include <utility>

namespace sfumato::config {
namespace {

// Augenstein et al. 2020, section 6 and Table 9; what the table leaves out is
// as in their published code: both networks with batch normalisation, weights
// pulled towards zero, SGD on both sides.
constexpr std::string_view kGanPaper = R"(
algorithm = "dp_fedavg_gan"
rounds = 1000
[model]
name = "wgan_paper"
[gan]
latent = 128
penalty = 10.0
l2 = 1.25e-5
every = 1
generator_steps = 6
generator_batch = 32
generator_optimizer = "sgd"
generator_learning_rate = 5e-3
[cohort]
size = 10
[local]
epochs = 1
max_steps = 6
batch_size = 32
learning_rate = 5e-4
[privacy]
clip_norm = 0.1
noise_multiplier = 0.01
[checkpoint]
every = 50
keep_every = 100
)";

// The same, without batch normalisation in the critic and with what trains
// better under clipping and noise (docs/experiments/images.md).
constexpr std::string_view kGan = R"(
algorithm = "dp_fedavg_gan"
rounds = 1000
[model]
name = "wgan"
[gan]
latent = 128
penalty = 10.0
every = 1
generator_steps = 6
generator_batch = 32
generator_optimizer = "adam"
generator_learning_rate = 2e-4
generator_beta1 = 0.5
generator_beta2 = 0.9
ema = 0.99
[cohort]
size = 10
[local]
epochs = 1
max_steps = 6
batch_size = 32
learning_rate = 5e-3
[privacy]
clip_norm = 0.5
noise_multiplier = 0.01
[checkpoint]
every = 50
keep_every = 100
)";

// Small networks, for two minutes on two cores.
constexpr std::string_view kGanQuick = R"(
algorithm = "dp_fedavg_gan"
rounds = 60
[model]
name = "wgan_quick"
[gan]
latent = 32
penalty = 10.0
every = 1
generator_steps = 6
generator_batch = 32
generator_optimizer = "adam"
generator_learning_rate = 1e-3
generator_beta1 = 0.5
generator_beta2 = 0.9
ema = 0.98
[cohort]
size = 10
[local]
epochs = 1
max_steps = 6
batch_size = 16
learning_rate = 1e-2
[privacy]
clip_norm = 0.5
noise_multiplier = 0.01
[checkpoint]
every = 10
keep_every = 20
)";

// Augenstein et al. 2020, section 5, appendix B.2 and Table 5. Not printed
// there and chosen here: batches of 10 sentences of at most 20 words, one epoch
// over a user's data, at most 40 steps of it.
constexpr std::string_view kWordLmPaper = R"(
algorithm = "dp_fedavg"
rounds = 2000
[model]
name = "word_lm"
[lstm]
embedding = 96
hidden = 670
layers = 1
projection = 96
tied = true
[text]
vocabulary_size = 10000
longest_sentence = 20
[inspect]
samples = 100000
character_preset = "char_lm_paper"
[cohort]
size = 5000
[local]
epochs = 1
max_steps = 40
batch_size = 10
learning_rate = 0.5
[server]
optimizer = "nesterov"
learning_rate = 1.0
momentum = 0.99
[privacy]
clip_norm = 0.2
noise_multiplier = 1.0
[checkpoint]
every = 50
keep_every = 200
)";

constexpr std::string_view kCharLmPaper = R"(
algorithm = "dp_fedavg"
rounds = 2000
[model]
name = "char_lm"
[lstm]
embedding = 128
hidden = 256
layers = 3
projection = 128
tied = false
[text]
vocabulary_size = 10000
longest_word = 24
[cohort]
size = 5000
[local]
epochs = 1
max_steps = 40
batch_size = 10
learning_rate = 0.5
[server]
optimizer = "nesterov"
learning_rate = 1.0
momentum = 0.99
[privacy]
clip_norm = 0.1
noise_multiplier = 1.0
[checkpoint]
every = 50
keep_every = 200
)";

// Small ones, for a minute or two on two cores.
constexpr std::string_view kWordLmQuick = R"(
algorithm = "dp_fedavg"
rounds = 100
[model]
name = "word_lm"
[lstm]
embedding = 32
hidden = 96
layers = 1
projection = 32
tied = true
[text]
vocabulary_size = 2000
longest_sentence = 12
longest_word = 20
[inspect]
samples = 20000
character_preset = "char_lm_quick"
[cohort]
size = 20
[local]
epochs = 1
max_steps = 20
batch_size = 10
learning_rate = 0.5
[server]
optimizer = "nesterov"
learning_rate = 1.0
momentum = 0.9
[privacy]
clip_norm = 1.0
noise_multiplier = 0.01
[checkpoint]
every = 10
keep_every = 50
)";

constexpr std::string_view kCharLmQuick = R"(
algorithm = "dp_fedavg"
rounds = 100
[model]
name = "char_lm"
[lstm]
embedding = 32
hidden = 128
layers = 1
projection = 64
tied = false
[text]
vocabulary_size = 2000
longest_word = 20
[cohort]
size = 20
[local]
epochs = 1
max_steps = 20
batch_size = 10
learning_rate = 0.5
[server]
optimizer = "nesterov"
learning_rate = 1.0
momentum = 0.9
[privacy]
clip_norm = 1.0
noise_multiplier = 0.01
[checkpoint]
every = 10
keep_every = 50
)";

constexpr std::pair<std::string_view, std::string_view> kPresets[] = {
    {"", ""},
    {"gan_paper", kGanPaper},
    {"gan", kGan},
    {"gan_quick", kGanQuick},
    {"word_lm_paper", kWordLmPaper},
    {"char_lm_paper", kCharLmPaper},
    {"word_lm_quick", kWordLmQuick},
    {"char_lm_quick", kCharLmQuick}};

}  // namespace

std::vector<std::string> PresetNames() {
  std::vector<std::string> names;
  for (const auto& [name, toml] : kPresets) names.emplace_back(name);
  return names;
}

std::string_view PresetToml(std::string_view name) {
  for (const auto& [known, toml] : kPresets) {
    if (known == name) return toml;
  }
  return "";
}

}  // namespace sfumato::config
