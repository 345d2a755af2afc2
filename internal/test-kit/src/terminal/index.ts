export type { TerminalKey } from "./keys.js"
export { NO_TERMINAL, ProgramInTerminal } from "./program-in-terminal.js"
export type { TerminalOptions } from "./terminal-program.js"
