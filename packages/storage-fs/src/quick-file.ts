import * as fs from "node:fs"
import { promisify } from "node:util"
import type { BigInts, FileStat, OpenFile } from "./fs-port.js"
import type { QuickCalls } from "./quick-calls.js"

const inBackground = {
  read: promisify(fs.read),
  write: promisify(fs.write),
  fstat: promisify(fs.fstat) as (fd: number, options: BigInts) => Promise<fs.BigIntStats>,
  ftruncate: promisify(fs.ftruncate),
  fchmod: promisify(fs.fchmod),
  fchown: promisify(fs.fchown),
  fsync: promisify(fs.fsync),
  fdatasync: promisify(fs.fdatasync),
}

/** Copying more than that is left to another thread. Bytes. */
const LITTLE = 128 * 1024

/** An open file: what the system does at once, since it has the file in memory, is not left to another thread. */
export class QuickFile implements OpenFile {
  readonly #fd: number
  readonly #calls: QuickCalls

  constructor(fd: number, calls: QuickCalls) {
    this.#fd = fd
    this.#calls = calls
  }

  async read(buffer: Uint8Array, offset: number, length: number, position: number): Promise<{ bytesRead: number }> {
    const read = () => inBackground.read(this.#fd, buffer, offset, length, position)
    if (length > LITTLE) return read()
    return this.#calls.call(() => ({ bytesRead: fs.readSync(this.#fd, buffer, offset, length, position) }), read)
  }

  stat(options: BigInts): Promise<FileStat> {
    return this.#calls.call(
      () => fs.fstatSync(this.#fd, options),
      () => inBackground.fstat(this.#fd, options),
    )
  }

  async close(): Promise<void> {
    fs.closeSync(this.#fd)
  }

  async write(
    buffer: Uint8Array,
    offset: number,
    length: number,
    position: number | null,
  ): Promise<{ bytesWritten: number }> {
    const write = () => inBackground.write(this.#fd, buffer, offset, length, position)
    if (length > LITTLE) return write()
    return this.#calls.call(() => ({ bytesWritten: fs.writeSync(this.#fd, buffer, offset, length, position) }), write)
  }

  truncate(length: number): Promise<void> {
    return inBackground.ftruncate(this.#fd, length)
  }

  chmod(mode: number): Promise<void> {
    return inBackground.fchmod(this.#fd, mode)
  }

  chown(uid: number, gid: number): Promise<void> {
    return inBackground.fchown(this.#fd, uid, gid)
  }

  sync(): Promise<void> {
    return inBackground.fsync(this.#fd)
  }

  datasync(): Promise<void> {
    return inBackground.fdatasync(this.#fd)
  }
}
