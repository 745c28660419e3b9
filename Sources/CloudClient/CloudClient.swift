// Filled by its first code.
