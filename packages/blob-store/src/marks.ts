import { basename, dirname } from "node:path"
import { type Diagnostic, TreelogError } from "@treelog/session-core"
import { type Line, LineSplitter, parseLine } from "@treelog/session-core/adapter"
import { NamedBlobs } from "@treelog/session-core/maintenance"
import { chunksOf, type FileStat, type FsPort, statIfThere, toStorageError } from "@treelog-internal/fs"
import { kindOfName } from "./blob-names.js"
import { isCutOff } from "./is-cut-off.js"
import { withFile } from "./open-file.js"
import { identityOf } from "./stored-stat.js"
import type { Tally } from "./tally.js"
import { type FoundFile, READING, statRoot, walkFiles } from "./walk-files.js"

const SESSION = ".jsonl"

export interface MarkOptions {
  readonly fs: FsPort
  /** The folder of the blobs, whose own files name nothing. */
  readonly blobs: string
  readonly roots: readonly string[]
  /** Sessions outside of the roots. */
  readonly files: readonly string[]
  readonly allowUnparsable: boolean
  /** Called after each file with how much was read. */
  readonly onFile: (read: Tally) => void
}

/** A session file with a line that cannot be read as an entry. */
export interface UnparsableFile {
  readonly path: string
  /** From 1. */
  readonly line: number
  /** What is wrong with the line, which it names. */
  readonly message: string
}

/**
 * The hashes that files name, added up over all scans: what is moved from a folder that is still to
 * be read to one that was read already is found where it was or where it is. A file is read again only when it changed.
 */
export class Marks {
  readonly #options: MarkOptions
  readonly #hashes = new Set<string>()
  /** The versions of files that were read. */
  readonly #read = new Set<string>()
  readonly #unparsable = new Map<string, UnparsableFile>()

  constructor(options: MarkOptions) {
    this.#options = options
  }

  has(hash: string): boolean {
    return this.#hashes.has(hash)
  }

  get unparsable(): UnparsableFile[] {
    return [...this.#unparsable.values()]
  }

  /**
   * Scans every file once more.
   * @throws StorageError for what cannot be read; InvalidSessionError for a session that cannot be parsed
   */
  async mark(signal?: AbortSignal): Promise<Tally> {
    const [seen, versions] = [{ count: 0, bytes: 0 }, new Set<string>()]
    for await (const { path, stat } of this.#files()) {
      signal?.throwIfAborted()
      const version = versionOf(path, stat)
      if (versions.has(version)) continue
      versions.add(version)
      if (!this.#read.has(version)) await this.#readFile(path, signal)
      seen.count += 1
      seen.bytes += Number(stat.size)
      this.#options.onFile(seen)
    }
    return seen
  }

  async *#files(): AsyncGenerator<FoundFile> {
    const { fs, blobs, roots, files } = this.#options
    const stat = await statIfThere(fs, blobs)
    const own = stat && identityOf(stat)
    const skip = (folder: string, name: string) => folder === own && kindOfName(name) !== "unknown"
    const entered = new Set<string>()
    for (const root of roots) yield* walkFiles(fs, root, entered, skip)
    for (const path of files) {
      yield { path, stat: await statRoot(fs, path) }
      const folder = identityOf(await statRoot(fs, dirname(path)))
      const isOther = (at: string, name: string) => at === folder && !belongsTo(path, name)
      yield* walkFiles(fs, dirname(path), new Set(), (at, name) => skip(at, name) || isOther(at, name))
    }
  }

  async #readFile(path: string, signal: AbortSignal | undefined): Promise<void> {
    const named = new NamedBlobs()
    const lines = path.endsWith(SESSION) ? new LineCheck() : undefined
    try {
      await withFile(this.#options.fs, path, async (file, stat) => {
        let left = Number(stat.size)
        for await (const chunk of chunksOf(file, { fresh: false })) {
          signal?.throwIfAborted()
          for (const hash of named.in(chunk)) this.#hashes.add(hash)
          lines?.push(chunk)
          left -= chunk.length
          // What a writer adds meanwhile is read the next time, when the size is another.
          if (left <= 0) break
        }
        lines?.end()
        this.#read.add(versionOf(path, stat))
      })
    } catch (error) {
      throw toStorageError(error, path, READING)
    }
    const found = lines?.fault ?? lines?.cutOff
    if (found === undefined) return
    if (lines?.fault && !this.#options.allowUnparsable) throw unparsableError(path, lines.fault.message)
    this.#unparsable.set(path, { path, line: found.line ?? 0, message: found.message })
  }
}

function unparsableError(path: string, found: string): TreelogError {
  const message = `The sweep stops, and removes nothing, because a session cannot be parsed. ${path}: ${found}`
  return new TreelogError("InvalidSessionError", message, { key: path, found })
}

/** Whether the name, in the folder of the session, is that of the session, of a backup of it, or of its artifacts. */
function belongsTo(session: string, name: string): boolean {
  return name.startsWith(basename(session)) || name === basename(session, SESSION)
}

/** Changes whenever the bytes do. Only what is called a session is parsed, so the name is part of it. */
function versionOf(path: string, { dev, ino, size, mtimeNs, ctimeNs }: FileStat): string {
  return [dev, ino, size, mtimeNs, ctimeNs, path.endsWith(SESSION)].join(":")
}

const lenient = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true })

/**
 * Finds the first line of a session that cannot be read as an entry, holding one line at a time. A line that was cut
 * off does not count: a writer may be about to end it, or died there, and another closed it. What it names in full is
 * found in its bytes, and an entry whose name for a blob was cut cannot be read.
 */
class LineCheck {
  fault: Diagnostic | undefined
  /** The first line that was cut off and closed. */
  cutOff: Diagnostic | undefined
  readonly #lines = new LineSplitter()

  /** The chunk is the caller's again when this returns. */
  push(chunk: Uint8Array): void {
    if (this.fault === undefined) this.#check(this.#lines.push(chunk))
  }

  end(): void {
    if (this.fault === undefined) this.#check(this.#lines.finish())
  }

  #check(lines: Iterable<Line>): void {
    for (const line of lines) {
      const fault = parseLine(line).faults.find(({ kind }) => kind !== "torn-line")
      if (fault && isCutOff(lenient.decode(line.bytes))) this.cutOff ??= fault
      else if (fault) {
        this.fault = fault
        return
      }
    }
  }
}
