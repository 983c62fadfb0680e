# One object library for each module of src/ and for each variant of a kernel, linked three times: as libcarom.so,
# which exports the functions marked CAROM_API; as the shared carom_inside, which exports all, for the tests; and as the static
# carom_objects, for benchmarks, experiments and libFuzzer. Their symbols are `protected`: the same machine
# code as `hidden`, but the linker may export them.
set(CAROM_SRC "${PROJECT_SOURCE_DIR}/src")
if(CAROM_MUTANTS)
    include(mutants)
endif()
file(GLOB CAROM_MODULES CONFIGURE_DEPENDS RELATIVE "${CAROM_SRC}" "${CAROM_SRC}/*")

add_library(carom_common INTERFACE)
target_include_directories(carom_common INTERFACE
    "${PROJECT_SOURCE_DIR}/include" "${CAROM_SRC}")
target_include_directories(carom_common SYSTEM INTERFACE "${RANDOM123_INCLUDE_DIR}")
target_link_libraries(carom_common INTERFACE PkgConfig::YAML PkgConfig::HDF5 PkgConfig::JANSSON PkgConfig::ZLIB Threads::Threads
                      m)
if(OpenMP_C_FOUND)
    target_link_libraries(carom_common INTERFACE OpenMP::OpenMP_C)
else()
    target_compile_options(carom_common INTERFACE -Wno-unknown-pragmas)
endif()
target_link_libraries(carom_common INTERFACE ${CMAKE_DL_LIBS}) # view/canvas.c loads cairo when it draws
if(HAVE_QUAD)
    target_compile_definitions(carom_common INTERFACE CAROM_HAVE_QUAD=1)
    target_link_libraries(carom_common INTERFACE quadmath)
    if(QUAD_INCLUDE_DIR)
        target_include_directories(carom_common SYSTEM INTERFACE "${QUAD_INCLUDE_DIR}")
    endif()
endif()

set(CAROM_PARTS "")
function(carom_part name)
    add_library(${name} OBJECT ${ARGN})
    target_link_libraries(${name} PRIVATE carom_flags carom_common)
    set_target_properties(${name} PROPERTIES C_VISIBILITY_PRESET protected)
    set(CAROM_PARTS ${CAROM_PARTS} $<TARGET_OBJECTS:${name}> PARENT_SCOPE)
endfunction()

# Code that takes a small part of runs: its size matters for the wheel.
set(CAROM_COLD_FOLDERS "/src/(scene|output|measure|sim|sweep|view/plot|view/server|hard|aggregation|variational)/")
set(CAROM_COLD_FILES "/src/(frame/[a-z_]*_(api|log)|mesh/(make_[a-z]+|gmsh|obj|off|ply|stl|write)|view/[a-z_]+)[.]c")

set(CAROM_SMALL_FOLDERS "/src/(output|scene/language|sim|sweep|view/plot|view/server)/") # they run once, or once a frame

foreach(module ${CAROM_MODULES})
    # The files of a module and of its folders, without kernel/ (below).
    file(GLOB sources CONFIGURE_DEPENDS "${CAROM_SRC}/${module}/*.c" "${CAROM_SRC}/${module}/*/*.c")
    list(FILTER sources EXCLUDE REGEX "/src/(${module}/kernel|parallel/mpi)/")
    if(sources)
        carom_part(module_${module} ${sources})
        foreach(source ${sources})
            if(source MATCHES "${CAROM_SMALL_FOLDERS}")
                set_property(SOURCE "${source}" APPEND PROPERTY COMPILE_OPTIONS ${CAROM_SMALL_BUILD})
            elseif(source MATCHES "${CAROM_COLD_FOLDERS}" OR source MATCHES "${CAROM_COLD_FILES}")
                set_property(SOURCE "${source}" APPEND PROPERTY COMPILE_OPTIONS ${CAROM_FAST_BUILD})
            endif()
        endforeach()
    endif()
    if(module STREQUAL "view" AND CAIRO_FOUND)
        target_compile_definitions(module_view PRIVATE CAROM_HAVE_CAIRO=1 "CAROM_CAIRO_LIBRARY=\"${CAROM_CAIRO_LIBRARY}\"")
        target_include_directories(module_view SYSTEM PRIVATE ${CAIRO_INCLUDE_DIRS})
    endif()
endforeach()

# ---- kernels -----------------------------------------------------------------------------------------------------------

