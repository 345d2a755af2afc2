export type { TerminalKey } from "./keys.js"
export { NO_TERMINAL, ProgramInTerminal, type TerminalOptions } from "./program-in-terminal.js"
