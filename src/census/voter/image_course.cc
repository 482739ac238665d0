#include "census/voter/image_course.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "base/error.h"
#include "fmt/format.h"
#include "fmt/ranges.h"

namespace sfumato::census {
namespace {

ImageAmounts AmountsFor(double effort, std::int64_t marks) {
  ImageAmounts much;
  if (marks > 1) {  // there are more pairs than families
    much.rounds = 8;
    much.lessons = 18'000;
    much.steps = 2000;
    much.fit_users = 200;
    much.users_of_strength = 150;
  }
  for (std::int64_t* amount :
       {&much.lessons, &much.steps, &much.healthy_for_margins,
        &much.healthy_for_fit, &much.damaged_for_margins, &much.fit_healthy,
        &much.choice_users, &much.healthy_for_confusion,
        &much.users_of_strength, &much.users_of_pair}) {
    *amount = std::max<std::int64_t>(
        10, std::llround(effort * static_cast<double>(*amount)));
  }
  return much;
}

// A strength that images of this size make the same as another is left out.
void LeaveOutRepeated(ImageFamily& family) {
  std::set<std::string> known;
  std::erase_if(family.strengths, [&](const NamedDamage& strength) {
    return !known.insert(strength.values).second;
  });
}

}  // namespace

bool ImageCourse::IsSplit(std::size_t family) const {
  return std::ranges::find(options.split, families[family].key) !=
         options.split.end();
}

void ImageCourse::Say(double done, const char* what) const {
  if (options.progress) options.progress(done, what);
}

ImageCourse CourseFor(const data::FederatedDataset& reference,
                      const VoterOptions& options, fed::WorkerPool& pool) {
  MadeUpDevices devices(reference, options, pool);
  std::vector<ImageFamily> families =
      FamiliesFor(reference.info(), devices.reader().templates().labelled());
  RequireSplittable(families, options.split);
  return {.reference = reference,
          .options = options,
          .amounts = AmountsFor(options.effort, options.marks),
          .pool = pool,
          .devices = std::move(devices),
          .families = std::move(families)};
}

std::vector<ImageFamily> FamiliesFor(const data::DatasetInfo& info,
                                     bool labelled) {
  std::vector<ImageFamily> families =
      ImageFamilies(info.image, labelled ? std::ssize(info.classes) : 0);
  for (ImageFamily& family : families) LeaveOutRepeated(family);
  return families;
}

void RequireSplittable(std::span<const ImageFamily> families,
                       std::span<const std::string> split) {
  std::vector<std::string> known;
  for (const ImageFamily& family : families) {
    if (family.strengths.size() > 1) known.push_back(family.key);
  }
  const std::string todo = fmt::format("one of {}", fmt::join(known, ", "));
  for (const std::string& key : split) {
    const auto found = std::ranges::find(families, key, &ImageFamily::key);
    if (found == families.end()) {
      throw BadInput(fmt::format("unknown family '{}'", key), "census.split",
                     todo);
    }
    if (found->strengths.size() < 2) {
      throw BadInput(fmt::format("'{}' has only one strength", key),
                     "census.split", todo);
    }
  }
}

}  // namespace sfumato::census
