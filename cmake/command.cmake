# The command, and its man page and completions, which are generated from its option tables.
if(NOT TARGET carom)
    return()
endif()

file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/cli/*.c")
add_executable(carom_command ${sources})
set_target_properties(carom_command PROPERTIES OUTPUT_NAME carom)
target_link_libraries(carom_command PRIVATE carom_flags carom ${CMAKE_DL_LIBS})
target_compile_options(carom_command PRIVATE ${CAROM_FAST_BUILD})
if(MPI_C_FOUND)
    add_library(carom_mpi MODULE # loaded under mpirun only
        "${PROJECT_SOURCE_DIR}/cli/mpi/team.c" "${PROJECT_SOURCE_DIR}/src/parallel/mpi/links.c")
    target_link_libraries(carom_mpi PRIVATE carom_flags MPI::MPI_C)
    add_dependencies(carom_command carom_mpi)
endif()
file(RELATIVE_PATH library_from_bin "/${CMAKE_INSTALL_BINDIR}" "/${CMAKE_INSTALL_LIBDIR}")
set_target_properties(carom_command PROPERTIES INSTALL_RPATH "$ORIGIN/${library_from_bin}")

set(share "${PROJECT_BINARY_DIR}/share")
file(MAKE_DIRECTORY "${share}")
add_custom_command(
    OUTPUT "${share}/carom.1" "${share}/carom.bash" "${share}/_carom" "${share}/carom.fish"
    COMMAND carom_command help --man > "${share}/carom.1"
    COMMAND carom_command help --completion bash > "${share}/carom.bash"
    COMMAND carom_command help --completion zsh > "${share}/_carom"
    COMMAND carom_command help --completion fish > "${share}/carom.fish"
    DEPENDS carom_command VERBATIM COMMENT "Generating the man page and completions")
add_custom_target(carom_share ALL
    DEPENDS "${share}/carom.1" "${share}/carom.bash" "${share}/_carom" "${share}/carom.fish")
