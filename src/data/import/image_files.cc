#include "data/import/image_files.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "base/ascii.h"
#include "base/error.h"
#include "fmt/format.h"

#if SFUMATO_HAS_JPEG
#include <jpeglib.h>

#include <csetjmp>
#include <cstdio>
// jpeglib.h must come first.
#include <jerror.h>
#endif

namespace sfumato::data {
namespace {

constexpr int kMaxSide = 16384;
constexpr std::uint64_t kMaxPixels = std::uint64_t{1} << 26;

void CheckSize(std::uint64_t width, std::uint64_t height,
               const std::string& where) {
  if (width == 0 || height == 0) {
    throw BadInput("an image without pixels", where);
  }
  if (width > kMaxSide || height > kMaxSide || width * height > kMaxPixels) {
    throw BadInput(fmt::format("an image of {} × {} pixels, more than is read "
                               "here ({} a side, {} in all)",
                               width, height, kMaxSide, kMaxPixels),
                   where);
  }
}

bool IsSpace(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' ||
         c == '\f';
}

// Reads the header's numbers and the samples of a PNM file.
class PnmReader {
 public:
  PnmReader(std::string_view bytes, const std::string& where)
      : bytes_(bytes), where_(where) {}

  base::Image Read() {
    const char variant = bytes_.size() < 2 ? '\0' : bytes_[1];
    at_ = 2;
    base::Image image;
    image.width = Number("width", kMaxSide);
    image.height = Number("height", kMaxSide);
    image.channels = variant == '3' || variant == '6' ? 3 : 1;
    CheckSize(image.width, image.height, where_);
    max_value_ = Number("largest value", 65535);
    if (max_value_ == 0) throw Bad("a largest value of 0");
    const std::size_t samples =
        static_cast<std::size_t>(image.width) * image.height * image.channels;
    if (variant == '2' || variant == '3') {
      ReadPlain(samples, image.pixels);
    } else {
      ReadRaw(samples, image.pixels);
    }
    return image;
  }

 private:
  Error Bad(const std::string& what) const {
    return BadInput(what, fmt::format("{}@{}", where_, at_));
  }

  void SkipSpaceAndComments() {
    for (; at_ < bytes_.size(); ++at_) {
      if (bytes_[at_] == '#') {
        at_ = std::min(bytes_.find('\n', at_), bytes_.size());
        if (at_ == bytes_.size()) return;
      } else if (!IsSpace(bytes_[at_])) {
        return;
      }
    }
  }

  int Number(const char* what, int limit) {
    SkipSpaceAndComments();
    const std::size_t begin = at_;
    int value = 0;
    for (; at_ < bytes_.size() && base::IsDigit(bytes_[at_]); ++at_) {
      value = value * 10 + (bytes_[at_] - '0');
      if (value > limit) {
        throw Bad(fmt::format("a {} of more than {}", what, limit));
      }
    }
    if (at_ == begin) {
      throw Bad(at_ == bytes_.size()
                    ? fmt::format("the file ends where a {} was expected", what)
                    : fmt::format("a {} was expected", what));
    }
    return value;
  }

  std::uint8_t Scaled(int value) const {
    if (value > max_value_) {
      throw Bad(fmt::format("a sample of {}, above the largest value {}", value,
                            max_value_));
    }
    return static_cast<std::uint8_t>((value * 255 + max_value_ / 2) /
                                     max_value_);
  }

  Error TooShort(std::size_t samples) const {
    return Bad(
        fmt::format("{} samples were expected; the file ends before", samples));
  }

  void ReadPlain(std::size_t samples, std::vector<std::uint8_t>& pixels) {
    // A sample takes a digit and, except for the last, a space.
    if ((bytes_.size() - at_ + 1) / 2 < samples) throw TooShort(samples);
    pixels.resize(samples);
    for (std::uint8_t& pixel : pixels) pixel = Scaled(Number("sample", 65535));
  }

  void ReadRaw(std::size_t samples, std::vector<std::uint8_t>& pixels) {
    if (at_ == bytes_.size() || !IsSpace(bytes_[at_])) {
      throw Bad("a space was expected after the largest value");
    }
    ++at_;
    const std::size_t width = max_value_ > 255 ? 2 : 1;
    if (bytes_.size() - at_ < samples * width) throw TooShort(samples);
    pixels.resize(samples);
    for (std::uint8_t& pixel : pixels) {
      int value = static_cast<std::uint8_t>(bytes_[at_]);
      if (width == 2) {
        value = value * 256 + static_cast<std::uint8_t>(bytes_[at_ + 1]);
      }
      pixel = Scaled(value);
      at_ += width;
    }
  }

