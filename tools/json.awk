# Flattens JSON: one line a value, its dotted path and the value (`energy.total 20250`, `observables.pressure.mean.0 3.2`).
#   awk -f tools/json.awk FILE
{ text = text $0 "\n" }

END {
    depth = 0
    while (match(text, /^[ \t\r\n]*("([^"\\]|\\.)*"|[][{}:,]|[^][{}:,"" \t\r\n]+)/)) {
        token = substr(text, RSTART, RLENGTH)
        text = substr(text, RLENGTH + 1)
        sub(/^[ \t\r\n]+/, "", token)
        read(token)
    }
}

function read(token) {
    if (token == "{" || token == "[") {
        depth++
        kind[depth] = token
        key[depth] = token == "[" ? 0 : ""
    } else if (token == "}" || token == "]") {
        depth--
    } else if (token == ",") {
        key[depth] = kind[depth] == "[" ? key[depth] + 1 : ""
    } else if (token != ":") {
        if (token ~ /^"/) token = substr(token, 2, length(token) - 2)
        if (kind[depth] == "{" && key[depth] == "") key[depth] = token
        else print path(), token
    }
}

function path(    i, joined) {
    for (i = 1; i <= depth; i++) joined = joined (i > 1 ? "." : "") key[i]
    return joined
}
