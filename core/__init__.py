"""The product: records, recall, and the ports they ask for. Pure Python, no screen, no index, no printing."""
