# One folder of src/summand = one module = one target. summand_module(model SOURCES a.cpp b.cpp DEPENDS numeric)
# makes the object library summand_model; an object library links nothing twice, and the modules' objects are gathered
# into the two archives a user links (src/summand/CMakeLists.txt).
include_guard()

function(summand_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Wold-style-cast)
  # g++ 12 sees overlapping copies in "literal" + std::string (GCC bug 105651); no later version does.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    target_compile_options(${target} PRIVATE -Wno-restrict)
  endif()
  if(NOT SUMMAND_SANITIZE STREQUAL "" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE -Wno-maybe-uninitialized)  # g++ 12 raises false alarms in instrumented code
  endif()
  if(SUMMAND_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
endfunction()

# Code that waits for people, disks and programs gains nothing from -O3 but compile time.
function(summand_cold target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
endfunction()

# Reading Eigen and the standard library is most of what a file costs (2 of 3 seconds), so it is done once for all targets of
# a kind, which have the same flags: hot, cold, test. Not with ccache, which shares nothing that was compiled with such headers,
# and not where warnings are errors: g++ 12 forgets which of them are silent in the standard library.
set(SUMMAND_COMMON_HEADERS <algorithm> <cmath> <cstdint> <functional> <map> <memory> <numeric> <optional> <stop_token> <string>
  <utility> <variant> <vector> <Eigen/Core>)
function(summand_precompile target kind)
  if(CMAKE_CXX_COMPILER_LAUNCHER MATCHES "ccache" OR SUMMAND_WERROR)
    return()
  endif()
  get_property(first GLOBAL PROPERTY SUMMAND_PRECOMPILED_${kind})
  if(first)
    target_precompile_headers(${target} REUSE_FROM ${first})
  else()
    target_precompile_headers(${target} PRIVATE ${SUMMAND_COMMON_HEADERS} ${ARGN})
    set_property(GLOBAL PROPERTY SUMMAND_PRECOMPILED_${kind} ${target})
  endif()
endfunction()

function(summand_make_cold target)
  summand_cold(${target})
  summand_precompile(${target} cold <filesystem> <nlohmann/json.hpp>)
endfunction()

# COLD: all of it; COLD_SOURCES: those that read and write texts.
function(summand_module name)
  cmake_parse_arguments(arg "COLD" "" "SOURCES;COLD_SOURCES;DEPENDS;LINK" ${ARGN})
  add_library(summand_${name} OBJECT ${arg_SOURCES})
  target_link_libraries(summand_${name} PUBLIC summand_flags ${arg_LINK})
  foreach(dependency IN LISTS arg_DEPENDS)
    target_link_libraries(summand_${name} PUBLIC summand_${dependency})
  endforeach()
  summand_warnings(summand_${name})
  if(arg_COLD)
    summand_make_cold(summand_${name})
  else()
    summand_precompile(summand_${name} hot)
  endif()
  if(arg_COLD_SOURCES)
    add_library(summand_${name}_texts OBJECT ${arg_COLD_SOURCES})
    target_link_libraries(summand_${name}_texts PRIVATE summand_${name})
    summand_warnings(summand_${name}_texts)
    summand_make_cold(summand_${name}_texts)
  endif()
endfunction()

# summand_test(model SOURCES a_test.cpp LINK summand_problems LABELS fast) makes the program test_model; every TEST in it
# becomes a CTest test. Label `slow` keeps a test out of the sanitizer runs. POSTGRES: CTest starts a PostgreSQL server before.
function(summand_test name)
  cmake_parse_arguments(arg "POSTGRES" "" "SOURCES;LINK;LABELS;DEFINITIONS" ${ARGN})
  add_executable(test_${name} ${arg_SOURCES})
  target_link_libraries(test_${name} PRIVATE summand::summand GTest::gtest_main ${arg_LINK})
  target_include_directories(test_${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_compile_definitions(test_${name} PRIVATE SUMMAND_GOLDEN_DIR="${PROJECT_SOURCE_DIR}/tests/golden" ${arg_DEFINITIONS})
  summand_cold(test_${name})
  if("fast" IN_LIST arg_LABELS)
    add_dependencies(fast_tests test_${name})
  endif()
  summand_warnings(test_${name})
  summand_precompile(test_${name} test <gtest/gtest.h>)
  set(server "")
  if(arg_POSTGRES)
    target_compile_definitions(test_${name} PRIVATE SUMMAND_POSTGRES_SERVER="${PROJECT_SOURCE_DIR}/tests/support/postgres_server.sh")
  endif()
  if(arg_POSTGRES AND SUMMAND_WITH_POSTGRES)
    target_compile_definitions(test_${name} PRIVATE SUMMAND_TEST_POSTGRES="${PROJECT_BINARY_DIR}/postgres")
    target_link_libraries(test_${name} PRIVATE PostgreSQL::PostgreSQL)
    set(server FIXTURES_REQUIRED postgres)
  endif()
  gtest_discover_tests(test_${name} TEST_PREFIX ${name}: PROPERTIES LABELS "${arg_LABELS}" ${server} TIMEOUT 600 DISCOVERY_TIMEOUT 60)
endfunction()
