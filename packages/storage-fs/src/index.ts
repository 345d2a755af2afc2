// Sessions as files.

export type { BigInts, FileStat, FolderEntry, FolderWatcher, FsPort, OpenFile } from "@treelog-internal/fs"
export { cacheFolderOf, type Env, nodeFs } from "@treelog-internal/fs"
export { FileSessionStorage, type FileSessionStorageOptions } from "./file-session-storage.js"
export { FileTrash } from "./file-trash.js"
export { flushOnExit } from "./flush-on-exit.js"
export { agentDirOf, ompFolders, type Preset } from "./program-folders.js"
export type { LeaseHolder } from "./session-lock.js"
export { artifactsFolder } from "./session-name.js"
export type { TrashedSession } from "./trash/list-trash.js"
export type { PutOptions } from "./trash/put-in-trash.js"
export { batchName } from "./trash/trash-place.js"
export { TrashedSessionStorage } from "./trashed-session-storage.js"
