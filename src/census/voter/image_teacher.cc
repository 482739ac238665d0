#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "census/voter/image_calibration.h"
#include "census/voter/image_course.h"
#include "census/voter/image_lessons.h"
#include "census/voter/image_margins.h"
#include "census/voter/image_voter.h"
#include "census/voter/made_up_devices.h"

// How an image voter is learned: made-up devices with made-up damages teach the
// network; others set the margins and what fits; still others, whose examples
// nothing was learned from, say how it answers.

namespace sfumato::census {
namespace {

// That knows its network, and nothing else yet.
std::unique_ptr<ImageVoter> VoterOf(const ImageCourse& course,
                                    SetNetwork network) {
  const ImageReader& reader = course.devices.reader();
  VoterOptions options = course.options;
  options.progress = {};
  return std::make_unique<ImageVoter>(ImageVoter::Parts{
      .options = std::move(options),
      .classes = reader.templates().labelled() ? course.reference.info().classes
                                               : std::vector<std::string>(),
      .reader = reader,
      .network = std::move(network)});
}

}  // namespace

void CheckImageReferences(const data::FederatedDataset& reference,
                          const VoterOptions& options) {
  ReferenceUsers(reference, UsersFor(options));
}

void CheckImageSplit(const data::DatasetInfo& info,
                     const VoterOptions& options) {
  RequireSplittable(FamiliesFor(info, options.labels), options.split);
}

std::unique_ptr<Voter> LearnImageVoter(const data::FederatedDataset& reference,
                                       const VoterOptions& options,
                                       fed::WorkerPool& pool) {
  const at::NoGradGuard no_gradient;
  const ImageCourse course = CourseFor(reference, options, pool);
  std::unique_ptr<ImageVoter> voter = VoterOf(course, TeachNetwork(course));
  voter->parts().ballot = SetMargins(course, *voter);
  voter->parts().fit = LearnFit(course, *voter);
  Calibrate(course, *voter);
  course.Say(1, "learned");
  return voter;
}

}  // namespace sfumato::census
