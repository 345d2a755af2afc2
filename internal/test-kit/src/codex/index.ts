export { codexFile, codexTurns } from "./codex-file.js"
export { type CodexShape, generateCodexHome, type WrittenRollout } from "./generate-home.js"
export { zstdFrame } from "./zstd-frame.js"
