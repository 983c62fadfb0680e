# What carom stands on. tools/setup.sh installs it.
find_package(PkgConfig REQUIRED)
pkg_check_modules(YAML REQUIRED IMPORTED_TARGET yaml-0.1)
pkg_check_modules(HDF5 REQUIRED IMPORTED_TARGET hdf5)
pkg_check_modules(JANSSON REQUIRED IMPORTED_TARGET jansson)
if(CAROM_CAIRO)
    pkg_check_modules(CAIRO IMPORTED_TARGET cairo>=1.16) # without it there are no pictures
endif()
find_package(OpenMP COMPONENTS C) # without it there is one thread
find_path(RANDOM123_INCLUDE_DIR Random123/philox.h REQUIRED)

# Quad precision: gcc knows where its quadmath.h is; clang uses the same header through a forwarding one.
set(HAVE_QUAD OFF)
if(CAROM_QUAD)
    include(CheckCSourceCompiles)
    set(quad_source "#include <quadmath.h>\nint main(int c, char **v) { (void)v; return (int)sqrtq((__float128)c); }")
    set(CMAKE_REQUIRED_LIBRARIES quadmath)
    check_c_source_compiles("${quad_source}" CAROM_QUAD_PLAIN)
    if(CAROM_QUAD_PLAIN)
        set(HAVE_QUAD ON)
    else()
        execute_process(COMMAND gcc -print-file-name=include/quadmath.h OUTPUT_VARIABLE quad_header
                        OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
        if(IS_ABSOLUTE "${quad_header}" AND EXISTS "${quad_header}")
            set(QUAD_INCLUDE_DIR "${PROJECT_BINARY_DIR}/quad")
            file(WRITE "${QUAD_INCLUDE_DIR}/quadmath.h" "#include \"${quad_header}\"\n")
            set(CMAKE_REQUIRED_INCLUDES "${QUAD_INCLUDE_DIR}")
            check_c_source_compiles("${quad_source}" CAROM_QUAD_FORWARDED)
            set(HAVE_QUAD ${CAROM_QUAD_FORWARDED})
            unset(CMAKE_REQUIRED_INCLUDES)
        endif()
    endif()
    unset(CMAKE_REQUIRED_LIBRARIES)
endif()
