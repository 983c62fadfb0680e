# One process per test. tests/{unit,physics,parallel}/test_*.c link carom_inside; tests/*/test_*.{sh,py} and the cases of
# tests/cli run the built command; tests/fuzz/fuzz_*.c run their checked-in seeds, or fuzz (CAROM_FUZZ).
#
# Three tiers: `make test` omits tests with the label `long`, `.ci/run` those with the label `slow`, `make test-all` runs
# all. A test is long as a whole (long_tests, of which slow_tests are slow, and ci_tests) or in part: then NAME runs its quick part
# (CAROM_TIER=quick), NAME_ci, which is long, a second one (CAROM_TIER=ci) and NAME_long, which is slow, the rest
# (CAROM_TIER=long); by hand, without CAROM_TIER, it runs all. C programs with a suite_ci_case or a suite_long_case have
# such parts, and so have divided_for_ci (NAME_ci) and divided_tests (NAME_long).
# Under the sanitizers `.ci/run` omits what is slow or heavy: long_tests and heavy_tests.
if(EXISTS /usr/bin/python3 AND NOT DEFINED Python3_EXECUTABLE)
    set(Python3_EXECUTABLE /usr/bin/python3) # the system's modules belong to the system's interpreter
endif()
find_package(Python3 COMPONENTS Interpreter QUIET)
set(test_environment
    "CAROM_SOURCE=${PROJECT_SOURCE_DIR}" "CAROM_BUILD=${PROJECT_BINARY_DIR}" "CAROM_SANITIZE=$<BOOL:${CAROM_SANITIZE}>"
    "CK_DEFAULT_TIMEOUT=300" "UBSAN_OPTIONS=print_stacktrace=1" "ASAN_OPTIONS=allocator_may_return_null=1"
    "LSAN_OPTIONS=print_suppressions=0:suppressions=${PROJECT_SOURCE_DIR}/tests/support/lsan.supp")
if(TARGET carom_command)
    list(APPEND test_environment "CAROM=$<TARGET_FILE:carom_command>")
endif()

set(long_tests cli_bad_starts cli_checksums cli_killed cli_render cli_short_disk cli_short_memory cli_stress cli_sweep_goes_on cli_sweep_mpi
    cli_tampered cli_variational_ends
    test_broad_phase test_configure test_experiments
    test_experiments_aggregation test_experiments_variational test_install test_kills test_layers test_mpirun
    test_python_matrix test_ranks_command test_site test_sweeps
    test_view_live test_view_page test_wheel)
set(slow_tests test_python_matrix test_site)
set(ci_tests cli_aggregation_killed test_dilute test_flow_features test_golden_pictures test_granular_peer test_metadata test_particle_order
    test_peak_memory test_verify_terminal test_view_safety)
# Under the sanitizers they take minutes each; `.ci/run` leaves them out there (its thread sanitizer runs the threads of two of them).
set(heavy_tests test_domains test_golden_pictures test_recuts test_thin_halos)
set(divided_tests test_damaged test_docs_blocks test_examples test_extending test_feature_pairs test_feature_pairs_forces test_flow_features
    test_mutated_scenes)
set(divided_for_ci test_docs_blocks test_starters)

function(carom_add_part name labels tier)
    add_test(NAME ${name} COMMAND ${ARGN} WORKING_DIRECTORY "${PROJECT_BINARY_DIR}")
    set_tests_properties(${name} PROPERTIES LABELS "${labels}" TIMEOUT 600 SKIP_RETURN_CODE 77
                         ENVIRONMENT "${test_environment};CAROM_TIER=${tier}")
endfunction()

