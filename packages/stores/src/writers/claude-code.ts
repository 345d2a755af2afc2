export { removeClaudeCodeCopy as remove, writeClaudeCode as write } from "@treelog/agents/claude-code"
