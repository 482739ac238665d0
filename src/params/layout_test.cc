#include "params/layout.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "base/error.h"

namespace sfumato::params {
namespace {

Layout Small() { return Layout({{"w", {2, 3}}, {"b", {3}}}); }

TEST(LayoutTest, ViewsShareTheRowsMemory) {
  const Layout layout = Small();
  EXPECT_EQ(layout.size(), 9);
  EXPECT_EQ(layout.offset(1), 6);
  const at::Tensor params = EmptyLanes(2, layout.size(), at::kCPU);
  params.copy_(at::arange(18).view({2, 9}));
  // Rows begin at multiples of 128 bytes.
  EXPECT_EQ(params.stride(0) % 32, 0);
  const at::Tensor w = layout.View(params, 0);
  EXPECT_EQ(w.sizes(), at::IntArrayRef({2, 2, 3}));
  EXPECT_EQ(w[1][1][2].item<float>(), 9 + 5);
  layout.View(params, 1)[1][0] = -1;
  EXPECT_EQ(params[1][6].item<float>(), -1);
}

class LayoutFileTest : public testing::Test {
 protected:
  // A container of what `layout` names in `params`.
  base::Path Written(const Layout& layout, const at::Tensor& params) {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    const base::Path path =
        base::Path(testing::TempDir()) /
        (std::string(test->test_suite_name()) + "." + test->name());
    std::filesystem::remove(path);
    const NamedTensors named = ToNamed(layout, params, "model");
    std::vector<base::TensorOut> out;
    for (const auto& [name, tensor] : named) {
      out.push_back({.name = name,
                     .type = base::DType::kF32,
                     .shape = {tensor.sizes().begin(), tensor.sizes().end()},
                     .bytes = {static_cast<const std::byte*>(tensor.data_ptr()),
                               static_cast<std::size_t>(tensor.nbytes())}});
    }
    base::WriteSafetensors(path, out, {});
    return path;
  }
};

TEST_F(LayoutFileTest, GivesBackWhatWasWritten) {
  const at::Tensor params = at::randn({1, 9});
  const base::SafetensorsFile file(Written(Small(), params));
  EXPECT_TRUE(FromFile(Small(), file, "model").equal(params));
}

TEST_F(LayoutFileTest, RefusesAnotherModelsTensors) {
  const base::SafetensorsFile file(Written(Small(), at::randn({1, 9})));
  const Layout turned({{"w", {3, 2}}, {"b", {3}}});
  const Layout larger({{"w", {2, 3}}, {"b", {3}}, {"c", {1}}});
  for (const Layout& other : {turned, larger}) {
    try {
      FromFile(other, file, "model");
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kCorrupt);
    }
  }
  EXPECT_THROW(FromFile(Small(), file, "critic"), Error);
}

}  // namespace
}  // namespace sfumato::params
