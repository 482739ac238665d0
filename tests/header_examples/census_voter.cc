// The examples in the headers of `census/voter`.

#include <string>
#include <vector>

#include "census/voter/class_templates.h"
#include "census/voter/class_voter.h"
#include "census/voter/fit.h"
#include "census/voter/foreign_words.h"
#include "census/voter/image_ballot.h"
#include "census/voter/image_calibration.h"
#include "census/voter/image_cells.h"
#include "census/voter/image_course.h"
#include "census/voter/image_families.h"
#include "census/voter/image_lessons.h"
#include "census/voter/image_margins.h"
#include "census/voter/image_points.h"
#include "census/voter/image_reader.h"
#include "census/voter/image_tallies.h"
#include "census/voter/image_tensors.h"
#include "census/voter/image_truths.h"
#include "census/voter/image_voter.h"
#include "census/voter/made_up_devices.h"
#include "census/voter/made_up_text.h"
#include "census/voter/mark_network.h"
#include "census/voter/reference_users.h"
#include "census/voter/same_answer.h"
#include "census/voter/set_network.h"
#include "census/voter/strength_choice.h"
#include "census/voter/text_damages.h"
#include "census/voter/text_features.h"
#include "census/voter/text_fit.h"
#include "census/voter/text_margins.h"
#include "census/voter/text_voter.h"
#include "census/voter/text_words.h"
#include "census/voter/voter.h"

namespace sfumato::census {

using Rows = std::vector<std::vector<float>>;

void ClassTemplatesExample(const data::FederatedDataset& reference,
                           const std::vector<ReferenceRow>& rows,
                           const at::Tensor& points_of_images,
                           const ImagePoints& image_points,
                           fed::WorkerPool& pool,
                           const std::vector<std::int32_t>& labels,
                           const at::Tensor& out) {
#include "voter/class_templates.example"
}

void ClassVoterExample(const data::FederatedDataset& set,
                       const std::vector<std::int64_t>& users,
                       fed::WorkerPool& pool) {
#include "voter/class_voter.example"
}

void FitExample(const at::Tensor& vectors, const at::Tensor& healthy_users,
                const at::Tensor& others, const at::Tensor& vector,
                const std::vector<std::int64_t>& states,
                const std::vector<std::int64_t>& sizes,
                const std::vector<std::int64_t>& sizes_of_others,
                std::int64_t state, std::int64_t examples) {
#include "voter/fit.example"
}

void ForeignWordsExample(void Use(const Language& language)) {
#include "voter/foreign_words.example"
}

void ImageBallotExample(const at::Tensor& logits_of_healthy_users,
                        const std::vector<float>& logits, std::int64_t marks,
                        const std::function<bool(std::int64_t)>& fits) {
#include "voter/image_ballot.example"
}

void ImageCalibrationExample(const ImageCourse& course, ImageVoter& voter) {
#include "voter/image_calibration.example"
}

void ImageCellsExample(const std::vector<ImageFamily>& families,
                       const std::vector<std::string>& split,
                       const std::vector<Tally>& tallies) {
#include "voter/image_cells.example"
}

void ImageCourseExample(const data::FederatedDataset& reference,
                        const VoterOptions& options, fed::WorkerPool& pool) {
#include "voter/image_course.example"
}

void ImageFamiliesExample(const data::ImageShape& shape, ImageSet& images,
                          base::Rng& rng) {
#include "voter/image_families.example"
}

void ImageLessonsExample(const ImageCourse& course, const at::Tensor& points) {
#include "voter/image_lessons.example"
}

void ImageMarginsExample(const ImageCourse& course, ImageVoter& voter) {
#include "voter/image_margins.example"
}

void ImagePointsExample(const data::ImageShape& shape,
                        const data::Pixels& pixels) {
  using data::ImageView;
#include "voter/image_points.example"
}

void ImageReaderExample(const data::ImageShape& shape, const ImageSet& images) {
#include "voter/image_reader.example"
}

void ImageTalliesExample(const ImageCourse& course, const ImageVoter& voter) {
#include "voter/image_tallies.example"
}

void ImageTensorsExample(const base::SafetensorsFile& file) {
#include "voter/image_tensors.example"
}

void ImageTruthsExample(const std::vector<ImageFamily>& families,
                        const data::ImageShape& shape, ImageSet& images,
                        base::Rng& rng) {
#include "voter/image_truths.example"
}

void ImageVoterExample(const data::FederatedDataset& reference,
                       const data::FederatedDataset& set,
                       const std::vector<std::int64_t>& users,
                       fed::WorkerPool& pool) {
#include "voter/image_voter.example"
}

void MadeUpDevicesExample(const data::FederatedDataset& reference,
                          const VoterOptions& options, fed::WorkerPool& pool,
                          void Use(const at::Tensor& points)) {
#include "voter/made_up_devices.example"
}

void MadeUpTextExample(const data::FederatedDataset& reference,
                       data::TextForm form, const TextSource& all,
                       base::Rng& rng) {
#include "voter/made_up_text.example"
}

void MarkNetworkExample(const Rows& rows, const Rows& marks,
                        const std::vector<float>& features) {
#include "voter/mark_network.example"
}

void ReferenceUsersExample(const data::FederatedDataset& set, base::Rng& rng) {
#include "voter/reference_users.example"
}

void SameAnswerExample() {
#include "voter/same_answer.example"
}

void SetNetworkExample(at::Device device, const at::Tensor& points,
                       const at::Tensor& targets, double rate,
                       const at::Tensor& points_of_user,
                       fed::WorkerPool& pool) {
#include "voter/set_network.example"
}

void StrengthChoiceExample(const Rows& rows,
                           const std::vector<std::int64_t>& strength_of_row,
                           const std::vector<float>& row) {
#include "voter/strength_choice.example"
}

void TextDamagesExample(const TextSource& source, base::Rng& rng,
                        std::string tokens) {
#include "voter/text_damages.example"
}

void TextFeaturesExample(const TextWords& words,
                         const std::vector<std::string>& sentences) {
#include "voter/text_features.example"
}

void TextFitExample(const Rows& rows, const Rows& others,
                    const std::vector<float>& usual,
                    const std::vector<float>& features) {
#include "voter/text_fit.example"
}

void TextMarginsExample(const std::vector<Scored>& scored, std::size_t families,
                        const MarkNetwork& network,
                        const std::vector<float>& features) {
#include "voter/text_margins.example"
}

void TextWordsExample(const TextPeople& people, const Hidden& nobody) {
#include "voter/text_words.example"
}

void VoterExample(const data::FederatedDataset& reference,
                  const data::FederatedDataset& set,
                  const std::vector<std::int64_t>& users,
                  fed::WorkerPool& pool) {
#include "voter/voter.example"
}

}  // namespace sfumato::census
