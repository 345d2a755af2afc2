export type { ObjectStoreOptions } from "../objects/object-store.js"
export { CopilotSessionFs, type CopilotSessionFsOptions } from "./copilot-session-fs.js"
export type { CopilotDirectoryEntry, CopilotFileInfo } from "./copilot-types.js"
export { CopilotFileError } from "./file-error.js"
