# One object library a room of src/, the kernels once per dimension and precision, all gathered twice: as the static
# carom_objects that unit tests link (everything visible), and as libcarom.so (only what CAROM_API marks).
set(CAROM_SRC "${PROJECT_SOURCE_DIR}/src")
if(CAROM_MUTANTS)
    include(mutants)
endif()
set(CAROM_ROOMS base geometry mesh queue neighbors scene sweep frame engine hard aggregation variational measure output view sim)

add_library(carom_common INTERFACE)
target_include_directories(carom_common INTERFACE
    "${PROJECT_SOURCE_DIR}/include" "${CAROM_SRC}")
target_include_directories(carom_common SYSTEM INTERFACE "${RANDOM123_INCLUDE_DIR}")
target_link_libraries(carom_common INTERFACE PkgConfig::YAML PkgConfig::HDF5 PkgConfig::JANSSON Threads::Threads m)
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
    set(CAROM_PARTS ${CAROM_PARTS} $<TARGET_OBJECTS:${name}> PARENT_SCOPE)
endfunction()

foreach(room ${CAROM_ROOMS})
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${CAROM_SRC}/${room}/*.c")
    list(FILTER sources EXCLUDE REGEX "/${room}/kernel/")
    if(sources)
        carom_part(room_${room} ${sources})
    endif()
    if(room STREQUAL "view" AND CAIRO_FOUND)
        target_compile_definitions(room_view PRIVATE CAROM_HAVE_CAIRO=1)
        target_include_directories(room_view SYSTEM PRIVATE ${CAIRO_INCLUDE_DIRS})
    endif()

    # src/<room>/kernel/: CAROM_DIM is 2 or 3. Those of `hard` also for CAROM_REAL 0 double, 1 long double, 2 quad,
    # 3 float; in double for each level of the instruction set as well (CAROM_ISA: 0 any machine, 3 AVX2, 4 AVX-512), with
    # the same bits. Of `aggregation`, events/ is compiled again for clusters that turn (CAROM_ROTATING), with the files of
    # rotating/ in place of those that have the same name. Those of `variational` again for CAROM_CONTACT 1 and 2, which
    # are variational.contact: impulses, realigned.
    file(GLOB_RECURSE kernels CONFIGURE_DEPENDS "${CAROM_SRC}/${room}/kernel/*.c")
    set(turning ${kernels})
    list(FILTER turning INCLUDE REGEX "/kernel/(events|rotating)/")
    set(rotating ${kernels})
    list(FILTER rotating INCLUDE REGEX "/kernel/rotating/")
    list(REMOVE_ITEM kernels ${rotating})
    foreach(file ${rotating})
        string(REPLACE "/rotating/" "/events/" replaced "${file}")
        list(REMOVE_ITEM turning "${replaced}")
    endforeach()
    set(reals 0)
    if(room STREQUAL "hard")
        set(reals 0 1 2 3)
    endif()
    if(kernels)
        foreach(dimension 2 3)
            foreach(real ${reals})
                if(NOT room STREQUAL "hard")
                    set(levels 0)
                elseif(real EQUAL 0)
                    set(levels 0 ${CAROM_ISA_LEVELS})
                elseif(NOT real EQUAL 2 OR HAVE_QUAD)
                    set(levels 0)
                else()
                    set(levels)
                endif()
                foreach(isa ${levels})
                    set(part kernel_${room}_${dimension}d_real${real}_isa${isa})
                    carom_part(${part} ${kernels})
                    target_compile_definitions(${part} PRIVATE CAROM_DIM=${dimension} CAROM_REAL=${real} CAROM_ISA=${isa}
                        CAROM_ROTATING=0 CAROM_CONTACT=0)
                    target_compile_options(${part} PRIVATE ${CAROM_ISA_FLAGS_${isa}})
                endforeach()
            endforeach()
            if(room STREQUAL "variational")
                foreach(contact 1 2)
                    set(part kernel_${room}_${dimension}d_contact${contact})
                    carom_part(${part} ${kernels})
                    target_compile_definitions(${part} PRIVATE CAROM_DIM=${dimension} CAROM_REAL=0 CAROM_ISA=0
                        CAROM_ROTATING=0 CAROM_CONTACT=${contact})
                endforeach()
            endif()
            if(rotating)
                carom_part(kernel_${room}_${dimension}d_rotating ${turning})
                target_compile_definitions(kernel_${room}_${dimension}d_rotating PRIVATE
                    CAROM_DIM=${dimension} CAROM_REAL=0 CAROM_ISA=0 CAROM_ROTATING=1)
            endif()
        endforeach()
    endif()
endforeach()

# The commit is looked up whenever something is built; version.c changes only when the commit does.
set(version_source "${PROJECT_BINARY_DIR}/version.c")
add_custom_target(carom_commit
    COMMAND ${CMAKE_COMMAND} -DSOURCE_DIR=${PROJECT_SOURCE_DIR} -DVERSION=${PROJECT_VERSION} -DOUTPUT=${version_source}
            -P "${PROJECT_SOURCE_DIR}/cmake/commit.cmake"
    BYPRODUCTS "${version_source}" COMMENT "" VERBATIM)
carom_part(room_version "${version_source}")
add_dependencies(room_version carom_commit)

# The live page, in the program.
file(GLOB assets CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/web/*.html" "${PROJECT_SOURCE_DIR}/web/*.css"
     "${PROJECT_SOURCE_DIR}/web/*.js" "${PROJECT_SOURCE_DIR}/web/*.svg")
set(assets_source "${PROJECT_BINARY_DIR}/assets.c")
add_custom_command(OUTPUT "${assets_source}"
    COMMAND ${CMAKE_COMMAND} "-DASSETS=${assets}" -DOUTPUT=${assets_source} -P "${PROJECT_SOURCE_DIR}/cmake/assets.cmake"
    DEPENDS ${assets} "${PROJECT_SOURCE_DIR}/cmake/assets.cmake" COMMENT "Putting the live page into the program" VERBATIM)
carom_part(room_assets "${assets_source}")

# The scenes of `carom init`, and the guides that `carom help` searches.
function(carom_texts table)
    set(source "${PROJECT_BINARY_DIR}/${table}.c")
    add_custom_command(OUTPUT "${source}"
        COMMAND ${CMAKE_COMMAND} "-DFILES=${ARGN}" -DTABLE=${table} -DOUTPUT=${source} -P "${PROJECT_SOURCE_DIR}/cmake/texts.cmake"
        DEPENDS ${ARGN} "${PROJECT_SOURCE_DIR}/cmake/texts.cmake" COMMENT "Putting the ${table} into the program" VERBATIM)
    carom_part(room_${table} "${source}")
    set(CAROM_PARTS ${CAROM_PARTS} PARENT_SCOPE)
endfunction()
file(GLOB starter_files CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/sim/starters/*.yaml")
carom_texts(starters ${starter_files})
set(guide_files "")
foreach(guide manual formats sweep meshes shape view pictures variational aggregation)
    list(APPEND guide_files "${PROJECT_SOURCE_DIR}/docs/${guide}.md")
endforeach()
carom_texts(guides ${guide_files})

if(CAROM_MUTANTS)
    carom_part(room_mutants "${CAROM_MUTANT_SWITCH}")
endif()

add_library(carom_objects STATIC ${CAROM_PARTS})
target_link_libraries(carom_objects PUBLIC carom_common)

# The library itself exists from the moment that something implements the public header.
if(EXISTS "${PROJECT_SOURCE_DIR}/src/sim/sim.c")
    add_library(carom SHARED ${CAROM_PARTS})
    add_library(carom::carom ALIAS carom)
    set_target_properties(carom PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})
    target_link_libraries(carom PRIVATE $<BUILD_INTERFACE:carom_common>)
    target_include_directories(carom PUBLIC
        $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
    if(NOT CAROM_SANITIZE AND NOT CAROM_FUZZ)
        target_link_options(carom PRIVATE LINKER:--no-undefined)
    endif()
endif()
