#!/usr/bin/env bash
# Compares the summary of a run with the numbers in the header of the scene:
#   tools/expect.sh SCENE SUMMARY.json
# A header line `# expect NAME = NUMBER +- TOLERANCE: EXPRESSION` names values of the summary by their path. Prints a
# line for each, with the measured value; the exit status is 0 if all hold.
set -u
here=$(cd "$(dirname "$0")" && pwd)
values=$(awk -f "$here/json.awk" "$2") || exit 1
status=0
while IFS= read -r line; do
    name=${line%% = *}
    rest=${line#* = }
    number=${rest%% +- *}
    tolerance=${rest#* +- }
    tolerance=${tolerance%%: *}
    expression=${rest#*: }
    # Paths become numbers; what awk then computes is arithmetic only.
    filled=$(awk -v expression="$expression" '
        { value[$1] = $2 }
        END {
            while (match(expression, /[a-z_][a-z_0-9]*(\.[a-z_0-9]+)*/)) {
                word = substr(expression, RSTART, RLENGTH)
                text = text substr(expression, 1, RSTART - 1)
                expression = substr(expression, RSTART + RLENGTH)
                if (word ~ /^(log|exp|sqrt|e)$/) text = text word
                else if (value[word] ~ /^-?[0-9][-+.0-9eE]*$/) text = text "(" value[word] ")"
                else { print "missing " word; exit }
            }
            print text expression
        }' <<< "$values")
    if [[ $filled == missing* ]]; then
        printf '  %-44s expected %-10s the summary has no number %s   NO\n' "$name" "$number" "${filled#missing }"
        status=1
        continue
    fi
    awk -v name="$name" -v number="$number" -v tolerance="$tolerance" "BEGIN {
        measured = $filled
        off = measured - number; if (off < 0) off = -off
        good = off <= tolerance
        printf \"  %-44s expected %-8s +- %-6s measured %-13.7g %s\n\", name, number, tolerance, measured, good ? \"yes\" : \"NO\"
        exit !good
    }" || status=1
done < <(sed -n 's/^# expect //p' "$1")
exit $status
