export { removeCodexCopy as remove, writeCodex as write } from "@treelog/agents/codex"
