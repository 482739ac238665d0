// What an image voter's marks take, measured on made-up devices that its
// network did not learn from: how sure the network must be, and how much a
// device must look like those with that damage.
//
//   voter.parts().ballot = SetMargins(course, voter);
//   voter.parts().fit = LearnFit(course, voter);

#pragma once

#include "census/voter/fit.h"
#include "census/voter/image_ballot.h"
#include "census/voter/image_course.h"
#include "census/voter/image_voter.h"

namespace sfumato::census {

// REQUIRES: the voter has its network.
Ballot SetMargins(const ImageCourse& course, const ImageVoter& voter);

// Its states: healthy, each family, two damages at once. REQUIRES: the voter
// has its network.
Fit LearnFit(const ImageCourse& course, const ImageVoter& voter);

}  // namespace sfumato::census
