#include "data/import/hdf5_file.h"

#include <algorithm>
#include <system_error>
#include <type_traits>
#include <utility>

#include "base/error.h"
#include "fmt/format.h"

#if SFUMATO_HAS_HDF5
#include <hdf5.h>
#endif

namespace sfumato::data {

#if SFUMATO_HAS_HDF5

namespace {

static_assert(std::is_same_v<hid_t, std::int64_t>);

constexpr std::uint64_t kMaxBytes = std::uint64_t{1} << 30;

// An identifier of libhdf5 and the function that gives it back.
class Handle {
 public:
  Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;

  hid_t get() const { return id_; }
  bool ok() const { return id_ >= 0; }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

// libhdf5 prints its errors unless told otherwise, thread by thread.
void Silence() { H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr); }

// What went wrong first, in libhdf5's words.
std::string Reason() {
  std::string reason;
  H5Ewalk2(
      H5E_DEFAULT, H5E_WALK_UPWARD,
      [](unsigned n, const H5E_error2_t* error, void* to) -> herr_t {
        if (n == 0 && error->desc != nullptr) {
          *static_cast<std::string*>(to) = error->desc;
        }
        return 0;
      },
      &reason);
  return reason.empty() ? "" : fmt::format(" ({})", reason);
}

// A dataset that was opened and found to have the wanted type and dimensions.
class Dataset {
 public:
  Dataset(hid_t file, const std::string& object, const std::string& where,
          std::size_t dimensions)
      : where_(where),
        id_(H5Dopen2(file, object.c_str(), H5P_DEFAULT), H5Dclose),
        type_(id_.ok() ? H5Dget_type(id_.get()) : -1, H5Tclose),
        space_(id_.ok() ? H5Dget_space(id_.get()) : -1, H5Sclose),
        shape_(dimensions) {
    if (!id_.ok()) throw BadInput("a dataset is missing" + Reason(), where_);
    if (!type_.ok() || !space_.ok()) throw Damaged();
    ReadShape();
  }

  hid_t id() const { return id_.get(); }
  hid_t type() const { return type_.get(); }
  hid_t space() const { return space_.get(); }
  const std::vector<hsize_t>& shape() const { return shape_; }

  // The number of values. Throws BadInput when they would not fit in memory.
  std::size_t Count(std::size_t value_bytes) const {
    std::uint64_t count = 1;
    for (const hsize_t extent : shape_) {
      if (extent > kMaxBytes || count * extent > kMaxBytes / value_bytes) {
        throw BadInput("a dataset larger than a user's data can be", where_);
      }
      count *= extent;
    }
    return count;
  }

  void RequireClass(H5T_class_t wanted, const char* name) const {
    if (H5Tget_class(type()) != wanted) {
      throw BadInput(fmt::format("a dataset of another type where {} were "
                                 "expected",
                                 name),
                     where_);
    }
  }

  void Read(hid_t memory_type, void* to) const {
    if (H5Dread(id(), memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, to) < 0) {
      throw Damaged();
    }
  }

  Error Damaged() const {
    return BadInput("a dataset cannot be read" + Reason(), where_);
  }

 private:
  void ReadShape() {
    const int dimensions = H5Sget_simple_extent_ndims(space());
    if (dimensions != static_cast<int>(shape_.size())) {
      throw BadInput(fmt::format("a dataset of {} dimensions where {} were "
                                 "expected",
                                 std::max(dimensions, 0), shape_.size()),
                     where_);
    }
    H5Sget_simple_extent_dims(space(), shape_.data(), nullptr);
  }

  std::string where_;
  Handle id_;
  Handle type_;
  Handle space_;
  std::vector<hsize_t> shape_;
};

// Strings that H5Dread allocated; gives them back.
class VariableStrings {
 public:
  VariableStrings(const Dataset& dataset, hid_t type, std::size_t count)
      : dataset_(dataset), type_(type), strings_(count, nullptr) {}
  ~VariableStrings() {
    H5Dvlen_reclaim(type_, dataset_.space(), H5P_DEFAULT, strings_.data());
  }
  VariableStrings(const VariableStrings&) = delete;
  VariableStrings& operator=(const VariableStrings&) = delete;

  char** data() { return strings_.data(); }
  std::vector<std::string> Copy() const {
    std::vector<std::string> copy;
    copy.reserve(strings_.size());
    for (const char* s : strings_) copy.emplace_back(s == nullptr ? "" : s);
    return copy;
  }

