# cmake -Dweb=DIR -Dfiles=LIST -Dd3=LIST -Doutput=FILE.cpp -P embed.cmake: writes dashboard_files() (dashboard.hpp).
cmake_minimum_required(VERSION 3.25)
get_filename_component(folder ${output} DIRECTORY)
find_program(gzip gzip REQUIRED)

# An empty file where d3 is missing: the page finds no global d3 and says so.
set(joined "")
foreach(module IN LISTS d3)
  file(READ ${module} text)
  string(APPEND joined "${text}\n")
endforeach()
file(WRITE ${folder}/d3.js "${joined}")

# The bytes of a file as one C++ string literal.
function(literal file result)
  file(READ ${file} bytes HEX)
  string(REGEX REPLACE "(..)" "\\\\x\\1" bytes "${bytes}")
  set(${result} "\"${bytes}\"" PARENT_SCOPE)
endfunction()

set(type_html "text/html; charset=utf-8")
set(type_css "text/css; charset=utf-8")
set(type_js "text/javascript; charset=utf-8")
set(type_svg "image/svg+xml")

list(APPEND files vendor/d3.js)
list(TRANSFORM files REPLACE "^index.html$" "")  # the page is "/", which sorts first
list(SORT files)
set(entries "")
foreach(name IN LISTS files)
  if(name STREQUAL "")
    set(file ${web}/index.html)
  elseif(name STREQUAL "vendor/d3.js")
    set(file ${folder}/d3.js)
  else()
    set(file ${web}/${name})
  endif()
  get_filename_component(ending ${file} LAST_EXT)
  string(SUBSTRING ${ending} 1 -1 ending)
  execute_process(COMMAND ${gzip} -9 -n -c ${file} OUTPUT_FILE ${folder}/packed.gz COMMAND_ERROR_IS_FATAL ANY)
  file(SHA256 ${file} hash)
  string(SUBSTRING ${hash} 0 16 hash)
  file(SIZE ${file} plain_size)
  file(SIZE ${folder}/packed.gz gzip_size)
  literal(${file} plain)
  literal(${folder}/packed.gz packed)
  string(APPEND entries "    {\"/${name}\", \"${type_${ending}}\", \"\\\"${hash}\\\"\",\n     {${plain}, ${plain_size}},\n     {${packed}, ${gzip_size}}},\n")
endforeach()
file(WRITE ${output} "// Written by embed.cmake.
#include \"dashboard.hpp\"

namespace summand::server {
static constexpr DashboardFile files[] = {
${entries}};
std::span<const DashboardFile> dashboard_files() { return files; }
}  // namespace summand::server
")