  std::string_view bytes_;
  const std::string& where_;
  std::size_t at_ = 0;
  int max_value_ = 0;
};

#if SFUMATO_HAS_JPEG
// A progressive file may repeat scans of a large image without end.
constexpr int kMaxScans = 200;

struct JpegFailure {
  jpeg_error_mgr manager;  // first: libjpeg hands back a pointer to it
  std::jmp_buf out;
  char message[JMSG_LENGTH_MAX];
};

[[noreturn]] void OnError(j_common_ptr jpeg) {
  auto* failure = reinterpret_cast<JpegFailure*>(jpeg->err);
  failure->manager.format_message(jpeg, failure->message);
  std::longjmp(failure->out, 1);
}

// libjpeg paints missing data grey and continues; here it is damage.
void OnMessage(j_common_ptr jpeg, int level) {
  if (level >= 0) return;
  const int code = jpeg->err->msg_code;
  if (code == JWRN_JPEG_EOF || code == JWRN_HIT_MARKER ||
      code == JWRN_HUFF_BAD_CODE) {
    OnError(jpeg);
  }
}

void OnProgress(j_common_ptr jpeg) {
  auto* decompress = reinterpret_cast<j_decompress_ptr>(jpeg);
  if (decompress->input_scan_number > kMaxScans) {
    jpeg->err->msg_code = JERR_BAD_PROGRESSION;
    OnError(jpeg);
  }
}

// A decompressor that is freed whichever way it is left. libjpeg reports
// errors by a jump into Guarded, over frames that own nothing.
class JpegDecoder {
 public:
  JpegDecoder(std::string_view bytes, const std::string& where)
      : bytes_(bytes), where_(where) {
    jpeg_.err = jpeg_std_error(&failure_.manager);
    failure_.manager.error_exit = OnError;
    failure_.manager.emit_message = OnMessage;
    progress_.progress_monitor = OnProgress;
    jpeg_create_decompress(&jpeg_);
    jpeg_.progress = &progress_;
  }
  ~JpegDecoder() { jpeg_destroy_decompress(&jpeg_); }
  JpegDecoder(const JpegDecoder&) = delete;
  JpegDecoder& operator=(const JpegDecoder&) = delete;

  base::Image Decode() {
    Guarded(&JpegDecoder::ReadHeader);
    CheckSize(jpeg_.image_width, jpeg_.image_height, where_);
    if (jpeg_.num_components != 1 && jpeg_.num_components != 3) {
      throw BadInput(
          fmt::format("a JPEG of {} colour components where 1 (grey) or 3 "
                      "(colour) were expected",
                      jpeg_.num_components),
          where_);
    }
    jpeg_.out_color_space = jpeg_.num_components == 1 ? JCS_GRAYSCALE : JCS_RGB;
    jpeg_.dct_method = JDCT_ISLOW;
    image_ = base::BlankImage(static_cast<int>(jpeg_.image_width),
                              static_cast<int>(jpeg_.image_height),
                              jpeg_.num_components, 0);
    Guarded(&JpegDecoder::ReadRows);
    return std::move(image_);
  }

 private:
  void Guarded(void (JpegDecoder::*step)()) {
    if (setjmp(failure_.out) != 0) {
      throw BadInput(fmt::format("a damaged JPEG: {}", failure_.message),
                     where_);
    }
    (this->*step)();
  }

  void ReadHeader() {
    jpeg_mem_src(&jpeg_, reinterpret_cast<const unsigned char*>(bytes_.data()),
                 bytes_.size());
    jpeg_read_header(&jpeg_, TRUE);
  }

  void ReadRows() {
    jpeg_start_decompress(&jpeg_);
    const std::size_t stride =
        static_cast<std::size_t>(image_.width) * image_.channels;
    while (jpeg_.output_scanline < jpeg_.output_height) {
      JSAMPROW row = image_.pixels.data() + jpeg_.output_scanline * stride;
      jpeg_read_scanlines(&jpeg_, &row, 1);
    }
    jpeg_finish_decompress(&jpeg_);
  }

  std::string_view bytes_;
  const std::string& where_;
  JpegFailure failure_ = {};
  jpeg_progress_mgr progress_ = {};
  jpeg_decompress_struct jpeg_ = {};
  base::Image image_;
};
#endif

}  // namespace

ImageFormat SniffImage(std::string_view bytes) {
  if (bytes.starts_with("\x89PNG\r\n\x1a\n")) return ImageFormat::kPng;
  if (bytes.starts_with("\xff\xd8\xff")) return ImageFormat::kJpeg;
  // Two letters are a weak sign: the blank or comment behind them counts too.
  const bool pnm =
      bytes.size() > 2 && bytes[0] == 'P' &&
      std::string_view("2356").find(bytes[1]) != std::string_view::npos &&
      (IsSpace(bytes[2]) || bytes[2] == '#');
  return pnm ? ImageFormat::kPnm : ImageFormat::kNone;
}

base::Image DecodeImage(std::string_view bytes, const std::string& where) {
  switch (SniffImage(bytes)) {
    case ImageFormat::kPng:
      return base::DecodePng(bytes, where);
    case ImageFormat::kPnm:
      return DecodePnm(bytes, where);
    case ImageFormat::kJpeg:
      return DecodeJpeg(bytes, where);
    case ImageFormat::kNone:
      break;
  }
  throw BadInput("neither PNG, PGM, PPM nor JPEG", where);
}

base::Image DecodePnm(std::string_view bytes, const std::string& where) {
  if (SniffImage(bytes) != ImageFormat::kPnm) {
    throw BadInput("P2, P3, P5 or P6 was expected at the start", where);
  }
  return PnmReader(bytes, where).Read();
}

base::Image DecodeJpeg(std::string_view bytes, const std::string& where) {
#if SFUMATO_HAS_JPEG
  return JpegDecoder(bytes, where).Decode();
#else
  static_cast<void>(bytes);
  throw Unsupported("this build cannot read JPEG images", where,
                    "install libjpeg (libjpeg-dev) and build again");
#endif
}

base::Image WithChannels(base::Image image, int channels) {
  if (image.channels == channels) return image;
  base::Image result = base::BlankImage(image.width, image.height, channels, 0);
  const std::size_t pixels =
      static_cast<std::size_t>(image.width) * image.height;
  for (std::size_t i = 0; i < pixels; ++i) {
    if (channels == 3) {
      std::fill_n(&result.pixels[3 * i], 3, image.pixels[i]);
    } else {
      const std::uint8_t* rgb = &image.pixels[3 * i];
      result.pixels[i] = static_cast<std::uint8_t>(
          (299 * rgb[0] + 587 * rgb[1] + 114 * rgb[2] + 500) / 1000);
    }
  }
  return result;
}

}  // namespace sfumato::data
