// How an image voter answers: its cells, and what reference users in each state
// mark, whom nothing was learned from.
//
//   Calibrate(course, voter);
//   voter.calibration().states;  // with each strength that is seen

#pragma once

#include "census/voter/image_course.h"
#include "census/voter/image_voter.h"

namespace sfumato::census {

// Gives the voter its cells, splits and calibration. REQUIRES: it has its
// network, ballot and fit.
void Calibrate(const ImageCourse& course, ImageVoter& voter);

}  // namespace sfumato::census
