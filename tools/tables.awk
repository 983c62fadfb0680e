# Writes the tables of a run's summary (a distribution, a correlation) as CSV files and names them:
#   awk -f tools/json.awk SUMMARY.json | awk -v base=NAME -f tools/tables.awk     NAME.<observable>[.<table>].csv
# Each array observables.<table>.<column> is a column; `mean` and the `error` beside it are values, not columns.
match($1, /\.[0-9]+$/) && $1 ~ /^observables\./ {
    row = substr($1, RSTART + 1)
    path = substr($1, 13, RSTART - 13)
    match(path, /\.[^.]*$/)
    table = substr(path, 1, RSTART - 1)
    column = substr(path, RSTART + 1)
    if (column == "mean") has_mean[table] = 1
    if (column == "mean" || (column == "error" && has_mean[table])) next
    if (!(table in width)) order[++tables] = table
    if (!((table, column) in seen)) {
        seen[table, column] = 1
        name[table, ++width[table]] = column
    }
    value[table, column, row] = $2
    if (row + 1 > rows[table]) rows[table] = row + 1
}

END {
    for (k = 1; k <= tables; k++) {
        table = order[k]
        file = base "." table ".csv"
        for (row = -1; row < rows[table]; row++) {
            line = ""
            for (c = 1; c <= width[table]; c++) {
                cell = row < 0 ? name[table, c] : value[table, name[table, c], row]
                line = line (c > 1 ? "," : "") cell
            }
            print line > file
        }
        close(file)
        print file
    }
}
