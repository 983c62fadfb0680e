# carom_flags: compiler flags of all sources. No contraction and no fast-math, so that the same scene
# gives the same bits with every compiler.
add_library(carom_flags INTERFACE)
target_compile_options(carom_flags INTERFACE -Wall -Wextra -Wshadow -Wconversion -ffp-contract=off
    -fno-math-errno -fno-trapping-math -Wno-psabi)
if(CAROM_WERROR)
    target_compile_options(carom_flags INTERFACE -Werror)
endif()
if(CMAKE_C_FLAGS MATCHES "-ffast-math|-Ofast|-funsafe-math" OR CMAKE_C_FLAGS_RELEASE MATCHES "-ffast-math|-Ofast")
    message(FATAL_ERROR "carom cannot be built with fast-math: its results are exact to the bit")
endif()

# Instruction sets of the double-precision kernels besides the base; hard.c chooses at run time.
set(CAROM_ISA_LEVELS "")
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    set(CAROM_ISA_LEVELS 3 4)
    set(CAROM_ISA_FLAGS_3 -mavx2 -mbmi -mbmi2)
    set(CAROM_ISA_FLAGS_4 ${CAROM_ISA_FLAGS_3} -mavx512f -mavx512dq -mavx512vl -mavx512bw -mprefer-vector-width=512)
    target_compile_definitions(carom_flags INTERFACE CAROM_HAVE_ISA_LEVELS=1)
endif()

if(CAROM_SANITIZE)
    add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer -O1)
    add_link_options(-fsanitize=address,undefined)
endif()
if(CAROM_FUZZ)
    if(NOT CMAKE_C_COMPILER_ID MATCHES "Clang")
        message(FATAL_ERROR "CAROM_FUZZ needs clang (libFuzzer): use the `fuzz` preset, or -DCMAKE_C_COMPILER=clang")
    endif()
    add_compile_options(-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined -O2)
    add_link_options(-fsanitize=address,undefined)
endif()
target_compile_definitions(carom_flags INTERFACE CAROM_INVARIANTS=$<CONFIG:Debug>)

# CAROM_FAST_BUILD: for code that takes a small part of runs (the wheel has a limit). Compilation with -O1 takes half the time of -O3.
# CAROM_TEST_BUILD: for tests. Some include a kernel, which takes a minute to compile with -O1 under the sanitizers.
# CAROM_SMALL_BUILD: for kernels that only experiments use, and code that runs once: a quarter smaller than with -O1 (the wheel has a limit).
set(CAROM_FAST_BUILD $<$<CONFIG:RelWithDebInfo,Release>:-O1>)
set(CAROM_TEST_BUILD $<IF:$<CONFIG:RelWithDebInfo,Release>,-O1,-O0>)
set(CAROM_SMALL_BUILD $<IF:$<CONFIG:RelWithDebInfo,Release>,-Os,-O0>)
