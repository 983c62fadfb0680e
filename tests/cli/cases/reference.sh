# Detects a docs/scene.md that differs from the command's own text (`make docs` writes it).
"$CAROM" help --reference > scene.md
expect 'docs/scene.md is current' cmp scene.md "$CAROM_SOURCE/docs/scene.md"
