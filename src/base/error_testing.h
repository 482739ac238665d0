// The error that something throws, for tests.
//
//   EXPECT_EQ(Thrown([&] { Open("nowhere"); }).kind(), ErrorKind::kBadInput);

#pragma once

#include <gtest/gtest.h>

#include <functional>

#include "base/error.h"

namespace sfumato {

// A failure of the test when nothing is thrown.
inline Error Thrown(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "nothing was thrown";
  return {ErrorKind::kBug, "nothing was thrown"};
}

}  // namespace sfumato
