#include "fed/lane_cohort.h"

#include <gtest/gtest.h>

#include <cmath>

#include "algorithms/dp_fedavg.h"
#include "dp/mechanisms/clip.h"
#include "fed/lane_sum.h"
#include "fed/thread_cohort.h"
#include "models/classifier.h"
#include "models/model_testing.h"

namespace sfumato::fed {
namespace {

using models::Devices;

}  // namespace
}  // namespace sfumato::fed
