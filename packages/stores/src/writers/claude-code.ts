export { removeClaudeCodeCopy as remove, writeClaudeCode as write } from "@treelog/claude-code"
