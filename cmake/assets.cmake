# Files as C arrays: cmake -DASSETS=a;b -DPAGE=page.html -DOUTPUT=assets.c -P assets.cmake
set(types .html "text/html; charset=utf-8" .css "text/css; charset=utf-8" .js "text/javascript; charset=utf-8"
    .svg "image/svg+xml")
set(arrays "")
set(table "")

# Adds the array NAME with the contents of a file.
function(add_array name file end)
    file(READ "${file}" bytes HEX)
    string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
    string(REGEX REPLACE "(................................................................................)" "\\1\n" bytes
           "${bytes}")
    set(arrays "${arrays}static const unsigned char ${name}[] = {\n${bytes}${end}};\n" PARENT_SCOPE)
endfunction()

set(number 0)
foreach(asset ${ASSETS})
    get_filename_component(name "${asset}" NAME)
    get_filename_component(ending "${asset}" LAST_EXT)
    list(FIND types "${ending}" at)
    math(EXPR at "${at} + 1")
    list(GET types ${at} type)
    add_array(asset_${number} "${asset}" "")
    string(APPEND table "    {\"/${name}\", \"${type}\", asset_${number}, sizeof asset_${number}},\n")
    math(EXPR number "${number} + 1")
endforeach()
add_array(page "${PAGE}" "0")
file(WRITE "${OUTPUT}" "#include \"view/server/assets.h\"\n\n${arrays}
const view_asset view_assets[] = {\n${table}};
const size_t view_asset_count = sizeof view_assets / sizeof *view_assets;
const view_asset view_page = {\"\", \"text/html\", page, sizeof page - 1};\n")
