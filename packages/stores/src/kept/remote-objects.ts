// The forms of objects: `files/ID.TIME.SIZE` says of a file its path, its time and its pieces, `pieces/ID/HASH` has one of these. An id is the hash of the
// path, so that the list of files says which are there as they are here.

import { webDigest } from "@treelog/session-core/adapter"
import type { FileStat } from "@treelog-internal/fs"
import { isCurrentCopy } from "./compare-files.js"

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

/** A part of a file. */
export interface Piece {
  /** Of its bytes: SHA-256, in hex. */
  readonly hash: string
  /** Bytes. */
  readonly size: number
}

/** What is known of a file. */
export interface RemoteFile {
  /** In the folder with the copies, with `/`. */
  readonly path: string
  /** When it was written. Nanoseconds since 1970. */
  readonly modified: string
  readonly pieces: readonly Piece[]
}

/** The largest piece. Bytes. */
export const PIECE = 4 * 1024 * 1024
export const FILES = "files/"

/** The names of what is there, by the ids of files: one each, or two where a process was killed. */
export async function sentFiles(objects: RemoteObjects): Promise<Map<string, string[]>> {
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
export function nameOf(id: string, { size, mtimeNs }: FileStat): string {
  return `${id}.${mtimeNs}.${size}`
}

/** Whether an object is of the present state of a file: one that was brought back has its time but for some nanoseconds. */
export function isOf(name: string, stat: FileStat): boolean {
  const [, time, size] = /^\w+\.(\d+)\.(\d+)$/.exec(name) ?? []
  return time !== undefined && size !== undefined && isCurrentCopy(stat, { mtimeNs: BigInt(time), size: BigInt(size) })
}

export function timeIn(name: string): number {
  return Number(name.split(".")[1])
}

export function idOf(path: string): Promise<string> {
  return webDigest.sha256(Buffer.from(JSON.stringify(path)))
}

export function pieceName(id: string, hash: string): string {
  return `pieces/${id}/${hash}`
}

/** What an object says of a file; undefined for any other. */
export function fileIn(bytes: Uint8Array): RemoteFile | undefined {
  try {
    const { path, modified, pieces } = JSON.parse(text(bytes))
    const isFile = typeof path === "string" && /^\d+$/.test(modified) && Array.isArray(pieces) && pieces.every(isPiece)
    return isFile ? { path, modified, pieces } : undefined
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return undefined
    throw error
  }
}

/** Hashes are parts of names of objects: any other text could name an object that is not of these copies. */
function isPiece({ hash, size }: Piece): boolean {
  return /^[0-9a-f]{64}$/.test(hash) && Number.isInteger(size) && size > 0 && size <= PIECE
}

export function text(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes)
}
