// How well a run's model of words remembers its canaries, in the part that
// needs Torch.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/file.h"
#include "eval/exposure.h"

namespace sfumato::train {

struct ExposureJob {
  base::Path folder;        // the run's
  std::int64_t round = -1;  // of the checkpoint; -1: the last
  std::int64_t alternatives =
      10'000;  // sentences that canaries are ranked among
};

struct CanaryUser {
  std::string user;      // the id
  std::string sentence;  // the words, with spaces between them
};

struct ExposureReport {
  std::int64_t round = 0;
  std::string data = "";  // its name
  std::int64_t repeats = 0;
  std::vector<CanaryUser> users = {};  // one for each canary of the table
  eval::ExposureTable table = {};      // an estimate
  double form_bits = 0;                // log2 of all sentences of the form

  // Proven of the training, the parts of eval/exposure.h together.
  bool protects = false;
  double epsilon = 0;
  double delta = 0;
  std::string unit = "";
  std::string adjacency = "";
  struct Chance {
    double exposure = 0;  // bits, or more
    double at_most = 1;
  };
  std::vector<Chance> chances = {};
  double mean_at_most = 0;
};

// Throws BadInput for a run without canaries.
extern "C" void SfumatoExposure(const ExposureJob* job, ExposureReport* report);

}  // namespace sfumato::train
