"""Parts of tools/bench."""
