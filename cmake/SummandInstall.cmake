# Headers, the two archives, summandConfig.cmake and summand.pc. tests/consumer is a project that uses them.
include(CMakePackageConfigHelpers)
set(SUMMAND_NEEDS_SQLITE OFF)
set(SUMMAND_PC_REQUIRES "")
if(TARGET summand_storage)
  set(SUMMAND_NEEDS_SQLITE ON)
  set(SUMMAND_PC_REQUIRES ", sqlite3")
  if(SUMMAND_WITH_POSTGRES)
    string(APPEND SUMMAND_PC_REQUIRES ", libpq")
  endif()
endif()
install(TARGETS summand_flags summand_engine summand_all EXPORT summandTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/src/summand DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp")
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
