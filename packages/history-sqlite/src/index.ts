// The history of prompts in SQLite.
export {}
