# Benchmarks of single parts (bench/*.c); bench/*.yaml are scenes for the command.
file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/bench/*.c")
foreach(source ${sources})
    get_filename_component(name ${source} NAME_WE)
    add_executable(bench_${name} ${source})
    target_link_libraries(bench_${name} PRIVATE carom_flags carom_objects)
endforeach()
