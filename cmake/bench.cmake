# Benchmarks of single parts (bench/*.c); bench/*.yaml are scenes for the command.
file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/bench/*.c")
foreach(source ${sources})
    get_filename_component(name ${source} NAME_WE)
    add_executable(bench_${name} ${source})
    target_link_libraries(bench_${name} PRIVATE carom_flags carom_objects)
endforeach()

# Programs of experiments/aggregation_convergence.py: the solvers of time stepping with output of each iterate, and prototypes.
add_executable(solver_iterates experiments/solver_iterates.c experiments/stochastic.c)
target_compile_definitions(solver_iterates PRIVATE CAROM_DIM=2)
target_link_libraries(solver_iterates PRIVATE carom_flags carom_objects)

# Program of experiments/impact_clock.py: the stable rule with a clock that is never set back.
add_executable(one_clock experiments/one_clock.c)
target_link_libraries(one_clock PRIVATE carom_flags carom_objects)

# The broad phase of variational contact in comparison with that of the paper: compiled for 2D and 3D together with the
# kernel, with the files of bench/broad_phase/observed in place of those of the kernel.
foreach(dimension 2 3)
    set(name bench_broad_phase_${dimension}d)
    add_executable(${name} "${PROJECT_SOURCE_DIR}/bench/broad_phase/main.c")
    target_compile_definitions(${name} PRIVATE CAROM_DIM=${dimension} CAROM_CONTACT=0)
    target_include_directories(${name} BEFORE PRIVATE "${PROJECT_SOURCE_DIR}/bench/broad_phase/observed")
    target_link_libraries(${name} PRIVATE carom_flags carom_objects)
endforeach()
