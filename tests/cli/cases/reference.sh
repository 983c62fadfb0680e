# docs/scene.md is what the command says (`make docs` writes it anew).
"$CAROM" help --reference > scene.md
expect 'docs/scene.md is current' cmp scene.md "$CAROM_SOURCE/docs/scene.md"
