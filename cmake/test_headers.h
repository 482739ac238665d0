// Compiled once and shared by the tests of rooms without Torch.

#pragma once

#include <gtest/gtest.h>

#include "common_headers.h"
