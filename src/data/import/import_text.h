// Imports sentences that people wrote, from files of several forms.
//
//   ImportText({.inputs = {"letters"}, .out = "set"});  // alice.txt, bob.txt
//   ImportText({.inputs = {"posts.jsonl"}, .out = "set"},
//              {.fields = {.user = "author", .text = "body"}});
//   ImportText({.inputs = {"shakespeare.txt"}, .out = "set"},
//              {.form = TextSource::kSpeakers});
//   ImportText({.inputs = {"words.jsonl"}, .out = "set"}, {.tokens = true});
//
// Inputs are files, plain or gzip-compressed, or folders of them, all of one
// form. Text must be UTF-8. A user may come in several files or at several
// places of one: users are written in the order of their first sentence, with
// all their sentences in order.

#pragma once

#include "data/import/import.h"
#include "data/import/text_records.h"

namespace sfumato::data {

enum class TextSource {
  kAuto,      // by the ending: .txt, .jsonl or .ndjson, .csv or .tsv
  kFiles,     // a file per user, called by the user's name
  kJsonl,     // one object per line, with a user and a text
  kCsv,       // a header, a user column and a text column
  kSpeakers,  // a play: "NAME:", lines, an empty line
};

// How text is cut into examples.
enum class TextCut {
  kLines,      // every line that is not empty
  kSentences,  // sentences; lines are joined until an empty one
  kWhole,      // every record, speech or file as it is
};

struct TextOptions {
  TextSource form = TextSource::kAuto;
  TextCut cut = TextCut::kLines;
  // The text is words already, as another pipeline made them: kept as
  // TextForm::kTokens, white space of ASCII between words as one space, a
  // no-break space inside a word and capitals as they are. Not with kSentences:
  // they are cut in running text.
  bool tokens = false;
  // The names of a record's user and text (JSONL, CSV).
  TextFields fields = {};
  // CSV: as in CsvReader; 0 is a tab for .tsv, otherwise detected.
  char delimiter = 0;
};

// Records without user or without text are skipped and counted. Throws BadInput
// with file and line when a file is not of its form or not UTF-8. Of CSV only
// the two columns must be UTF-8.
DatasetSummary ImportText(const ImportRequest& request,
                          const TextOptions& options = {});

}  // namespace sfumato::data