# carom_kernel(NAME SOURCES file... DEFINE macro=value... [OPTIONS flag...]): one variant of a kernel, an object library of
# its own. Compile-time parameters of the kernels: CAROM_DIM (2 or 3), CAROM_REAL (the number type, base/real.h), CAROM_ISA
# (instruction set; 0: any machine), CAROM_REMEDIES (the historic rules of hard.detection), CAROM_CONTACT (variational.contact).
function(carom_kernel name)
    cmake_parse_arguments(PARSE_ARGV 1 kernel "" "" "SOURCES;DEFINE;OPTIONS")
    carom_part(${name} ${kernel_SOURCES})
    set(macros CAROM_DIM CAROM_REAL=0 CAROM_ISA=0 CAROM_REMEDIES=0 CAROM_CONTACT=0)
    foreach(macro ${kernel_DEFINE})
        string(REGEX REPLACE "=.*" "" given "${macro}")
        list(FILTER macros EXCLUDE REGEX "^${given}")
    endforeach()
    target_compile_definitions(${name} PRIVATE ${macros} ${kernel_DEFINE})
    target_compile_options(${name} PRIVATE ${kernel_OPTIONS})
    set(CAROM_PARTS ${CAROM_PARTS} PARENT_SCOPE)
endfunction()

# A file kernel.c includes the others of its kernel: one translation unit per variant. Variants of `hard`: for each dimension, number
# type (0 double; for experiments, 1 long double, 2 quad, 3 float) and, in double, level of the instruction set (0 any machine, 3 AVX2,
# 4 AVX-512); all levels give the same bits. In double, the historic rules of hard.detection have separate kernels.
foreach(dimension 2 3)
    foreach(real 0 1 2 3)
        set(levels 0)
        set(remedies 1)
        if(real EQUAL 0)
            set(remedies 0)
            set(levels 0 ${CAROM_ISA_LEVELS})
        elseif(real EQUAL 2 AND NOT HAVE_QUAD)
            set(levels)
        endif()
        foreach(isa ${levels})
            carom_kernel(kernel_hard_${dimension}d_real${real}_isa${isa} SOURCES "${CAROM_SRC}/hard/kernel/kernel.c"
                DEFINE CAROM_DIM=${dimension} CAROM_REAL=${real} CAROM_ISA=${isa} CAROM_REMEDIES=${remedies}
                OPTIONS ${CAROM_ISA_FLAGS_${isa}})
            if(NOT real EQUAL 0)
                target_compile_options(kernel_hard_${dimension}d_real${real}_isa${isa} PRIVATE ${CAROM_SMALL_BUILD})
            endif()
        endforeach()
    endforeach()
    carom_kernel(kernel_hard_${dimension}d_remedies SOURCES "${CAROM_SRC}/hard/kernel/kernel.c"
        DEFINE CAROM_DIM=${dimension} CAROM_REMEDIES=1)
    target_compile_options(kernel_hard_${dimension}d_remedies PRIVATE ${CAROM_SMALL_BUILD})
endforeach()

# Variants of `aggregation`: clusters that translate, clusters that rotate, time steps.
foreach(dimension 2 3)
    foreach(part events rotating steps)
        carom_kernel(kernel_aggregation_${part}_${dimension}d SOURCES "${CAROM_SRC}/aggregation/kernel/${part}/kernel.c"
            DEFINE CAROM_DIM=${dimension})
    endforeach()
endforeach()

# Variants of `variational`: for each dimension, in 3D also for AVX2, and, for experiments only, variational.contact (1 impulses,
# 2 realigned).
foreach(dimension 2 3)
    foreach(contact 0 1 2)
        carom_kernel(kernel_variational_${dimension}d_contact${contact} SOURCES "${CAROM_SRC}/variational/kernel/kernel.c"
            DEFINE CAROM_DIM=${dimension} CAROM_CONTACT=${contact})
        if(NOT contact EQUAL 0)
            target_compile_options(kernel_variational_${dimension}d_contact${contact} PRIVATE ${CAROM_SMALL_BUILD})
        endif()
    endforeach()
endforeach()
if(3 IN_LIST CAROM_ISA_LEVELS)
    carom_kernel(kernel_variational_3d_isa3 SOURCES "${CAROM_SRC}/variational/kernel/kernel.c"
        DEFINE CAROM_DIM=3 CAROM_ISA=3 OPTIONS ${CAROM_ISA_FLAGS_3})
endif()

# ---- the rest ----------------------------------------------------------------------------------------------------------

# Each build reads the commit; version.c changes only with it.
set(version_source "${PROJECT_BINARY_DIR}/version.c")
add_custom_target(carom_commit
    COMMAND ${CMAKE_COMMAND} -DSOURCE_DIR=${PROJECT_SOURCE_DIR} -DVERSION=${PROJECT_VERSION} -DOUTPUT=${version_source}
            -P "${PROJECT_SOURCE_DIR}/cmake/commit.cmake"
    BYPRODUCTS "${version_source}" COMMENT "" VERBATIM)
