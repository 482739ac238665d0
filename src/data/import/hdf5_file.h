// The little of HDF5 that TFF's datasets need, without handles to leak and
// with errors that say which object of which file is wrong.
//
//   data::Hdf5File file("fed_emnist_train.h5");
//   for (const std::string& id : file.Children("/examples")) {
//     const auto labels = file.ReadIntegers("/examples/" + id + "/label");
//   }
//
// libhdf5 prints nothing; what it refuses becomes BadInput. A file is used by
// one thread at a time.

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/file.h"

namespace sfumato::data {

class Hdf5File {
 public:
  // Throws BadInput when the file is missing or no HDF5; Unsupported when
  // libhdf5 was not built in.
  explicit Hdf5File(const base::Path& path);
  ~Hdf5File();
  Hdf5File(Hdf5File&& other) noexcept;
  Hdf5File& operator=(Hdf5File&&) = delete;

  const std::string& name() const { return name_; }

  // The names in a group, sorted. Throws BadInput when it is missing or no
  // group.
  std::vector<std::string> Children(const std::string& group) const;

  // The values of a dataset, and its shape. Each throws BadInput, naming file
  // and object, when it is missing, of another type, of another number of
  // dimensions, larger than a user's data can be (2^30 bytes) or damaged.
  std::vector<float> ReadFloats(const std::string& dataset,
                                std::span<std::uint64_t> shape) const;
  std::vector<std::int64_t> ReadIntegers(const std::string& dataset) const;
  std::vector<std::string> ReadStrings(const std::string& dataset) const;

  // An error about `object` of this file.
  std::string Where(const std::string& object) const {
    return name_ + ":" + object;
  }

 private:
  std::string name_;
  std::int64_t file_ = -1;  // an hid_t
};

}  // namespace sfumato::data
