// The examples in the headers of `data`.

#include <cstdint>
#include <iostream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/file.h"
#include "base/random.h"
#include "data/dataset.h"
#include "data/dataset_writer.h"
#include "data/describe.h"
#include "data/generate/english.h"
#include "data/generate/forum.h"
#include "data/generate/forum_lexicon.h"
#include "data/generate/forum_names.h"
#include "data/generate/forum_typist.h"
#include "data/generate/hand.h"
#include "data/generate/handwriting.h"
#include "data/generate/stroke_raster.h"
#include "data/import/archive.h"
#include "data/import/csv.h"
#include "data/import/example_groups.h"
#include "data/import/gzip.h"
#include "data/import/hdf5_file.h"
#include "data/import/html.h"
#include "data/import/import_folders.h"
#include "data/import/import_idx.h"
#include "data/import/import_leaf.h"
#include "data/import/import_stackexchange.h"
#include "data/import/import_table.h"
#include "data/import/import_text.h"
#include "data/import/import_tff.h"
#include "data/import/label_names.h"
#include "data/import/markdown.h"
#include "data/import/npy.h"
#include "data/import/path_layout.h"
#include "data/import/sentences.h"
#include "data/import/spool.h"
#include "data/import/stackexchange_xml.h"
#include "data/text.h"
#include "data/transform/bugs.h"
#include "data/transform/partition.h"
#include "data/transform/split.h"
#include "data/vocabulary.h"

namespace sfumato::data {

template <typename... T>
void Use(const T&...);

void DatasetExample() {
#include "data/dataset.example"
}

void DatasetWriterExample(const DatasetInfo& info,
                          std::span<const std::uint8_t> image) {
#include "data/dataset_writer.example"
}

void DescribeExample(const FederatedDataset& set) {
#include "data/describe.example"
}

void EnglishExample() {
#include "data/generate/english.example"
}

void ForumExample() {
#include "data/generate/forum.example"
}

void ForumLexiconExample(base::Rng& rng) {
#include "data/generate/forum_lexicon.example"
}

void ForumNamesExample() {
#include "data/generate/forum_names.example"
}

void ForumTypistExample(const Habits& habits, base::Rng& rng) {
#include "data/generate/forum_typist.example"
}

void HandExample(const GlyphSet& glyphs, std::uint64_t seed, int label,
                 base::Rng& rng, StrokeRaster& raster,
                 std::span<std::uint8_t, StrokeRaster::kPixels> pixels) {
#include "data/generate/hand.example"
}

void HandwritingExample() {
#include "data/generate/handwriting.example"
}

void StrokeRasterExample(
    std::span<const PenPoint> points,
    std::span<std::uint8_t, StrokeRaster::kPixels> pixels) {
#include "data/generate/stroke_raster.example"
}

void ArchiveExample() {
#include "data/import/archive.example"
}

void CsvExample(std::string_view text) {
#include "data/import/csv.example"
}

void ExampleGroupsExample(const ImportRequest& request, CsvReader& csv,
                          DatasetWriter& writer) {
#include "data/import/example_groups.example"
}

void GzipExample() {
#include "data/import/gzip.example"
}

void Hdf5FileExample() {
#include "data/import/hdf5_file.example"
}

void HtmlExample() {
#include "data/import/html.example"
}

void ImportFoldersExample() {
#include "data/import/import_folders.example"
}

void ImportIdxExample() {
#include "data/import/import_idx.example"
}

void ImportLeafExample() {
#include "data/import/import_leaf.example"
}

void ImportStackexchangeExample() {
#include "data/import/import_stackexchange.example"
}

void ImportTableExample() {
#include "data/import/import_table.example"
}

void ImportTextExample() {
#include "data/import/import_text.example"
}

void ImportTffExample() {
#include "data/import/import_tff.example"
}

void LabelNamesExample(const ImportRequest& request) {
#include "data/import/label_names.example"
}

void MarkdownExample() {
#include "data/import/markdown.example"
}

void NpyExample() {
#include "data/import/npy.example"
}

void PathLayoutExample() {
#include "data/import/path_layout.example"
}

void SentencesExample() {
#include "data/import/sentences.example"
}

void SpoolExample(const base::Path& out, DatasetWriter& writer) {
#include "data/import/spool.example"
}

void StackexchangeXmlExample(const std::vector<std::string>& pieces) {
#include "data/import/stackexchange_xml.example"
}

void TextExample() {
#include "data/text.example"
}

void BugsExample(const FederatedDataset& set) {
#include "data/transform/bugs.example"
}

void PartitionExample(std::span<const std::int32_t> labels) {
#include "data/transform/partition.example"
}

void SplitExample(const FederatedDataset& mnist) {
#include "data/transform/split.example"
}

void VocabularyExample(const FederatedDataset& set) {
#include "data/vocabulary.example"
}

}  // namespace sfumato::data
