// A run's model judged on users' data, in the part that needs Torch.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/file.h"

namespace sfumato::train {

struct EvalJob {
  base::Path folder;        // the run's
  std::int64_t round = -1;  // of the checkpoint; -1: the last
  std::string data = "";    // a dataset; empty: the run's test users
};

struct UserAccuracy {
  std::string user;
  std::int64_t examples = 0;
  std::int64_t correct = 0;
  double loss = 0;  // mean
};

struct EvalReport {
  std::int64_t round = 0;
  std::string data = "";  // its name
  double accuracy = 0;    // over all examples; of text, over all predictions
  double loss = 0;
  bool language = false;  // e^loss is a perplexity
  std::vector<UserAccuracy> users;
};

// Throws Unsupported for private data: what it finds would be private too.
extern "C" void SfumatoEval(const EvalJob* job, EvalReport* report);

}  // namespace sfumato::train
