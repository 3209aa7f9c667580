"""Charts as SVG for print."""
