// Imports dumps of Stack Exchange sites: what people wrote, sentence by
// sentence, grouped by author.
//
//   data::ImportStackExchange({.inputs = {"dumps/beer"}, .out = "beer"});
//
// Posts lose their HTML (html.h), comments their Markdown (markdown.h); a title
// is one sentence. The column `source` says where a sentence stood:
// question, answer, comment or title.

#pragma once

#include "data/import/import.h"

namespace sfumato::data {

struct StackExchangeOptions {
  // Sentences of fewer or more words (between white space) are skipped.
  int min_words = 2;
  int max_words = 200;
};

// `inputs` are Posts.xml and Comments.xml files, or folders in which all files
// of these names are read. The folder of a file is its site: with more than one
// site a user's id is "site/123", else "123". Rows without an author or by the
// site's own account (-1) are skipped and counted, and so are posts that are
// neither question nor answer. Throws BadInput with file:line when a file is
// no dump or damaged; Unsupported without expat.
DatasetSummary ImportStackExchange(const ImportRequest& request,
                                   const StackExchangeOptions& options = {});

}  // namespace sfumato::data
