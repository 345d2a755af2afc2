// The copies of `keep`, elsewhere: each file is stored in pieces, and one object for it names them. What has grown costs the bytes that are new.
// Killed anywhere, nothing is lost: pieces are there before an object names them, and are removed when none does any more. What is no more here is
// never removed there: this machine may be a new one.

import { randomUUID } from "node:crypto"
import { writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { isTreelogError, TreelogError } from "@treelog/session-core"
import { webDigest } from "@treelog/session-core/adapter"
import {
  FILE_MODE,
  type FsPort,
  forEach,
  isErrno,
  isStat,
  makeDurableFolder,
  openPlain,
  readWhole,
  renameDurably,
  statMany,
  textIfThere,
  toStorageError,
  writeWhole,
} from "@treelog-internal/fs"
import { filesAt } from "./keep-files.js"
import {
  FILES,
  fileIn,
  idOf,
  isOf,
  nameOf,
  PIECE,
  type Piece,
  pieceName,
  type RemoteFile,
  type RemoteObjects,
  sentFiles,
  text,
  timeIn,
} from "./remote-objects.js"

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

/** A file with more pieces than these that are smaller gets larger ones. */
const SMALL_PIECES = 64
/** So many files are on their way at a time. */
const AT_ONCE = 8

const OWNER = "owner"
/** In the folder with the copies: a store, and its present or former files. */
const COPY = /^[^/]+\/(?:files|former-\d{1,4})\/./

/**
 * Sends what copies have and their other place has not.
 * @throws InvalidArgumentError where that has the copies of another machine; StorageError where it cannot be reached any more: the next time sends the rest
 */
export async function sendCopies(options: RemoteOptions): Promise<RemoteReport> {
  const { fs, root, objects, signal, onError } = options
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
  await forEach(copies, AT_ONCE, async ([path, stat]) => {
    signal?.throwIfAborted()
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
  const { root, objects, signal, onError } = options
  const owner = await objects.read(OWNER)
  if (!owner) throw invalid(`${objects.name} has no copies: treelog keep --into ${objects.name} sends some.`, objects)
  if (ownerOf(root) === undefined) writeOwner(root, text(owner))
  const sum = { files: 0, bytes: 0, failed: 0 }
  await forEach([...(await sentFiles(objects))], AT_ONCE, async ([id, names]) => {
    signal?.throwIfAborted()
    // Of a file that was on its way when a process was killed, both are complete.
    const name = FILES + (names.sort((a, b) => timeIn(a) - timeIn(b)).at(-1) ?? id)
    try {
      const bytes = await fetchFile(options, name)
      if (bytes === undefined) return
      sum.files += 1
      sum.bytes += bytes
    } catch (error) {
      const fault = toStorageError(error, `${objects.name}/${name}`, "write")
      // What cannot be reached, or is full, is so for all.
      const isForAll = isTreelogError(error, "StorageError") || isErrno(error, "ENOSPC", "EROFS", "EDQUOT")
      if (isForAll || !isTreelogError(fault)) throw isForAll ? toStorageError(error, root, "write") : error
      sum.failed += 1
      onError(name, fault)
    }
  })
  return sum
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
  await renameDurably(fs, temporary, to)
  return at
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
  return textIfThere(ownerPath(root))
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
