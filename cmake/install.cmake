if(NOT TARGET carom)
    return()
endif()
include(CMakePackageConfigHelpers)

install(TARGETS carom EXPORT caromTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS carom_command RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
if(TARGET carom_mpi)
    install(TARGETS carom_mpi LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()
install(FILES include/carom/carom.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/carom)
install(FILES LICENSE CITATION.cff DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DOCDIR})

set(share "${PROJECT_BINARY_DIR}/share")
install(FILES "${share}/carom.1" DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES "${share}/carom.bash" DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME carom)
install(FILES "${share}/_carom" DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(FILES "${share}/carom.fish" DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)

# find_package(carom) gives carom::carom.
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/carom)
install(EXPORT caromTargets NAMESPACE carom:: DESTINATION ${package_dir})
configure_package_config_file(cmake/caromConfig.cmake.in "${PROJECT_BINARY_DIR}/caromConfig.cmake"
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file("${PROJECT_BINARY_DIR}/caromConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/caromConfig.cmake" "${PROJECT_BINARY_DIR}/caromConfigVersion.cmake"
        DESTINATION ${package_dir})

# The pkg-config file determines its own prefix, so that an installed tree can be moved.
file(RELATIVE_PATH PREFIX_FROM_PC "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
string(REGEX REPLACE "/$" "" PREFIX_FROM_PC "${PREFIX_FROM_PC}")
configure_file(cmake/carom.pc.in "${PROJECT_BINARY_DIR}/carom.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/carom.pc" DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