 private:
  const Dataset& dataset_;
  hid_t type_;
  std::vector<char*> strings_;
};

}  // namespace

Hdf5File::Hdf5File(const base::Path& path) : name_(path.string()) {
  Silence();
  std::error_code error;
  if (!std::filesystem::exists(path, error)) {
    throw BadInput("no such file", name_);
  }
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
#if H5_VERSION_GE(1, 10, 7)
  // Reading needs no lock, and some file systems have none.
  H5Pset_file_locking(access.get(), false, true);
#endif
  file_ = H5Fopen(name_.c_str(), H5F_ACC_RDONLY, access.get());
  if (file_ < 0) {
    throw BadInput("not an HDF5 file, or a damaged one" + Reason(), name_);
  }
}

Hdf5File::~Hdf5File() {
  if (file_ >= 0) H5Fclose(file_);
}

Hdf5File::Hdf5File(Hdf5File&& other) noexcept
    : name_(std::move(other.name_)), file_(std::exchange(other.file_, -1)) {}

std::vector<std::string> Hdf5File::Children(const std::string& group) const {
  const Handle id(H5Gopen2(file_, group.c_str(), H5P_DEFAULT), H5Gclose);
  if (!id.ok()) {
    throw BadInput("a group is missing" + Reason(), Where(group),
                   "give a file of TensorFlow Federated");
  }
  std::vector<std::string> names;
  hsize_t at = 0;
  const herr_t status = H5Literate(
      id.get(), H5_INDEX_NAME, H5_ITER_NATIVE, &at,
      [](hid_t, const char* name, const H5L_info_t*, void* to) -> herr_t {
        static_cast<std::vector<std::string>*>(to)->emplace_back(name);
        return 0;
      },
      &names);
  if (status < 0) {
    throw BadInput("a group cannot be read" + Reason(), Where(group));
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<float> Hdf5File::ReadFloats(const std::string& dataset,
                                        std::span<std::uint64_t> shape) const {
  const Dataset data(file_, dataset, Where(dataset), shape.size());
  data.RequireClass(H5T_FLOAT, "floating-point numbers");
  std::vector<float> values(data.Count(sizeof(float)));
  if (!values.empty()) data.Read(H5T_NATIVE_FLOAT, values.data());
  std::copy(data.shape().begin(), data.shape().end(), shape.begin());
  return values;
}

std::vector<std::int64_t> Hdf5File::ReadIntegers(
    const std::string& dataset) const {
  const Dataset data(file_, dataset, Where(dataset), 1);
  data.RequireClass(H5T_INTEGER, "integers");
  std::vector<std::int64_t> values(data.Count(sizeof(std::int64_t)));
  if (!values.empty()) data.Read(H5T_NATIVE_INT64, values.data());
  return values;
}

std::vector<std::string> Hdf5File::ReadStrings(
    const std::string& dataset) const {
  const Dataset data(file_, dataset, Where(dataset), 1);
  data.RequireClass(H5T_STRING, "strings");
  if (H5Tis_variable_str(data.type()) <= 0) {
    throw BadInput("strings of fixed length where variable ones were expected",
                   Where(dataset));
  }
  const std::size_t count = data.Count(sizeof(char*));
  if (count == 0) return {};
  // The file's own character set: libhdf5 converts none into another.
  const Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type.get(), H5T_VARIABLE);
  H5Tset_cset(type.get(), H5Tget_cset(data.type()));
  VariableStrings strings(data, type.get(), count);
  data.Read(type.get(), strings.data());
  return strings.Copy();
}

#else

Hdf5File::Hdf5File(const base::Path& path) {
  throw Unsupported("this build cannot read HDF5 files", path.string(),
                    "install HDF5 (libhdf5-dev) and build again");
}
Hdf5File::~Hdf5File() = default;
Hdf5File::Hdf5File(Hdf5File&& other) noexcept = default;
std::vector<std::string> Hdf5File::Children(const std::string&) const {
  return {};
}
std::vector<float> Hdf5File::ReadFloats(const std::string&,
                                        std::span<std::uint64_t>) const {
  return {};
}
std::vector<std::int64_t> Hdf5File::ReadIntegers(const std::string&) const {
  return {};
}
std::vector<std::string> Hdf5File::ReadStrings(const std::string&) const {
  return {};
}

#endif

}  // namespace sfumato::data
