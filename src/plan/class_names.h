// What a classifier calls its classes, as its checkpoint's metadata have it:
// "class_names", a JSON list, number 0 first.
//
//   metadata.merge(ClassNamesFor(info.classes));
//   CheckClassNames(file.metadata(), other.classes, "judge");  // or throws
//
// The same number of classes does not make them the same: letters judged by a
// classifier of digits are all wrong, and everybody would look like a user with
// a bug.

#pragma once

#include <string>
#include <vector>

#include "base/safetensors.h"

namespace sfumato::plan {

// Empty where there are no names.
base::Metadata ClassNamesFor(const std::vector<std::string>& names);

// Throws BadInput naming the first class that differs, Corrupt when the
// metadata hold something else than a list of names. What was written without
// names, and data without names, are not checked; nor is how many there are.
void CheckClassNames(const base::Metadata& metadata,
                     const std::vector<std::string>& names,
                     const std::string& where);

}  // namespace sfumato::plan
