#!/usr/bin/env bash
# Which room of src/ may include which: the layering of docs/architecture.md, checked.
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
    [engine]="base frame scene"
    [hard]="base geometry queue neighbors scene frame engine"
    [aggregation]="base geometry queue neighbors scene frame engine"
    [variational]="base geometry queue neighbors mesh scene frame engine"
    [measure]="base neighbors frame scene"
    [output]="base geometry mesh frame scene measure"
    [view]="base frame measure output"
    [sim]="base geometry mesh queue neighbors scene sweep frame engine hard aggregation variational measure output view"
)
status=0
for folder in src/*/; do
    room=$(basename "$folder")
    if [ -z "${may[$room]+known}" ]; then
        echo "src/$room: unknown room; say in tools/layers.sh what it may include"
        status=1
        continue
    fi
    while IFS=: read -r file line text; do
        other=$(sed -E 's/.*"([a-z]+)\/.*/\1/' <<< "$text")
        case " $room carom ${may[$room]} " in
        *" $other "*) ;;
        *)
            echo "$file:$line: src/$room may not include $other/"
            status=1
            ;;
        esac
    done < <(grep -rnE '^ *# *include "[a-z]+/' "$folder" --include='*.[ch]')
done
if grep -rnE '^ *# *include "output/verify/' src/output/results; then
    echo "src/output/results may not include src/output/verify"
    status=1
fi
if grep -nE '^ *# *include "' cli/*.[ch] | grep -vE '"(carom/carom|cli|json|progress|sweep|team)\.h"'; then
    echo "cli/ knows carom through carom/carom.h only"
    status=1
fi
exit $status
