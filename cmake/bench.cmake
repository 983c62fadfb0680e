# Benchmarks of single parts (bench/*.c); bench/*.yaml are scenes for the command.
file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/bench/*.c")
foreach(source ${sources})
    get_filename_component(name ${source} NAME_WE)
    add_executable(bench_${name} ${source})
    target_link_libraries(bench_${name} PRIVATE carom_flags carom_objects)
endforeach()

# What experiments/aggregation_convergence.py runs: the solvers of time stepping, each iterate to be seen, and prototypes. GNU ld
# and lld put a function of our own in front of the engine's.
if(NOT APPLE)
    add_executable(solver_iterates experiments/solver_iterates.c experiments/stochastic.c)
    target_compile_definitions(solver_iterates PRIVATE CAROM_DIM=2)
    target_link_options(solver_iterates PRIVATE LINKER:--wrap=problem_solve_2d)
    target_link_libraries(solver_iterates PRIVATE carom_flags carom_objects)
endif()
