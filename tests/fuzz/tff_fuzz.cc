// HDF5 files that are well-formed and wrong: the bytes choose names, types,
// shapes and values of the datasets. (libhdf5's own parsing is not ours to
// test.)

#include <hdf5.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/progress.h"
#include "data/import/import_tff.h"

namespace {

// Takes choices from the bytes; zeros when they are used up.
class Choices {
 public:
  Choices(const std::uint8_t* data, std::size_t size)
      : data_(data), size_(size) {}
  std::uint8_t Next() { return at_ < size_ ? data_[at_++] : 0; }
  unsigned Below(unsigned n) { return Next() % n; }
  bool Done() const { return at_ >= size_; }

 private:
  const std::uint8_t* data_;
  std::size_t size_;
  std::size_t at_ = 0;
};

hid_t ChooseType(Choices& choices, bool& strings) {
  strings = false;
  switch (choices.Below(7)) {
    case 0:
      return H5Tcopy(H5T_IEEE_F32LE);
    case 1:
      return H5Tcopy(H5T_IEEE_F64BE);
    case 2:
      return H5Tcopy(H5T_STD_I32LE);
    case 3:
      return H5Tcopy(H5T_STD_U64BE);
    case 4:
      return H5Tcopy(H5T_STD_I8LE);
    default: {
      const hid_t type = H5Tcopy(H5T_C_S1);
      strings = choices.Below(4) != 0;
      H5Tset_size(type, strings ? H5T_VARIABLE : 1 + choices.Below(8));
      if (choices.Below(2) == 0) H5Tset_cset(type, H5T_CSET_UTF8);
      return type;
    }
  }
}

std::vector<hsize_t> ChooseShape(Choices& choices) {
  static constexpr hsize_t kExtents[] = {1, 28, 0, 2, 3, 784};
  switch (choices.Below(4)) {
    case 0:
      return {kExtents[choices.Below(4)], 28, 28};
    case 1:
      return {kExtents[choices.Below(5)]};
    case 2:
      return {kExtents[choices.Below(5)], kExtents[choices.Below(6)]};
    default:
      return {};
  }
}

void WriteDataset(hid_t group, const char* name, Choices& choices) {
  bool strings = false;
  const hid_t type = ChooseType(choices, strings);
  const std::vector<hsize_t> shape = ChooseShape(choices);
  const hid_t space = shape.empty()
                          ? H5Screate(H5S_SCALAR)
                          : H5Screate_simple(static_cast<int>(shape.size()),
                                             shape.data(), nullptr);
  const hid_t set = H5Dcreate2(group, name, type, space, H5P_DEFAULT,
                               H5P_DEFAULT, H5P_DEFAULT);
  std::size_t count = 1;
  for (const hsize_t extent : shape) count *= extent;
  if (strings) {
    std::vector<std::string> texts(count);
    std::vector<const char*> pointers;
    for (std::string& text : texts) {
      for (unsigned n = choices.Below(8); n > 0; --n) {
        text += static_cast<char>(choices.Next());
      }
      pointers.push_back(choices.Below(8) == 0 ? nullptr : text.c_str());
    }
    H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, pointers.data());
  } else {
    std::vector<std::uint8_t> bytes(count * H5Tget_size(type));
    for (std::uint8_t& byte : bytes) byte = choices.Next();
    H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data());
  }
  H5Dclose(set);
  H5Sclose(space);
  H5Tclose(type);
}

// A file with up to four clients, made in memory and written when closed.
void MakeFile(Choices& choices, const std::string& path) {
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_fapl_core(access, 1 << 14, 1);
  const hid_t file =
      H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access);
  const hid_t examples =
      H5Gcreate2(file, choices.Below(16) == 15 ? "other" : "examples",
                 H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  static constexpr const char* kNames[] = {"pixels", "label", "tokens", "type"};
  for (char id = 'a'; id < 'e' && !choices.Done(); ++id) {
    const std::string name(1, id);
    const hid_t client = H5Gcreate2(examples, name.c_str(), H5P_DEFAULT,
                                    H5P_DEFAULT, H5P_DEFAULT);
    for (const char* dataset : kNames) {
      if (choices.Below(16) != 15) WriteDataset(client, dataset, choices);
    }
    H5Gclose(client);
  }
  H5Gclose(examples);
  H5Fclose(file);
  H5Pclose(access);
}

template <typename Import>
void TryImport(Import import, const std::string& path) {
  sfumato::data::ImportRequest request;
  request.inputs = {path};
  request.out = path + ".out";
  try {
    import(request);
    std::filesystem::remove_all(request.out);
  } catch (const sfumato::Error&) {
    if (std::filesystem::exists(request.out)) __builtin_trap();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  sfumato::base::ProcessTalk().quiet = true;
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  const std::string path =
      (std::filesystem::temp_directory_path() /
       ("sfumato_tff_fuzz_" + std::to_string(getpid()) + ".h5"))
          .string();
  Choices choices(data, size);
  MakeFile(choices, path);
  TryImport(sfumato::data::ImportTffEmnist, path);
  TryImport(sfumato::data::ImportTffStackOverflow, path);
  std::filesystem::remove(path);
  return 0;
}
