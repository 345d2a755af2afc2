// The loose schemas of the entries.
export {}
