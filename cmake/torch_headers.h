// Compiled once and shared by every room that needs Torch: tensors and
// autograd, without the modules and optimisers of torch/torch.h.

#pragma once

#include <ATen/ATen.h>
#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/generated/variable_factories.h>
