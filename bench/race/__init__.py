"""The paired race against other event-driven codes: tools/race.py runs it."""
