// Reserved for the history of prompts: not built yet.
export {}
