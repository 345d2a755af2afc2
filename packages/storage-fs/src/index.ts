// Sessions as files.
export {}
