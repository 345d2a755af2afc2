/**
 * The file system functions that storages use, as `node:fs/promises` has them, so that a test can break each one.
 * Storages, stores and sweeps take another as their `fs` option.
 */
export interface FsPort {
  open(path: string, flags: string | number, mode?: number): Promise<OpenFile>
  /** Like `open`, without promises. By default for reading, without waiting where a pipe or a device has the name. */
  openSync(path: string, flags?: string | number, mode?: number): SyncFile
  stat(path: string, options: BigInts): Promise<FileStat>
  /** Like `stat`, without promises. Undefined where there is nothing. */
  statSync(path: string): FileStat | undefined
  /** Like `statSync`, of the link itself. */
  lstatSync(path: string): FileStat | undefined
  /** Like `stat`, of the link itself. */
  lstat(path: string, options: BigInts): Promise<FileStat>
  realpath(path: string): Promise<string>
  realpathSync(path: string): string
  readlink(path: string): Promise<string>
  /** All entries of a folder, in no particular order. */
  readdir(path: string): Promise<FolderEntry[]>
  /** With `recursive`, resolves to the first folder that was made, if any; bytes that are not UTF-8 may be lost in its path. */
  mkdir(path: string, options: { recursive: boolean; mode: number }): Promise<string | undefined>
  mkdirSync(path: string, options: { recursive: boolean; mode: number }): string | undefined
  /** Gives a file a second name, never an existing one. */
  link(existing: string, path: string): Promise<void>
  linkSync(existing: string, path: string): void
  symlink(target: string, path: string): Promise<void>
  /** Replaces what has the name already. */
  rename(from: string, to: string): Promise<void>
  renameSync(from: string, to: string): void
  unlink(path: string): Promise<void>
  unlinkSync(path: string): void
  rm(path: string, options: { recursive: true; force: true }): Promise<void>
  rmSync(path: string, options: { recursive: true; force: true }): void
  /** Only a folder that is empty. */
  rmdir(path: string): Promise<void>
  /** Times in seconds since 1970. */
  utimes(path: string, accessed: number, modified: number): Promise<void>
  utimesSync(path: string, accessed: number, modified: number): void
  /** Reports the name of what changed in the folder, where the system knows it. */
  watch(
    folder: string,
    options: { persistent: false },
    listener: (event: string, name: string | null) => void,
  ): FolderWatcher
}

/** All numbers of a stat as bigints: inode numbers and nanoseconds do not fit a double. */
export interface BigInts {
  readonly bigint: true
}

/** An open file. A `position` of null writes at the file's own position: its end, when it was opened for appending. */
export interface OpenFile {
  read(buffer: Uint8Array, offset: number, length: number, position: number): Promise<{ bytesRead: number }>
  write(buffer: Uint8Array, offset: number, length: number, position: number | null): Promise<{ bytesWritten: number }>
  stat(options: BigInts): Promise<FileStat>
  /** Times in seconds since 1970. */
  utimes(accessed: number, modified: number): Promise<void>
  /** Everything of the file is on the disk. */
  sync(): Promise<void>
  /** Its bytes and its size are on the disk. */
  datasync(): Promise<void>
  close(): Promise<void>
}

/** An open file without promises, but for what waits for the disk. */
export interface SyncFile {
  statSync(options: BigInts): FileStat
  readSync(buffer: Uint8Array, offset: number, length: number, position: number): number
  writeSync(buffer: Uint8Array, offset: number, length: number, position: number | null): number
  truncateSync(length: number): void
  chmodSync(mode: number): void
  chownSync(uid: number, gid: number): void
  /** Everything of the file is on the disk. */
  sync(): Promise<void>
  syncSync(): void
  /** Its bytes and its size are on the disk. */
  datasync(): Promise<void>
  datasyncSync(): void
  /** What waits for the disk still ends as it would. */
  closeSync(): void
}

/** The fields of Node's stat that are used. */
export interface FileStat {
  readonly dev: bigint
  readonly ino: bigint
  readonly mode: bigint
  readonly nlink: bigint
  readonly uid: bigint
  readonly gid: bigint
  readonly size: bigint
  readonly mtimeNs: bigint
  readonly ctimeNs: bigint
  readonly birthtimeNs: bigint
  isFile(): boolean
  isDirectory(): boolean
  isSymbolicLink(): boolean
}

export interface FolderEntry {
  readonly name: string
  isFile(): boolean
  isDirectory(): boolean
  isSymbolicLink(): boolean
}

/** Reports changes in a folder. */
export interface FolderWatcher {
  on(event: "error", listener: (error: Error) => void): unknown
  close(): void
}
