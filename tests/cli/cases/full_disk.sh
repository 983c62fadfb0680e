# Detects failed writes without exit 74 and a message, and messages when the reader of a pipe ends first.
[ -e /dev/full ] || skip 'no /dev/full'
run_full() {
    "$CAROM" "$@" > /dev/full
    echo "carom $*: $?"
}
run_full help 2>&1
run_full --version 2>&1
run_full help --completion zsh 2>&1
"$CAROM" help >&- 2> closed
echo "closed: $?"
cat closed
# The reader ends before the first output.
{
    sleep 0.2
    "$CAROM" help --man 2> pipe
    echo "pipe: $?" >> pipe
} | true
cat pipe
