# The `mutants` build: a copy of src/ with each mutation of tests/mutants/mutants.txt behind a switch.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
set(mutants "${PROJECT_SOURCE_DIR}/tests/mutants")
set(CAROM_SRC "${PROJECT_BINARY_DIR}/src")
set(CAROM_MUTANT_SWITCH "${mutants}/mutant.c")
execute_process(COMMAND ${Python3_EXECUTABLE} "${mutants}/apply.py" "${CAROM_SRC}" COMMAND_ERROR_IS_FATAL ANY)
add_compile_options(-include "${mutants}/mutant.h" -Wno-shadow -Wno-conversion)
