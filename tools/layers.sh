#!/usr/bin/env bash
# Checks the includes between modules of src/ against the table of docs/architecture.md.
set -u
cd "$(dirname "$0")/.." || exit 1
declare -A may=(
    [base]=""
    [geometry]="base"
    [mesh]="base geometry"
    [queue]="base"
    [neighbors]="base geometry"
    [frame]="base"
    [scene]="base geometry neighbors mesh"
    [sweep]="base scene"
    [parallel]="base"
    [engine]="base frame scene parallel"
    [hard]="base geometry queue neighbors scene frame engine parallel"
    [aggregation]="base geometry queue neighbors scene frame engine parallel"
    [variational]="base geometry queue neighbors mesh scene frame engine parallel"
    [measure]="base geometry neighbors frame scene"
    [output]="base geometry mesh frame scene measure"
    [view]="base geometry frame measure output"
)
may[sim]="${!may[*]}" # all others
# Folders of a module that do not include each other: of their module, they include only the files next to them and those in
# them. The files next to them include none of these folders.
declare -A folders=(
    [view]="plot render server"
)
status=0
for folder in src/*/; do
    module=$(basename "$folder")
    if [ -z "${may[$module]+known}" ]; then
        echo "src/$module: unknown module; add to tools/layers.sh what it may include"
        status=1
        continue
    fi
    faults=$(grep -rnE '^ *# *include "[a-z]+/' "$folder" --include='*.[ch]' |
        awk -F: -v module="$module" -v may=" $module carom ${may[$module]} " '{
            other = $3
            sub(/^[^"]*"/, "", other)
            sub(/\/.*/, "", other)
            if (index(may, " " other " ") == 0) print $1 ":" $2 ": src/" module " may not include " other "/"
        }')
    if [ -n "$faults" ]; then
        echo "$faults"
        status=1
    fi
done
for module in "${!folders[@]}"; do
    for own in ${folders[$module]} .; do
        for other in ${folders[$module]}; do
            [ "$own" = "$other" ] && continue
            deep=$([ "$own" = . ] && echo 1 || echo 9)
            while IFS=: read -r file line _; do
                echo "$file:$line: src/$module/$own may not include $module/$other/"
                status=1
            done < <(find "src/$module/$own" -maxdepth "$deep" -name '*.[ch]' \
                -exec grep -nHE "^ *# *include \"$module/$other/" {} +)
        done
    done
done
if grep -rnE '^ *# *include "scene/state/' src/scene/language; then
    echo "src/scene/language may not include src/scene/state: a scene is read before its state is drawn"
    status=1
fi
if grep -rnE '^ *# *include "scene/language/' src/scene/state; then
    echo "src/scene/state may include src/scene/*.h only"
    status=1
fi
if grep -rnE '^ *# *include "output/verify/' src/output/results; then
    echo "src/output/results may not include src/output/verify"
    status=1
fi
if grep -nE '^ *# *include "' cli/*.[ch] | grep -vE '"(carom/carom|cli|json|progress|sweep|team)\.h"'; then
    echo "cli/ may include carom/carom.h only"
    status=1
fi
exit $status