function(carom_add_test name label)
    set(parts "")
    if(name IN_LIST divided_tests)
        list(APPEND parts suite_long_case)
    endif()
    if(name IN_LIST divided_for_ci)
        list(APPEND parts suite_ci_case)
    endif()
    if(TARGET ${name} AND NOT parts)
        get_target_property(sources ${name} SOURCES)
        list(GET sources 0 source)
        file(STRINGS "${source}" included REGEX "#include \"test_")
        if(included) # the same test in another dimension
            string(REGEX REPLACE "_3d\\.c$" ".c" source "${source}")
        endif()
        file(STRINGS "${source}" parts REGEX "suite_(ci|long)_case\\(")
    endif()
    if(name IN_LIST heavy_tests OR name IN_LIST long_tests)
        list(APPEND label heavy)
    endif()
    if(name IN_LIST slow_tests)
        list(APPEND label slow)
    endif()
    if(name IN_LIST long_tests OR name IN_LIST ci_tests)
        list(APPEND label long)
    endif()
    if(parts)
        carom_add_part(${name} "${label}" quick ${ARGN})
        if(parts MATCHES "suite_ci_case")
            carom_add_part(${name}_ci "${label};long" ci ${ARGN})
        endif()
        if(parts MATCHES "suite_long_case")
            carom_add_part(${name}_long "${label};long;slow" long ${ARGN})
        endif()
    else()
        carom_add_part(${name} "${label}" all ${ARGN})
    endif()
    if(TARGET ${name})
        set_target_properties(${name} PROPERTIES LINK_DEPENDS_NO_SHARED TRUE) # a new library is no reason to link again
        if(NOT name IN_LIST long_tests)
            add_dependencies(quick_tests ${name})
        endif()
    endif()
endfunction()

# The target that `make test` builds.
add_custom_target(quick_tests)
if(TARGET carom_command)
    add_dependencies(quick_tests carom_command carom_share bench_broad_phase_3d) # the last: test_papers looks for it
endif()