carom_part(module_version "${version_source}")
add_dependencies(module_version carom_commit)

# The live page is embedded in the program.
file(GLOB assets CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/web/*.html" "${PROJECT_SOURCE_DIR}/web/*.css"
     "${PROJECT_SOURCE_DIR}/web/*.js" "${PROJECT_SOURCE_DIR}/web/*.svg")
set(page "${PROJECT_BINARY_DIR}/page.html")
add_custom_command(OUTPUT "${page}"
    COMMAND ${CMAKE_COMMAND} -DFOLDER=${PROJECT_SOURCE_DIR}/web -DOUTPUT=${page} -P "${PROJECT_SOURCE_DIR}/cmake/page.cmake"
    DEPENDS ${assets} "${PROJECT_SOURCE_DIR}/cmake/page.cmake" COMMENT "Putting the page into one file" VERBATIM)
set(assets_source "${PROJECT_BINARY_DIR}/assets.c")
add_custom_command(OUTPUT "${assets_source}"
    COMMAND ${CMAKE_COMMAND} "-DASSETS=${assets}" -DPAGE=${page} -DOUTPUT=${assets_source}
            -P "${PROJECT_SOURCE_DIR}/cmake/assets.cmake"
    DEPENDS ${assets} "${page}" "${PROJECT_SOURCE_DIR}/cmake/assets.cmake" COMMENT "Putting the live page into the program" VERBATIM)
carom_part(module_assets "${assets_source}")

# The scenes of `carom init`, and the guides that `carom help` searches.
function(carom_texts table)
    set(source "${PROJECT_BINARY_DIR}/${table}.c")
    add_custom_command(OUTPUT "${source}"
        COMMAND ${CMAKE_COMMAND} "-DFILES=${ARGN}" -DTABLE=${table} -DOUTPUT=${source} -P "${PROJECT_SOURCE_DIR}/cmake/texts.cmake"
        DEPENDS ${ARGN} "${PROJECT_SOURCE_DIR}/cmake/texts.cmake" COMMENT "Putting the ${table} into the program" VERBATIM)
    carom_part(module_${table} "${source}")
    set(CAROM_PARTS ${CAROM_PARTS} PARENT_SCOPE)
endfunction()
file(GLOB starter_files CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/sim/starters/*.yaml")
carom_texts(starters ${starter_files})
set(guide_files "")
foreach(guide manual formats sweep meshes shape view pictures variational aggregation glossary extending)
    list(APPEND guide_files "${PROJECT_SOURCE_DIR}/docs/${guide}.md")
endforeach()
carom_texts(guides ${guide_files})

# What static checks need before a build.
add_custom_target(carom_generated DEPENDS "${assets_source}" "${PROJECT_BINARY_DIR}/starters.c" "${PROJECT_BINARY_DIR}/guides.c")
add_dependencies(carom_generated carom_commit)

if(CAROM_MUTANTS)
    carom_part(module_mutants "${CAROM_MUTANT_SWITCH}")
endif()

add_library(carom_objects STATIC ${CAROM_PARTS})
target_link_libraries(carom_objects PUBLIC carom_common)

# With the shared library a test has 0.1 MB and links in 0.4 s; with the static one it has 32 MB and links in 1.9 s.
if(CAROM_TESTS)
    add_library(carom_inside SHARED ${CAROM_PARTS})
    target_link_libraries(carom_inside PUBLIC carom_common)
    target_compile_options(carom_inside INTERFACE -fPIC) # the address of a protected function is that in the library
endif()

# The library is built if the source tree contains the implementation of the public header.
if(EXISTS "${PROJECT_SOURCE_DIR}/src/sim/sim.c")
    add_library(carom SHARED ${CAROM_PARTS})
    add_library(carom::carom ALIAS carom)
    set_target_properties(carom PROPERTIES VERSION ${CAROM_ABI} SOVERSION ${CAROM_ABI})
    target_link_libraries(carom PRIVATE $<BUILD_INTERFACE:carom_common>)
    target_include_directories(carom PUBLIC
        $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
    set(exports "${PROJECT_SOURCE_DIR}/cmake/exports.map")
    target_link_options(carom PRIVATE "LINKER:--version-script=${exports}")
    set_target_properties(carom PROPERTIES LINK_DEPENDS "${exports}")
    if(NOT CAROM_SANITIZE AND NOT CAROM_FUZZ)
        target_link_options(carom PRIVATE LINKER:--no-undefined)
    endif()
endif()
