#include "train/device.h"

#include <ATen/Parallel.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "fed/worker_pool.h"

namespace sfumato::train {
namespace {

TEST(DeviceTest, ClientsShareTheCoresAndKernelsTakeOneEach) {
  at::set_num_threads(2);
  const Device device =
      DeviceFor({.name = config::DeviceKind::kCpu, .threads = 3});
  EXPECT_TRUE(device.torch.is_cpu());
  EXPECT_EQ(device.Text(), "cpu, 3 threads");
  EXPECT_EQ(at::get_num_threads(), 1);
  EXPECT_GE(DeviceFor({.name = config::DeviceKind::kCpu}).threads, 1);
}

TEST(DeviceTest, FarMoreThreadsThanCoresAreRefused) {
  EXPECT_THROW(
      DeviceFor({.name = config::DeviceKind::kCpu, .threads = 1'000'000}),
      Error);
}

TEST(DeviceTest, AGpuThatIsNotThereIsUnavailable) {
  const config::DeviceConfig cuda{.name = config::DeviceKind::kCuda};
  if (at::hasCUDA()) {
    EXPECT_TRUE(DeviceFor(cuda).torch.is_cuda());
    return;
  }
  try {
    DeviceFor(cuda);
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUnavailable);
  }
}

}  // namespace
}  // namespace sfumato::train
