# Text files as a part of the program, so that it needs none when it runs.
#
#   sfumato_embed(generated HEADER base/stroke_font.h FUNCTION sfumato::base::HersheyFiles
#                 FILES hershey/futural.jhf …)
#
# sets `generated` to a source that defines
#   std::span<const EmbeddedFile> FUNCTION()
# with one {name, text} per file, in the order given. HEADER declares both. It is
# made anew when a file changes.

function(sfumato_embed result)
  cmake_parse_arguments(EMBED "" "HEADER;FUNCTION" "FILES" ${ARGN})
  string(REGEX REPLACE "^(.*)::([^:]+)$" "\\1;\\2" qualified "${EMBED_FUNCTION}")
  list(GET qualified 0 namespace)
  list(GET qualified 1 function)

  # A newer file configures again; a source with the same content stays.
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${EMBED_FILES})
  set(entries "")
  foreach(file IN LISTS EMBED_FILES)
    file(READ "${file}" text)
    get_filename_component(name "${file}" NAME)
    string(APPEND entries "    {\"${name}\", R\"embedded(${text})embedded\"},\n")
  endforeach()
  set(source "${CMAKE_CURRENT_BINARY_DIR}/${function}.cc")
  file(CONFIGURE OUTPUT "${source}" @ONLY CONTENT
"#include \"@EMBED_HEADER@\"

namespace @namespace@ {

std::span<const EmbeddedFile> @function@() {
  static constexpr EmbeddedFile kFiles[] = {
@entries@  };
  return kFiles;
}

}  // namespace @namespace@
")
  set(${result} "${source}" PARENT_SCOPE)
endfunction()
