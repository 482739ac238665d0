#include "data/import/image_files.h"

#include <cstdlib>
#include <string>
#include <vector>

#include "data/import/import_testing.h"
#include "gtest/gtest.h"

#if SFUMATO_HAS_JPEG
#include <cstdio>
// jpeglib.h needs cstdio first.
#include <jpeglib.h>
#endif

namespace sfumato::data {
namespace {

using Pixels = std::vector<std::uint8_t>;

TEST(PnmTest, ReadsEveryVariant) {
  const std::string zero(1, '\0');
  struct Case {
    const char* name;
    std::string bytes;
    int width, height, channels;
    Pixels pixels;
  };
  const Case cases[] = {
      {"plain grey", "P2\n2 1\n255\n7 255\n", 2, 1, 1, {7, 255}},
      {"plain grey without a last blank", "P2 1 2 255 7 8", 1, 2, 1, {7, 8}},
      {"plain colour", "P3 1 1 255 1 2 3", 1, 1, 3, {1, 2, 3}},
      {"raw grey", "P5 3 1 255\n" + zero + "A\xff", 3, 1, 1, {0, 65, 255}},
      {"raw colour", "P6 1 1 255 abc", 1, 1, 3, {97, 98, 99}},
      {"raw pixels that look like blanks",
       "P5 2 1 255\n\n#",
       2,
       1,
       1,
       {10, 35}},
      {"comments anywhere in the header",
       "P5# made by hand\n#more\n 2# width\n1 255\nab",
       2,
       1,
       1,
       {97, 98}},
      {"comments among plain samples",
       "P2 2 1 9 0 # zero\n 9",
       2,
       1,
       1,
       {0, 255}},
      // 15 levels: 1 of 15 is 17 of 255.
      {"few levels", "P2 3 1 15 0 1 15", 3, 1, 1, {0, 17, 255}},
      // 16 bits, the larger byte first: 0x8000 / 0xFFFF of 255 is 127.502.
      {"sixteen bits",
       "P5 2 1 65535\n\x80" + zero + "\xff\xff",
       2,
       1,
       1,
       {128, 255}},
      {"more after the image", "P5 1 1 255\naP5 1 1 255\nb", 1, 1, 1, {97}},
  };
  for (const Case& c : cases) {
    const base::Image image = DecodeImage(c.bytes, "x.pgm");
    EXPECT_EQ(image.width, c.width) << c.name;
    EXPECT_EQ(image.height, c.height) << c.name;
    EXPECT_EQ(image.channels, c.channels) << c.name;
    EXPECT_EQ(image.pixels, c.pixels) << c.name;
  }
}

TEST(PnmTest, RefusesWhatIsWrong) {
  struct Case {
    std::string bytes;
    const char* says;
  };
  const Case cases[] = {
      {"P5", "neither PNG"},
      {"P7 1 1 255 a", "neither PNG"},
      {"P5 ", "ends where a width"},
      {"P5 2", "ends where a height"},
      {"P5 2 # no end", "ends where a height"},
      {"P5 x 1 255\na", "a width was expected | x.pgm@3"},
      {"P5 -1 1 255\na", "a width was expected"},
      {"P5 0 1 255\na", "without pixels"},
      {"P5 16385 1 255\na", "a width of more than 16384"},
      {"P5 16384 16384 255\na", "16384 × 16384"},
      {"P5 99999999999999999999 1 255\na", "more than 16384"},
      {"P5 1 1 0\na", "largest value of 0"},
      {"P5 1 1 65536\na", "more than 65535"},
      {"P5 1 1 255", "a space was expected"},
      {"P5 1 1 255#\na", "a space was expected"},
      {"P5 2 2 255\nabc", "4 samples were expected"},
      {"P5 1 1 65535\na", "1 samples were expected"},
      {"P6 1 1 255\nab", "3 samples were expected"},
      {"P2 2 2 255\n1 2 3", "4 samples were expected"},
      {"P2 2 1 255\n11 ", "ends where a sample"},
      {"P2 1 1 255\nx", "a sample was expected"},
      {"P2 1 1 15\n16", "a sample of 16, above the largest value 15"},
      {"P5 1 1 10\na", "a sample of 97, above the largest value 10"},
  };
  for (const Case& c : cases) {
    const std::string error = ErrorOf([&] { DecodeImage(c.bytes, "x.pgm"); });
    ExpectContains(error, "bad_input: ");
    ExpectContains(error, c.says);
  }
}

TEST(ImageFilesTest, KnowsFormatsByContent) {
  EXPECT_EQ(SniffImage("\x89PNG\r\n\x1a\n..."), ImageFormat::kPng);
  EXPECT_EQ(SniffImage("\xff\xd8\xff\xe0"), ImageFormat::kJpeg);
  EXPECT_EQ(SniffImage("P5\n"), ImageFormat::kPnm);
  for (const char* other : {"", "P", "P5", "PK\x03\x04", "P55", "GIF89a",
                            "P5e is a word", "<svg>"}) {
    EXPECT_EQ(SniffImage(other), ImageFormat::kNone) << other;
  }
}

TEST(ImageFilesTest, ReadsPng) {
  const base::Image image = {2, 1, 3, {1, 2, 3, 4, 5, 6}};
  EXPECT_EQ(DecodeImage(base::EncodePng(image), "x").pixels, image.pixels);
}

TEST(ImageFilesTest, TurnsColourIntoGreyAndBack) {
  // 0.299, 0.587 and 0.114 of 200 are 59.8, 117.4 and 22.8.
  const base::Image rgb = {3, 1, 3, {200, 0, 0, 0, 200, 0, 0, 0, 200}};
  EXPECT_EQ(WithChannels(rgb, 1).pixels, (Pixels{60, 117, 23}));
  const base::Image grey = {2, 1, 1, {9, 255}};
  EXPECT_EQ(WithChannels(grey, 3).pixels, (Pixels{9, 9, 9, 255, 255, 255}));
  EXPECT_EQ(WithChannels(grey, 1).pixels, grey.pixels);
}

#if SFUMATO_HAS_JPEG

std::string EncodeJpeg(const base::Image& image, J_COLOR_SPACE space,
                       bool progressive = false) {
  jpeg_compress_struct jpeg = {};
  jpeg_error_mgr errors = {};
  jpeg.err = jpeg_std_error(&errors);
  jpeg_create_compress(&jpeg);
  unsigned char* bytes = nullptr;
  unsigned long size = 0;
  jpeg_mem_dest(&jpeg, &bytes, &size);
  jpeg.image_width = static_cast<JDIMENSION>(image.width);
  jpeg.image_height = static_cast<JDIMENSION>(image.height);
  jpeg.input_components = image.channels;
  jpeg.in_color_space = space;
  jpeg_set_defaults(&jpeg);
  jpeg_set_quality(&jpeg, 100, TRUE);
  if (progressive) jpeg_simple_progression(&jpeg);
  jpeg_start_compress(&jpeg, TRUE);
  std::vector<std::uint8_t> pixels = image.pixels;
  while (jpeg.next_scanline < jpeg.image_height) {
    JSAMPROW row = pixels.data() + static_cast<std::size_t>(image.width) *
                                       image.channels * jpeg.next_scanline;
    jpeg_write_scanlines(&jpeg, &row, 1);
  }
  jpeg_finish_compress(&jpeg);
  jpeg_destroy_compress(&jpeg);
  std::string result(reinterpret_cast<char*>(bytes), size);
  std::free(bytes);
  return result;
}

// A field of one colour: every DCT coefficient but the first is zero.
base::Image Field(int channels, std::vector<std::uint8_t> colour) {
  base::Image image = base::BlankImage(32, 16, channels, 0);
  for (std::size_t i = 0; i < image.pixels.size(); ++i) {
    image.pixels[i] = colour[i % colour.size()];
  }
  return image;
}

TEST(JpegTest, ReadsGreyColourAndProgressive) {
  const base::Image grey =
      DecodeImage(EncodeJpeg(Field(1, {100}), JCS_GRAYSCALE), "x.jpg");
  EXPECT_EQ(grey.width, 32);
  EXPECT_EQ(grey.height, 16);
  EXPECT_EQ(grey.channels, 1);
  EXPECT_EQ(grey.pixels, Pixels(512, 100));
  for (const bool progressive : {false, true}) {
    const base::Image colour = DecodeImage(
        EncodeJpeg(Field(3, {200, 40, 90}), JCS_RGB, progressive), "x.jpg");
    ASSERT_EQ(colour.channels, 3);
    EXPECT_NEAR(colour.pixels[0], 200, 2);
    EXPECT_NEAR(colour.pixels[1], 40, 2);
    EXPECT_NEAR(colour.pixels[2], 90, 2);
  }
}

TEST(JpegTest, RefusesWhatIsWrong) {
  base::Image noise = Field(1, {0});
  for (std::size_t i = 0; i < noise.pixels.size(); ++i) {
    noise.pixels[i] = static_cast<std::uint8_t>(i * 97);
  }
  const std::string good = EncodeJpeg(noise, JCS_GRAYSCALE);
  std::string huge = good;  // the frame header: FF C0, length, 8, height, width
  const std::size_t frame = huge.find("\xff\xc0");
  ASSERT_NE(frame, huge.npos);
  huge.replace(frame + 5, 4, "\x40\x01\x40\x01", 4);
  struct Case {
    const char* name;
    std::string bytes;
    const char* says;
  };
  const Case cases[] = {
      {"only the mark", "\xff\xd8\xff", "damaged JPEG"},
      {"cut in the header", good.substr(0, 30), "damaged JPEG"},
      {"cut in the data", good.substr(0, good.size() - 100), "damaged JPEG"},
      {"huge", huge, "16385 × 16385"},
      {"four inks", EncodeJpeg(Field(4, {1, 2, 3, 4}), JCS_CMYK),
       "4 colour components"},
  };
  for (const Case& c : cases) {
    const std::string error = ErrorOf([&] { DecodeImage(c.bytes, "x.jpg"); });
    SCOPED_TRACE(c.name);
    ExpectContains(error, "bad_input: ");
    ExpectContains(error, c.says);
    ExpectContains(error, "x.jpg");
  }
}

#else

TEST(JpegTest, IsNamedWhenMissing) {
  const std::string error =
      ErrorOf([] { DecodeImage("\xff\xd8\xff", "x.jpg"); });
  ExpectContains(error, "unsupported: ");
  ExpectContains(error, "libjpeg");
}

#endif

}  // namespace
}  // namespace sfumato::data
