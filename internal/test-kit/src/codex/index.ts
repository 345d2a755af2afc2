export { codexFile, codexTurns, zstdFrame } from "./codex-file.js"
export { type CodexShape, generateCodexHome, type WrittenRollout } from "./generate-home.js"
