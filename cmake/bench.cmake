# Benchmarks of single parts (bench/*.c); bench/*.yaml are scenes for the command.
file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/bench/*.c")
foreach(source ${sources})
    get_filename_component(name ${source} NAME_WE)
    add_executable(bench_${name} ${source})
    target_link_libraries(bench_${name} PRIVATE carom_flags carom_objects)
endforeach()

# What experiments/aggregation_convergence.py runs: the solvers of time stepping, each iterate to be seen, and prototypes.
add_executable(solver_iterates experiments/solver_iterates.c experiments/stochastic.c)
target_compile_definitions(solver_iterates PRIVATE CAROM_DIM=2)
target_link_libraries(solver_iterates PRIVATE carom_flags carom_objects)

# What experiments/impact_clock.py runs: the stable rule with a clock that is never set back.
add_executable(one_clock experiments/one_clock.c)
target_link_libraries(one_clock PRIVATE carom_flags carom_objects)

# The broad phase of variational contact against that of the paper: compiled for 2D and 3D together with the kernel, of
# which it replaces the parts that bench/broad_phase/observed holds.
foreach(dimension 2 3)
    set(name bench_broad_phase_${dimension}d)
    add_executable(${name} "${PROJECT_SOURCE_DIR}/bench/broad_phase/main.c")
    target_compile_definitions(${name} PRIVATE CAROM_DIM=${dimension} CAROM_CONTACT=0)
    target_include_directories(${name} BEFORE PRIVATE "${PROJECT_SOURCE_DIR}/bench/broad_phase/observed")
    target_link_libraries(${name} PRIVATE carom_flags carom_objects)
endforeach()