if(CAROM_TESTS)
    pkg_check_modules(CHECK IMPORTED_TARGET check)
    if(NOT CHECK_FOUND)
        message(STATUS "No unit tests: the Check library is missing (tools/setup.sh test installs it)")
    endif()
    foreach(label unit physics parallel)
        if(NOT CHECK_FOUND)
            break()
        endif()
        file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/${label}/test_*.c")
        foreach(source ${sources})
            get_filename_component(name ${source} NAME_WE)
            add_executable(${name} ${source})
            target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}/tests")
            target_compile_definitions(${name} PRIVATE CAROM_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
            target_link_libraries(${name} PRIVATE carom_flags carom_inside PkgConfig::CHECK)
            target_compile_options(${name} PRIVATE ${CAROM_TEST_BUILD})
            carom_add_test(${name} ${label} ${name})
        endforeach()
    endforeach()

    # The library that kills.py preloads; the library of a sanitizer would have to precede it.
    if(TARGET carom_command AND NOT CAROM_SANITIZE)
        add_library(at_operation MODULE "${PROJECT_SOURCE_DIR}/tests/collections/at_operation.c")
        target_link_libraries(at_operation PRIVATE ${CMAKE_DL_LIBS})
        add_dependencies(quick_tests at_operation)
    endif()

    if(TARGET carom_mpi)
        add_executable(mpi_ranks "${PROJECT_SOURCE_DIR}/tests/parallel/mpi_ranks.c")
        target_link_libraries(mpi_ranks PRIVATE carom_flags carom_inside)
        add_dependencies(mpi_ranks carom_mpi)
        file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/cli/*.c")
        add_executable(carom_signalled ${sources} "${PROJECT_SOURCE_DIR}/tests/parallel/signalled.c")
        target_link_libraries(carom_signalled PRIVATE carom_flags carom_inside MPI::MPI_C)
        target_compile_options(carom_signalled PRIVATE ${CAROM_TEST_BUILD})
        add_dependencies(quick_tests mpi_ranks carom_signalled)
    endif()

    if(TARGET carom_command)
        file(GLOB scripts CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/*/test_*.sh")
        foreach(script ${scripts})
            get_filename_component(name ${script} NAME_WE)
            carom_add_test(${name} script bash ${script})
        endforeach()
        file(GLOB scripts CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/*/test_*.py")
        foreach(script ${scripts})
            get_filename_component(name ${script} NAME_WE)
            if(Python3_FOUND)
                carom_add_test(${name} script ${Python3_EXECUTABLE} ${script})
            endif()
        endforeach()
        if(TEST test_docs_blocks_long)
            set_tests_properties(test_docs_blocks_long PROPERTIES TIMEOUT 3600) # a quarter of an hour of an idle machine
            set_tests_properties(test_site PROPERTIES TIMEOUT 1800)             # two minutes of an idle machine
        endif()
        if(TEST test_extending_long)
            set_tests_properties(test_extending_long PROPERTIES TIMEOUT 1800) # it builds the tree again
        endif()
        if(TEST test_wheel)
            set_tests_properties(test_wheel PROPERTIES TIMEOUT 1800) # it builds the library again
        endif()
        # Ranks and threads that wait for each other at each window take minutes beside other processes.
        foreach(name test_ranks_command test_mpirun test_domains_long test_thin_halos_long)
            if(TEST ${name})
                set_tests_properties(${name} PROPERTIES PROCESSORS 2 TIMEOUT 1800)
            endif()
        endforeach()
        file(GLOB cases CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/cli/cases/*.sh")
        foreach(case ${cases})
            get_filename_component(name ${case} NAME_WE)
            carom_add_test(cli_${name} cli bash "${PROJECT_SOURCE_DIR}/tests/cli/run.sh" ${name})
        endforeach()
    endif()
endif()

# The package for Python, with the library of this build. A module with a test that is marked @long has two parts.
if(CAROM_TESTS AND TARGET carom AND TARGET carom_command AND Python3_FOUND)
    add_dependencies(quick_tests carom)
    file(GLOB modules CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/python/tests/test_*.py")
    set(python_environment "CAROM_LIBRARY=$<TARGET_FILE:carom>")
    if(CAROM_SANITIZE) # its library has to be the first, and the interpreter leaks
        execute_process(COMMAND ${CMAKE_C_COMPILER} -print-file-name=libasan.so OUTPUT_VARIABLE asan
                        OUTPUT_STRIP_TRAILING_WHITESPACE)
        list(APPEND python_environment "LD_PRELOAD=${asan}" "ASAN_OPTIONS=allocator_may_return_null=1:detect_leaks=0")
    endif()
    foreach(module ${modules})
        get_filename_component(module_name ${module} NAME_WE)
        string(REGEX REPLACE "^test_" "python_" name ${module_name})
        set(run ${Python3_EXECUTABLE} "${PROJECT_SOURCE_DIR}/python/tests/run.py" ${module_name})
        file(STRINGS "${module}" parts REGEX "^ *@long")
        carom_add_part(${name} python quick ${run})
        set_property(TEST ${name} APPEND PROPERTY ENVIRONMENT ${python_environment})
        if(parts)
            carom_add_part(${name}_long "python;long;slow" long ${run})
            set_property(TEST ${name}_long APPEND PROPERTY ENVIRONMENT ${python_environment})
        endif()
    endforeach()
endif()

# Wrong calls of every function of carom.h, written from the header.
if(Python3_FOUND)
    set(calls "${PROJECT_SOURCE_DIR}/tests/calls")
    set(written "${PROJECT_BINARY_DIR}/calls")
    add_custom_command(OUTPUT "${written}/calls.inc"
        COMMAND ${CMAKE_COMMAND} -E make_directory "${written}"
        COMMAND ${Python3_EXECUTABLE} "${calls}/generate.py" "${PROJECT_SOURCE_DIR}/include/carom/carom.h"
                "${written}/calls.inc"
        DEPENDS "${calls}/generate.py" "${PROJECT_SOURCE_DIR}/tools/c_declarations.py" "${PROJECT_SOURCE_DIR}/include/carom/carom.h"
        VERBATIM
        COMMENT "Writing the wrong calls of carom.h")
    add_custom_target(test_calls_written DEPENDS "${written}/calls.inc")
    add_dependencies(carom_generated test_calls_written)
    add_executable(test_calls "${calls}/calls.c" "${calls}/values.c" "${calls}/world.c" "${written}/calls.inc")
    target_include_directories(test_calls PRIVATE "${calls}" "${written}")
    target_link_libraries(test_calls PRIVATE carom_flags carom)
    carom_add_test(test_calls unit test_calls)
endif()

file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/fuzz/fuzz_*.c")
foreach(source ${sources})
    get_filename_component(name ${source} NAME_WE)
    add_executable(${name} ${source})
    target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}/tests")
    target_link_libraries(${name} PRIVATE carom_flags $<IF:$<BOOL:${CAROM_FUZZ}>,carom_objects,carom_inside>)
    set(seeds "${PROJECT_SOURCE_DIR}/tests/fuzz/seeds/${name}")
    if(NOT EXISTS "${seeds}")
        set(seeds "")
    endif()
    if(CAROM_FUZZ)
        target_link_options(${name} PRIVATE -fsanitize=fuzzer)
        carom_add_test(${name} fuzz ${name} -runs=0 ${seeds})
    else()
        target_sources(${name} PRIVATE "${PROJECT_SOURCE_DIR}/tests/fuzz/replay.c")
        carom_add_test(${name} fuzz ${name} ${seeds})
    endif()
endforeach()
