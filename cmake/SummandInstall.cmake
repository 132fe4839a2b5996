# Public headers, the two archives, summandConfig.cmake and summand.pc. tests/consumer is a project that uses them.
include(CMakePackageConfigHelpers)
# summand.hpp and all it includes (tests/system/public_headers.py checks): the interface; the rest is detail. No Eigen in them.
set(SUMMAND_PUBLIC_HEADERS
  summand.hpp
  base/error.hpp
  space/goal.hpp space/parameter.hpp space/search_space.hpp space/trial.hpp
  optimizer/history.hpp optimizer/insight.hpp optimizer/options.hpp optimizer/optimizer.hpp
  executor/slurm_options.hpp storage/records.hpp
  study/any_study.hpp study/definition.hpp study/study.hpp)
set(SUMMAND_NEEDS_SQLITE OFF)
set(SUMMAND_PC_REQUIRES "")
if(TARGET summand_storage)
  set(SUMMAND_NEEDS_SQLITE ON)
  set(SUMMAND_PC_REQUIRES "sqlite3")
  if(SUMMAND_WITH_POSTGRES)
    string(APPEND SUMMAND_PC_REQUIRES ", libpq")
  endif()
endif()
install(TARGETS summand_flags summand_engine summand_all EXPORT summandTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
foreach(header IN LISTS SUMMAND_PUBLIC_HEADERS)
  get_filename_component(folder ${header} DIRECTORY)
  install(FILES ${PROJECT_SOURCE_DIR}/src/summand/${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/summand/${folder})
endforeach()
install(EXPORT summandTargets NAMESPACE summand:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/summand)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/summandConfig.cmake.in ${PROJECT_BINARY_DIR}/summandConfig.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/summand)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/summandConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/summandConfig.cmake ${PROJECT_BINARY_DIR}/summandConfigVersion.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/summand)
# The prefix is found from where the file lies, so `cmake --install --prefix DIR` works.
file(RELATIVE_PATH SUMMAND_PC_UP /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
configure_file(${PROJECT_SOURCE_DIR}/cmake/summand.pc.in ${PROJECT_BINARY_DIR}/summand.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/summand.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
