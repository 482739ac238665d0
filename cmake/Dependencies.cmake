# What the program stands on. Debian's packages by default; on a machine that
# has little but PyTorch, what tools/bundle_deps put into the folder
# SFUMATO_DEPS comes first.
#
# Everything under "parts" may be missing: the part is then off, the line
# printed at the end of configuring says so, and so does `sfumato doctor`.

if(SFUMATO_DEPS)
  list(PREPEND CMAKE_PREFIX_PATH "${SFUMATO_DEPS}")
endif()

find_package(Threads REQUIRED)
find_package(OpenSSL REQUIRED COMPONENTS Crypto)
find_package(ZLIB REQUIRED)
find_package(PNG REQUIRED)
find_package(SQLite3 REQUIRED)

# Header-only libraries, found as files: not every source of them has CMake
# files of its own.
function(sfumato_headers target header)
  find_path(${target}_DIR_ ${header} PATH_SUFFIXES ${ARGN} REQUIRED)
  add_library(${target} INTERFACE IMPORTED GLOBAL)
  target_include_directories(${target} SYSTEM INTERFACE ${${target}_DIR_})
endfunction()
sfumato_headers(headers_cli11 CLI/CLI.hpp)
sfumato_headers(headers_json nlohmann/json.hpp)
sfumato_headers(headers_fmt fmt/format.h)
sfumato_headers(headers_eigen unsupported/Eigen/FFT eigen3)
sfumato_headers(headers_toml toml++/toml.h)
# Compiled, fmt saves half of a file's compile time.
find_library(SFUMATO_FMT fmt)
if(SFUMATO_FMT AND NOT SFUMATO_DEPS)
  target_link_libraries(headers_fmt INTERFACE ${SFUMATO_FMT})
else()
  target_compile_definitions(headers_fmt INTERFACE FMT_HEADER_ONLY)
endif()

# Parts: name, what it is for, whether it was found.
set_property(GLOBAL PROPERTY SFUMATO_PARTS "")
function(sfumato_part name purpose found)
  if(found)
    set(state on)
    add_compile_definitions(SFUMATO_HAS_${name}=1)
  else()
    set(state off)
  endif()
  set(SFUMATO_HAS_${name} ${found} PARENT_SCOPE)
  set_property(GLOBAL APPEND PROPERTY SFUMATO_PARTS "${name}=${state}=${purpose}")
endfunction()
function(sfumato_print_parts)
  get_property(parts GLOBAL PROPERTY SFUMATO_PARTS)
  foreach(part IN LISTS parts)
    string(REPLACE "=" ";" fields "${part}")
    list(GET fields 0 name)
    list(GET fields 1 state)
    list(GET fields 2 purpose)
    message(STATUS "part ${name}: ${state} (${purpose})")
  endforeach()
endfunction()

find_package(EXPAT QUIET)
sfumato_part(EXPAT "Stack Exchange XML" "${EXPAT_FOUND}")
find_package(JPEG QUIET)
sfumato_part(JPEG "JPEG images" "${JPEG_FOUND}")
find_package(LibArchive QUIET)
sfumato_part(ARCHIVE "folders inside zip and tar" "${LibArchive_FOUND}")
set(HDF5_PREFER_PARALLEL FALSE)
find_package(HDF5 QUIET COMPONENTS C)
sfumato_part(HDF5 "TFF datasets" "${HDF5_FOUND}")

if(SFUMATO_TORCH)
  find_package(Torch QUIET)
endif()
sfumato_part(TORCH "training, sampling, evaluation" "${Torch_FOUND}")
if(Torch_FOUND AND TORCH_CUDA_LIBRARIES)
  set(cuda_found TRUE)
endif()
sfumato_part(CUDA "training on NVIDIA GPUs" "${cuda_found}")
if(cuda_found)
  if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
    set(CMAKE_CUDA_ARCHITECTURES native)  # the GPU of the machine that builds
  endif()
  enable_language(CUDA)
  set(CMAKE_CUDA_STANDARD 20)
  set(CMAKE_CUDA_FLAGS "${CMAKE_CUDA_FLAGS} --extended-lambda")
endif()
find_package(MPI QUIET COMPONENTS C)
sfumato_part(MPI "cohorts over several processes" "${MPI_C_FOUND}")

if(SFUMATO_TESTS)
  find_package(GTest REQUIRED)
endif()
