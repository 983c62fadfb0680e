# Writes OUTPUT, a C source with the version and the commit of SOURCE_DIR ("unknown" outside a checkout).
set(commit "unknown")
execute_process(COMMAND git -C "${SOURCE_DIR}" rev-parse --show-toplevel
                OUTPUT_VARIABLE top OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
file(REAL_PATH "${SOURCE_DIR}" source)
if(top STREQUAL source)
    execute_process(COMMAND git -C "${SOURCE_DIR}" describe --always --dirty --abbrev=12 --exclude=*
                    OUTPUT_VARIABLE described OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    if(described)
        set(commit "${described}")
    endif()
endif()

set(text "#include \"carom/carom.h\"

const char *carom_version(void)
{
    return \"${VERSION}\";
}

const char *carom_commit(void)
{
    return \"${commit}\";
}
")
set(before "")
if(EXISTS "${OUTPUT}")
    file(READ "${OUTPUT}" before)
endif()
if(NOT before STREQUAL text)
    file(WRITE "${OUTPUT}" "${text}")
endif()
