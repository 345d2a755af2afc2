// Sessions as files.
export { FileSessionStorage, type FileSessionStorageOptions } from "./file-session-storage.js"
export type { BigInts, FileStat, FolderEntry, FolderWatcher, FsPort, OpenFile } from "./fs-port.js"
export { nodeFs } from "./node-fs.js"
export { agentDirOf, type Env, type Preset } from "./presets.js"
export { artifactsFolder } from "./session-name.js"
export { terminalIdOf } from "./terminal-id.js"
