import { TreelogError } from "@treelog/session-core"
import { webDigest } from "@treelog/session-core/adapter"
import { bytesOfStream } from "./read-stream.js"
import type { BlobSource, SessionSource } from "./session-source.js"

/** A file that was dropped or opened. */
export function fileSource(file: Blob): SessionSource {
  return { name: file instanceof File ? file.name : "Session", read: (signal) => bytesOfStream(file.stream(), signal) }
}

/** The files of a drop, including those in folders. */
export async function droppedFiles(dropped: DataTransfer): Promise<File[]> {
  // `items` is empty after the first `await`.
  const entries = [...dropped.items].flatMap((item) => item.webkitGetAsEntry() ?? [])
  if (entries.length === 0) return [...dropped.files]
  const files: File[] = []
  for (let entry = entries.shift(); entry; entry = entries.shift()) {
    if (isFile(entry)) files.push(await fileOf(entry))
    else if (isFolder(entry)) entries.push(...(await entriesIn(entry)))
  }
  return files
}

export interface SortedFiles {
  readonly sessions: readonly File[]
  /** By their hashes. */
  readonly blobs: ReadonlyMap<string, File>
}

const BLOB = /^([0-9a-f]{64})(?:\.\w+)?$/

/** Separates sessions and blobs by their names. A single file with another name counts as a session. */
export function sortFiles(files: readonly File[]): SortedFiles {
  const blobs = new Map<string, File>()
  const others: File[] = []
  for (const file of files) {
    const hash = BLOB.exec(file.name)?.[1]
    if (hash === undefined) others.push(file)
    else if (!blobs.has(hash) || file.name === hash) blobs.set(hash, file)
  }
  const sessions = others.filter(({ name }) => name.endsWith(".jsonl"))
  return { sessions: sessions.length > 0 || others.length !== 1 ? sessions : others, blobs }
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile
}

function isFolder(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject))
}

/** Reads all entries of a folder: a reader returns up to a hundred at a time, and none at the end. */
async function entriesIn(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader()
  const found: FileSystemEntry[] = []
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (some.length === 0) return found
    found.push(...some)
  }
}

/** Blobs that were dropped as files. The content of a file must match the hash in its name. */
export class FileBlobs implements BlobSource {
  readonly #files = new Map<string, File>()

  add(files: ReadonlyMap<string, File>): void {
    for (const [hash, file] of files) this.#files.set(hash, file)
  }

  async get(hash: string): Promise<Uint8Array | undefined> {
    const file = this.#files.get(hash)
    if (!file) return undefined
    const bytes = new Uint8Array(await file.arrayBuffer())
    const actual = await webDigest.sha256(bytes)
    if (actual === hash) return bytes
    const message = `The content of the file ${file.name} does not match the hash in its name.`
    throw new TreelogError("BlobDamagedError", message, { hash, actual, quarantine: undefined })
  }
}
