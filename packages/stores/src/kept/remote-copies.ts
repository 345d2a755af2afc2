// The copies of `keep`, elsewhere: each file is stored in pieces, and one object for it names them. What has grown costs the bytes that are new.
// Killed anywhere, nothing is lost: pieces are there before an object names them, and are removed when none does any more. What is no more here is
// never removed there: this machine may be a new one.

import { randomUUID } from "node:crypto"
import { readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { isTreelogError, TreelogError } from "@treelog/session-core"
import { webDigest } from "@treelog/session-core/adapter"
import {
  FILE_MODE,
  type FileStat,
  type FsPort,
  isErrno,
  isStat,
  makeDurableFolder,
  openPlain,
  readWhole,
  statMany,
  syncFolder,
  toStorageError,
  writeWhole,
} from "@treelog-internal/fs"
import { isCurrentCopy } from "./compare-files.js"
import { filesAt } from "./keep-files.js"

/** Objects with names, outside of this machine: a bucket, or a table of a database. */
export interface RemoteObjects {
  /** For people, such as `s3://bucket/prefix`. */
  readonly name: string
  /** The names of the objects in a folder, without it. @param folder ends with a slash */
  list(folder: string): AsyncIterable<string>
  /** Undefined when there is none. */
  read(name: string): Promise<Uint8Array | undefined>
  /** Stores an object, whether one of its name is there or not. */
  write(name: string, bytes: Uint8Array): Promise<void>
  /** Also resolves when there is none. */
  remove(name: string): Promise<void>
}

/** What was sent, or brought back. */
export interface RemoteReport {
  readonly files: number
  /** In pieces that were new. */
  readonly bytes: number
  /** Files that cannot be read, here or there. */
  readonly failed: number
}

interface RemoteOptions {
  readonly fs: FsPort
  /** The folder with the copies. An absolute path. */
  readonly root: string
  readonly objects: RemoteObjects
  readonly signal?: AbortSignal | undefined
  /** Called with what cannot be read, here or there; all else is sent or brought back. */
  readonly onError: (path: string, error: TreelogError) => void
}

/** A part of a file. */
interface Piece {
  /** Of its bytes: SHA-256, in hex. */
  readonly hash: string
  /** Bytes. */
  readonly size: number
}

/** What is known of a file. */
interface RemoteFile {
  /** In the folder with the copies, with `/`. */
  readonly path: string
  /** When it was written. Nanoseconds since 1970. */
  readonly modified: string
  readonly pieces: readonly Piece[]
}

/** The largest piece. Bytes. */
const PIECE = 4 * 1024 * 1024
/** A file with more pieces than these that are smaller gets larger ones. */
const SMALL_PIECES = 64
/** So many files are on their way at a time. */
const AT_ONCE = 8

const OWNER = "owner"
const FILES = "files/"
/** In the folder with the copies: a store, and its present or former files. */
const COPY = /^[^/]+\/(?:files|former-\d{1,4})\/./

/**
 * Sends what copies have and their other place has not.
 * @throws InvalidArgumentError where that has the copies of another machine; StorageError where it cannot be reached any more: the next time sends the rest
 */
export async function sendCopies(options: RemoteOptions): Promise<RemoteReport> {
  const { fs, root, objects, onError } = options
  await claim(root, objects)
  const sent = await sentFiles(objects)
  const sum = { files: 0, bytes: 0, failed: 0 }
  const fail = (path: string, error: unknown): void => {
    const fault = toStorageError(error, path, "read")
    if (isTreelogError(error) || !isTreelogError(fault)) throw fault
    sum.failed += 1
    onError(path, fault)
  }
  const found = await filesAt(fs, root, ["."], fail)
  const copies = [...found].filter(([path]) => COPY.test(path))
  await each(options, copies, async ([path, stat]) => {
    try {
      const id = await idOf(path)
      const others = sent.get(id) ?? []
      const [other] = others
      if (other !== undefined && others.length === 1 && isOf(other, stat)) return
      sum.bytes += await sendFile(options, path, { id, others })
      sum.files += 1
    } catch (error) {
      fail(join(root, path), error)
    }
  })
  return sum
}

/**
 * Brings back the copies that are not here.
 * @throws InvalidArgumentError where there are none; StorageError where they cannot be reached any more, or written: the next time brings the rest
 */
export async function fetchCopies(options: RemoteOptions): Promise<RemoteReport> {
  const { root, objects, onError } = options
  const owner = await objects.read(OWNER)
  if (!owner) throw invalid(`${objects.name} has no copies: treelog keep --into ${objects.name} sends some.`, objects)
  if (ownerOf(root) === undefined) writeOwner(root, text(owner))
  const sum = { files: 0, bytes: 0, failed: 0 }
  await each(options, [...(await sentFiles(objects))], async ([id, names]) => {
    // Of a file that was on its way when a process was killed, both are complete.
    const name = FILES + (names.sort((a, b) => timeIn(a) - timeIn(b)).at(-1) ?? id)
    try {
      const bytes = await fetchFile(options, name)
      if (bytes === undefined) return
      sum.files += 1
      sum.bytes += bytes
    } catch (error) {
      if (!isTreelogError(error) || error.code === "StorageError") throw toStorageError(error, root, "write")
      sum.failed += 1
      onError(name, error)
    }
  })
  return sum
}

/** Does something for each, for some at a time. */
async function each<Item>(
  { signal }: RemoteOptions,
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const rest = items.values()
  const worker = async (): Promise<void> => {
    for (const item of rest) {
      signal?.throwIfAborted()
      await work(item)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}

/** @returns how many bytes of it were sent */
async function sendFile(
  { fs, root, objects }: RemoteOptions,
  path: string,
  { id, others }: { readonly id: string; readonly others: readonly string[] },
): Promise<number> {
  const former: RemoteFile[] = []
  for (const name of others) {
    const bytes = await objects.read(FILES + name)
    const known = bytes && fileIn(bytes)
    if (known) former.push(known)
  }
  const known = new Set(former.flatMap(({ pieces }) => pieces.map(({ hash }) => hash)))
  const { file, stat } = await openPlain(fs, join(root, path))
  const pieces: Piece[] = []
  let written = 0
  try {
    const [size, sizes] = [Number(stat.size), sizesOf(former.at(-1)?.pieces ?? [])]
    for (let at = 0; at < size; ) {
      const bytes = Buffer.allocUnsafe(Math.min(sizes.shift() ?? PIECE, size - at))
      if ((await readWhole(file, bytes, at)) < bytes.length)
        throw new TreelogError("SessionChangedError", `${path} was cut.`, { key: path, change: "shrunk" })
      const hash = await webDigest.sha256(bytes)
      if (!known.has(hash)) {
        await objects.write(pieceName(id, hash), bytes)
        written += bytes.length
      }
      pieces.push({ hash, size: bytes.length })
      at += bytes.length
    }
  } finally {
    await file.close()
  }
  const own: RemoteFile = { path, modified: String(stat.mtimeNs), pieces }
  const name = nameOf(id, stat)
  await objects.write(FILES + name, Buffer.from(JSON.stringify(own)))
  for (const other of others) if (other !== name) await objects.remove(FILES + other)
  const needed = new Set(pieces.map(({ hash }) => hash))
  for (const hash of known) if (!needed.has(hash)) await objects.remove(pieceName(id, hash))
  return written
}

/** Where a file is cut, so that pieces that are there already serve again. */
function sizesOf(pieces: readonly Piece[]): number[] {
  const small = pieces.filter(({ size }) => size < PIECE)
  const kept = small.length > SMALL_PIECES ? pieces.slice(0, pieces.indexOf(small[0] as Piece)) : pieces
  return kept.map(({ size }) => size)
}

/** @returns how many bytes it has; undefined where one of its name is here */
async function fetchFile({ fs, root, objects }: RemoteOptions, name: string): Promise<number | undefined> {
  const stored = await objects.read(name)
  const described = stored && fileIn(stored)
  const id = described && (await idOf(described.path))
  // Nothing that is written there decides where it is written here.
  const isCopy = (path: string): boolean => COPY.test(path) && !path.split("/").some((part) => /^\.{0,2}$/.test(part))
  if (!described || !name.startsWith(`${FILES}${id}.`) || !isCopy(described.path))
    throw invalid(`${name} in ${objects.name} describes no copy.`, objects)
  const { path, modified, pieces } = described
  const to = join(root, path)
  if (isStat((await statMany(fs, [to]))[0])) return undefined
  const temporary = join(root, path.slice(0, path.indexOf("/")), "temporary", `${id}`)
  await makeDurableFolder(fs, dirname(temporary))
  const file = await fs.open(temporary, "w", FILE_MODE)
  let at = 0
  try {
    for (const { hash } of pieces) {
      const bytes = await objects.read(pieceName(`${id}`, hash))
      if (!bytes) throw new TreelogError("BlobNotFoundError", `${objects.name} lacks a piece of ${path}.`, { hash })
      const actual = await webDigest.sha256(bytes)
      if (actual !== hash) {
        const message = `A piece of ${path} in ${objects.name} is damaged.`
        throw new TreelogError("BlobDamagedError", message, { hash, actual, quarantine: undefined })
      }
      await writeWhole(file, bytes, at)
      at += bytes.length
    }
    await file.datasync()
    // As `keep` finds it complete.
    const seconds = Number(modified) / 1e9
    await file.utimes(seconds, seconds)
    await file.sync()
  } finally {
    await file.close()
  }
  await makeDurableFolder(fs, dirname(to))
  await fs.rename(temporary, to)
  await syncFolder(fs, dirname(to))
  return at
}

/** The names of what is there, by the ids of files: one each, or two where a process was killed. */
async function sentFiles(objects: RemoteObjects): Promise<Map<string, string[]>> {
  const files = new Map<string, string[]>()
  for await (const name of objects.list(FILES)) {
    const [id = ""] = name.split(".")
    const names = files.get(id)
    if (names) names.push(name)
    else files.set(id, [name])
  }
  return files
}

/** The object of a file: its name has its time and its size, so that a list of names says what has changed. */
function nameOf(id: string, { size, mtimeNs }: FileStat): string {
  return `${id}.${mtimeNs}.${size}`
}

/** Whether an object is of the present state of a file: one that was brought back has its time but for some nanoseconds. */
function isOf(name: string, stat: FileStat): boolean {
  const [, time, size] = /^\w+\.(\d+)\.(\d+)$/.exec(name) ?? []
  return time !== undefined && size !== undefined && isCurrentCopy(stat, { mtimeNs: BigInt(time), size: BigInt(size) })
}

function timeIn(name: string): number {
  return Number(name.split(".")[1])
}

function idOf(path: string): Promise<string> {
  return webDigest.sha256(Buffer.from(JSON.stringify(path)))
}

function pieceName(id: string, hash: string): string {
  return `pieces/${id}/${hash}`
}

/** What an object says of a file; undefined for any other. */
function fileIn(bytes: Uint8Array): RemoteFile | undefined {
  try {
    const { path, modified, pieces } = JSON.parse(text(bytes))
    const isPiece = (one: Piece): boolean => typeof one?.hash === "string" && Number.isSafeInteger(one.size)
    return typeof path === "string" && Array.isArray(pieces) && pieces.every(isPiece)
      ? { path, modified, pieces }
      : undefined
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return undefined
    throw error
  }
}

function text(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes)
}

/** Makes a place that of this folder: the copies of two machines have the same names. @throws InvalidArgumentError where it is another's */
async function claim(root: string, objects: RemoteObjects): Promise<void> {
  const own = ownerOf(root) ?? writeOwner(root, randomUUID())
  if (!(await objects.read(OWNER))) await objects.write(OWNER, Buffer.from(own))
  const owner = await objects.read(OWNER)
  if (owner && text(owner) === own) return
  const message = `${objects.name} has the copies of another machine, or of another folder: name a place of its own for those of ${root}.`
  throw invalid(message, objects)
}

function ownerPath(root: string): string {
  return join(root, "owner.txt")
}

/** Whose copies a folder has; undefined where that was never asked. @throws StorageError */
function ownerOf(root: string): string | undefined {
  try {
    return readFileSync(ownerPath(root), "utf8")
  } catch (error) {
    if (isErrno(error, "ENOENT")) return undefined
    throw toStorageError(error, ownerPath(root), "read")
  }
}

function writeOwner(root: string, owner: string): string {
  try {
    writeFileSync(ownerPath(root), owner, { mode: FILE_MODE, flush: true })
    return owner
  } catch (error) {
    throw toStorageError(error, ownerPath(root), "write")
  }
}

function invalid(message: string, { name }: RemoteObjects): TreelogError<"InvalidArgumentError"> {
  return new TreelogError("InvalidArgumentError", message, { argument: "into", value: name })
}
