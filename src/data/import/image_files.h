// Image files of any of the formats people keep: PNG, PGM and PPM (plain or
// raw), JPEG. The content says which, never the name.

#pragma once

#include <string>
#include <string_view>

#include "base/image.h"

namespace sfumato::data {

enum class ImageFormat { kNone, kPng, kPnm, kJpeg };

// What the first bytes promise; kNone when it is not an image that can be read.
ImageFormat SniffImage(std::string_view bytes);

// Grey or RGB, 8 bits a sample; deeper samples are rounded. `where` names the
// source in errors. Throws BadInput when the bytes are damaged, no image, or
// an image of more than 16,384 pixels a side or 67,108,864 in all; Unsupported
// for a JPEG when libjpeg was not built in.
base::Image DecodeImage(std::string_view bytes, const std::string& where);

// The parser of PGM (P2, P5) and PPM (P3, P6), 1 <= maxval <= 65,535, with
// comments. Bytes after the first image are ignored.
base::Image DecodePnm(std::string_view bytes, const std::string& where);

base::Image DecodeJpeg(std::string_view bytes, const std::string& where);

// `image` with 1 or 3 channels: grey is the luma of ITU-R BT.601.
base::Image WithChannels(base::Image image, int channels);

}  // namespace sfumato::data
