// Sessions as files.

export type { BigInts, FileStat, FolderEntry, FolderWatcher, FsPort, OpenFile } from "@treelog-internal/fs"
export { cacheFolderOf, type Env, nodeFs } from "@treelog-internal/fs"
export { FileSessionStorage, type FileSessionStorageOptions } from "./file-session-storage.js"
export type { LeaseHolder } from "./lock/session-lock.js"
export { agentDirOf, ompFolders, type Preset } from "./place/program-folders.js"
export { artifactsFolder } from "./place/session-name.js"
export { FileTrash } from "./trash/file-trash.js"
export type { TrashedSession } from "./trash/list-trash.js"
export type { PutOptions } from "./trash/put-in-trash.js"
export { batchName } from "./trash/trash-place.js"
export { TrashedSessionStorage } from "./trash/trashed-session-storage.js"
export { flushOnExit } from "./write/flush-on-exit.js"
