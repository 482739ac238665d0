// Arrays for NumPy: an .npz file, a zip archive of one .npy file for each.
//
//   base::WriteNpz("samples.npz", tensors);  // numpy.load("samples.npz")
//
// Entries are stored, not compressed, with a fixed date: the same arrays, the
// same bytes. Names become NAME.npy.
//
// Sources: NEP 1, "A simple file format for NumPy arrays" (version 1.0);
// PKWARE's APPNOTE, sections 4.3.7, 4.3.12 and 4.3.16.

#pragma once

#include <span>
#include <string>

#include "base/file.h"
#include "base/safetensors.h"

namespace sfumato::base {

// One array as an .npy file, in C order. Throws Unsupported for bfloat16, which
// NumPy has not.
std::string EncodeNpy(const TensorOut& tensor);

// Whole or absent. Throws Unavailable when it cannot be written, Unsupported
// beyond 4 GiB, where this kind of archive ends. REQUIRES: names are unique and
// plain, shapes and bytes agree.
void WriteNpz(const Path& path, std::span<const TensorOut> tensors);

}  // namespace sfumato::base
