# Files as C arrays: cmake -DASSETS=a;b -DOUTPUT=assets.c -P assets.cmake
set(types .html "text/html; charset=utf-8" .css "text/css; charset=utf-8" .js "text/javascript; charset=utf-8"
    .svg "image/svg+xml")
set(arrays "")
set(table "")
set(number 0)
foreach(asset ${ASSETS})
    get_filename_component(name "${asset}" NAME)
    get_filename_component(ending "${asset}" LAST_EXT)
    list(FIND types "${ending}" at)
    math(EXPR at "${at} + 1")
    list(GET types ${at} type)
    file(READ "${asset}" bytes HEX)
    string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
    string(REGEX REPLACE "(................................................................................)" "\\1\n" bytes
           "${bytes}")
    string(APPEND arrays "static const unsigned char asset_${number}[] = {\n${bytes}};\n")
    string(APPEND table "    {\"/${name}\", \"${type}\", asset_${number}, sizeof asset_${number}},\n")
    math(EXPR number "${number} + 1")
endforeach()
file(WRITE "${OUTPUT}" "#include \"view/server/assets.h\"\n\n${arrays}
const view_asset view_assets[] = {\n${table}};
const size_t view_asset_count = sizeof view_assets / sizeof *view_assets;\n")
