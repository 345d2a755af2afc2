// Sessions as files.

export type { BigInts, FileStat, FolderEntry, FolderWatcher, FsPort, OpenFile } from "@treelog-internal/fs"
export { nodeFs } from "@treelog-internal/fs"
export { FileSessionStorage, type FileSessionStorageOptions } from "./file-session-storage.js"
export { FileTrash } from "./file-trash.js"
export type { LeaseHolder } from "./find-holder.js"
export { agentDirOf, type Env, type Preset } from "./presets.js"
export { artifactsFolder } from "./session-name.js"
export { terminalIdOf } from "./terminal-id.js"
export type { TrashedSession } from "./trash/list-trash.js"
export type { PutOptions } from "./trash/put-in-trash.js"
export { batchName } from "./trash/trash-place.js"
export { TrashedSessionStorage } from "./trashed-session-storage.js"
