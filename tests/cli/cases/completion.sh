# Detects shell completions that lack a command, an option, a value or a file.
"$CAROM" help --completion bash > completion.bash
expect 'bash reads it' bash -n completion.bash
source ./completion.bash
touch gas.yaml gas.h5 notes.txt
mkdir folder
complete_line() {
    COMP_WORDS=("$@")
    COMP_CWORD=$(($# - 1))
    _carom
    echo "$*: ${COMPREPLY[*]}"
}
complete_line carom ''
complete_line carom e
complete_line carom run --
complete_line carom run ''
complete_line carom export gas.h5 --to ''
complete_line carom export ''
complete_line carom help --completion ''
complete_line carom init ''
if command -v zsh > /dev/null; then
    "$CAROM" help --completion zsh > _carom && zsh -n _carom || echo 'zsh cannot read its completion'
fi
if command -v fish > /dev/null; then
    "$CAROM" help --completion fish > carom.fish && fish -n carom.fish || echo 'fish cannot read its completion'
fi
