/**
 * The file system functions that this package uses, as `node:fs/promises` has them, so that a test can break each one.
 * Stores and sweeps take another as their `fs` option.
 */
export interface FsPort {
  open(path: string, flags: string | number, mode?: number): Promise<OpenFile>
  stat(path: string, options: BigInts): Promise<FileStat>
  /** Like `stat`, of the link itself. */
  lstat(path: string, options: BigInts): Promise<FileStat>
  /** All names in a folder, in no particular order. */
  readdir(path: string): Promise<string[]>
  /** With `recursive`, resolves to the first folder that was made, if any; bytes that are not UTF-8 may be lost in its path. */
  mkdir(path: string, options: { recursive: boolean; mode: number }): Promise<string | undefined>
  rmdir(path: string): Promise<void>
  /** Gives a file a second name, never an existing one. */
  link(existing: string, path: string): Promise<void>
  /** Over what has the name already. */
  rename(from: string, to: string): Promise<void>
  unlink(path: string): Promise<void>
  /** Times in seconds since 1970. */
  utimes(path: string, accessed: number, modified: number): Promise<void>
}

/** All numbers of a stat as bigints: inode numbers and nanoseconds do not fit a double. */
export interface BigInts {
  readonly bigint: true
}

/** An open file. Positions are bytes from its start. */
export interface OpenFile {
  read(buffer: Uint8Array, offset: number, length: number, position: number): Promise<{ bytesRead: number }>
  write(buffer: Uint8Array, offset: number, length: number, position: number): Promise<{ bytesWritten: number }>
  stat(options: BigInts): Promise<FileStat>
  /** Times in seconds since 1970. */
  utimes(accessed: number, modified: number): Promise<void>
  /** Everything of the file is on the disk. */
  sync(): Promise<void>
  close(): Promise<void>
}

/** What is used of what Node tells of a file. */
export interface FileStat {
  readonly dev: bigint
  readonly ino: bigint
  readonly size: bigint
  readonly mtimeNs: bigint
  readonly ctimeNs: bigint
  isFile(): boolean
  isDirectory(): boolean
  isSymbolicLink(): boolean
}
