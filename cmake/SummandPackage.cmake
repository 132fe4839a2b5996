# `cpack --config build/release/CPackConfig.cmake` makes summand_VERSION_ARCH.deb and summand-VERSION-Linux.tar.gz: the command
# with its manual page and completion scripts, headers and libraries. scripts/build_package.sh does it and tries the result.
set(CPACK_GENERATOR DEB TGZ)
set(CPACK_PACKAGE_CONTACT "The Summand project")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "libeigen3-dev, libsqlite3-dev")  # for programs that embed the library
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
include(CPack)
