# Files as C texts with their names: cmake -DFILES=a.yaml;b.md -DTABLE=starters -DOUTPUT=starters.c -P texts.cmake
set(texts "")
set(table "")
set(number 0)
foreach(file ${FILES})
    get_filename_component(name "${file}" NAME_WE)
    file(READ "${file}" bytes HEX)
    string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
    string(REGEX REPLACE "(................................................................................)" "\\1\n" bytes
           "${bytes}")
    string(APPEND texts "static const unsigned char text_${number}[] = {\n${bytes}0};\n")
    string(APPEND table "    {\"${name}\", (const char *)text_${number}},\n")
    math(EXPR number "${number} + 1")
endforeach()
file(WRITE "${OUTPUT}" "#include \"sim/texts.h\"\n\n${texts}
const named_text ${TABLE}[] = {\n${table}};
const size_t ${TABLE}_count = sizeof ${TABLE} / sizeof *${TABLE};\n")
