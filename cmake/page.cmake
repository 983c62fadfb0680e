# The page in one file: cmake -DFOLDER=web -DOUTPUT=page.html -P page.cmake
# Each module becomes a function that returns its exports, since modules in a file cannot import each other. An import
# is one line, and what is exported has the word `export` before it. VIEW_PAGE_MARK (assets.h) marks the place of the data.
file(READ "${FOLDER}/index.html" page)
file(READ "${FOLDER}/style.css" style)
file(READ "${FOLDER}/icon.svg" icon HEX)
string(REGEX REPLACE "(..)" "%\\1" icon "${icon}")

file(GLOB modules "${FOLDER}/*.js")
set(script "const modules = {\n")
foreach(module ${modules})
    get_filename_component(name "${module}" NAME_WE)
    file(READ "${module}" text)
    string(REGEX MATCHALL "\nexport (const|function|class) [A-Za-z_]+" exported "${text}")
    list(TRANSFORM exported REPLACE ".* " "")
    list(JOIN exported ", " exported)
    string(REGEX REPLACE "import {([^}]*)} from '\\./([a-z]+)\\.js'" "const {\\1} = load('\\2')" text "${text}")
    string(REGEX REPLACE "import \\* as ([a-z]+) from '\\./([a-z]+)\\.js'" "const \\1 = load('\\2')" text "${text}")
    string(REGEX REPLACE "\nexport (const|function|class) " "\n\\1 " text "${text}")
    if(text MATCHES "\n(import|export) ")
        message(FATAL_ERROR "${module}: this form of `${CMAKE_MATCH_1}` is not known to page.cmake")
    endif()
    string(APPEND script "${name}() {\n${text}return {${exported}};\n},\n")
endforeach()
string(APPEND script "};\nconst loaded = {};\nfunction load(name) {\n    return (loaded[name] ??= modules[name]());\n}\nload('main');\n")

# Indentation and comments would be a fifth of the page.
string(REGEX REPLACE "\n +" "\n" script "${script}")
string(REGEX REPLACE "\n//[^\n]*" "" script "${script}")
string(REGEX REPLACE "\n +" "\n" style "${style}")

# Nothing is loaded from elsewhere, not even from a page that has been changed.
set(policy "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:")
string(REPLACE "<meta charset=\"utf-8\">"
       "<meta charset=\"utf-8\">\n<meta http-equiv=\"Content-Security-Policy\" content=\"${policy}\">" page "${page}")
string(REPLACE "icon.svg" "data:image/svg+xml,${icon}" page "${page}")
string(REPLACE "<link rel=\"stylesheet\" href=\"style.css\">" "<style>\n${style}</style>" page "${page}")
string(REPLACE "<script type=\"module\" src=\"main.js\"></script>" "" page "${page}")
string(REPLACE "</body>" "<!-- recording -->\n<script type=\"module\">\n${script}</script>\n</body>" page "${page}")
if(page MATCHES "(src|href)=\"[a-z./]+\"")
    message(FATAL_ERROR "page.cmake: the page refers to another file: ${CMAKE_MATCH_0}")
endif()
file(WRITE "${OUTPUT}" "${page}")
