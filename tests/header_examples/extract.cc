// extract FILE.cc OUT ROOM…: writes the examples in the header comments of some
// rooms to files that FILE.cc includes, each inside a function that declares
// the names that the example leaves open:
//
//     void Crc32c(std::string_view bytes, std::string_view more) {
//     #include "base/crc32c.example"
//     }
//
// An example is a paragraph of a comment, indented by three spaces, that ends
// in ; or } and does not begin with { (JSON does). The second of a header is
// crc32c.example2. Fails if FILE.cc does not include one of them: then a header
// has an example that nobody compiles.

#include <filesystem>
#include <iostream>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "base/file.h"

namespace sfumato {
namespace {

namespace fs = std::filesystem;

struct Example {
  std::string name;  // "base/crc32c.example"
  fs::path header;
  int line = 0;
  std::string code;
};

std::string WithoutComment(const std::string& line) {
  const std::string code = line.substr(0, line.find(" //"));
  return code.substr(0, code.find_last_not_of(' ') + 1);
}

// Of one paragraph.
bool IsCode(const std::string& paragraph) {
  std::string last;
  std::istringstream lines(paragraph);
  for (std::string line; std::getline(lines, line);) {
    if (const std::string code = WithoutComment(line); !code.empty()) {
      last = code;
    }
  }
  const std::size_t first = paragraph.find_first_not_of(' ');
  return !last.empty() && paragraph[first] != '{' &&
         (last.back() == ';' || last.back() == '}');
}

// `name` is the header's, without ".h".
std::vector<Example> ExamplesOf(const fs::path& header,
                                const std::string& name) {
  static const std::regex kIndented(R"(^ *//(   .*)$)");
  std::vector<Example> examples;
  std::string paragraph;
  int begin = 0;
  const auto end_paragraph = [&] {
    if (!paragraph.empty() && IsCode(paragraph)) {
      const std::string number =
          examples.empty() ? "" : std::to_string(examples.size() + 1);
      examples.push_back(
          {name + ".example" + number, header, begin, paragraph});
    }
    paragraph.clear();
  };
  std::istringstream lines(base::ReadFile(header));
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    std::smatch match;
    if (std::regex_match(line, match, kIndented)) {
      if (paragraph.empty()) begin = number;
      paragraph += match[1].str() + "\n";
    } else {
      end_paragraph();
    }
  }
  end_paragraph();
  return examples;
}

std::set<std::string> IncludedBy(const fs::path& file) {
  static const std::regex kInclude("#include \"([^\"]*\\.example[0-9]*)\"");
  const std::string text = base::ReadFile(file);
  std::set<std::string> included;
  for (std::sregex_iterator at(text.begin(), text.end(), kInclude), end;
       at != end; ++at) {
    included.insert((*at)[1]);
  }
  return included;
}

int Extract(const fs::path& file, const fs::path& out,
            const std::vector<fs::path>& rooms) {
  const std::set<std::string> included = IncludedBy(file);
  fs::remove_all(out);  // an example may have gone
  int missing = 0;
  for (const fs::path& room : rooms) {
    const fs::path source = room.parent_path();
    for (const auto& entry : fs::recursive_directory_iterator(room)) {
      const fs::path& header = entry.path();
      if (header.extension() != ".h") continue;
      const std::string name =
          fs::path(header).replace_extension().lexically_relative(source);
      for (const Example& example : ExamplesOf(header, name)) {
        fs::create_directories((out / example.name).parent_path());
        base::WriteFileAtomically(out / example.name,
                                  "#line " + std::to_string(example.line) +
                                      " \"" + header.string() + "\"\n" +
                                      example.code);
        if (included.contains(example.name)) continue;
        ++missing;
        std::cerr << header.string() << ":" << example.line
                  << ": nobody compiles this example. Include \""
                  << example.name << "\" in " << file.string() << "\n";
      }
    }
  }
  return missing == 0 ? 0 : 1;
}

}  // namespace
}  // namespace sfumato

int main(int argc, char** argv) {
  if (argc < 4) {
    std::cerr << "usage: extract FILE.cc OUT ROOM…\n";
    return 2;
  }
  return sfumato::Extract(argv[1], argv[2], {argv + 3, argv + argc});
}
