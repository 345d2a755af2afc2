import { dirname, join } from "node:path"
import { isTreelogError } from "@treelog/session-core"
import type { AddedArtifacts, SessionArtifact } from "@treelog/session-core/adapter"
import {
  type FsPort,
  fileChunks,
  isErrno,
  isFileName,
  lstatIfThere,
  makeFolder,
  openPlain,
  placeNew,
  readWhole,
  syncFolder,
} from "@treelog-internal/fs"
import { isFolder } from "./artifacts.js"
import { artifactsFolder } from "./session-name.js"
import { type NewFile, tempName, writeTemp } from "./temp-file.js"

// Crash argument. A file is whole and on the disk under a temporary name of the lease, beside the session, before it gets its own: by a call
// that fails where that is taken, or by a rename. The names of all of them are on the disk before the call ends. After a crash the next holder of
// the lease removes the temporary file, and the next call adds the rest.

/**
 * Stores a file of the folder; `isNew` never over one that is there. Resolves to the folders whose names changed; undefined where it was not
 * stored.
 */
export type StoreArtifact = (
  path: string,
  chunks: AsyncIterable<Uint8Array>,
  isNew: boolean,
) => Promise<readonly string[] | undefined>

interface Adding {
  readonly replace: boolean
  readonly store: StoreArtifact
  /** Folders whose names changed. */
  readonly changed: Set<string>
  /** Folders of the artifacts that are no links. */
  readonly known: Set<string>
}

/** Compares artifacts with those of a session, and stores what it lacks. @param replace store those that differ, too */
export async function addArtifacts(
  fs: FsPort,
  key: string,
  artifacts: AsyncIterable<SessionArtifact>,
  how: Pick<Adding, "replace" | "store">,
): Promise<AddedArtifacts> {
  const top = artifactsFolder(key)
  const adding = { ...how, changed: new Set<string>(), known: new Set<string>() }
  const left: string[] = []
  let added = 0
  for await (const { name, chunks } of artifacts) {
    const outcome = top === undefined || !chunks ? "left" : await addNamed(fs, top, name, chunks, adding)
    if (outcome === "added") added += 1
    else if (outcome === "left") left.push(name)
  }
  for (const folder of adding.changed) await syncFolder(fs, folder)
  return { added, left }
}

/** A name that is too long here is none. */
async function addNamed(
  fs: FsPort,
  top: string,
  name: string,
  chunks: AsyncIterable<Uint8Array>,
  adding: Adding,
): Promise<"added" | "same" | "left"> {
  try {
    return (await isPlace(fs, top, name, adding.known)) ? await addOne(fs, join(top, name), chunks, adding) : "left"
  } catch (error) {
    if (isErrno(isTreelogError(error, "StorageError") ? error.cause : error, "ENAMETOOLONG")) return "left"
    throw error
  }
}

async function addOne(
  fs: FsPort,
  path: string,
  chunks: AsyncIterable<Uint8Array>,
  { replace, store, changed }: Adding,
): Promise<"added" | "same" | "left"> {
  const put = async (bytes: AsyncIterable<Uint8Array>, isNew: boolean): Promise<"added" | "left"> => {
    const folders = await store(path, bytes, isNew)
    for (const folder of folders ?? []) changed.add(folder)
    return folders ? "added" : "left"
  }
  const there = await lstatIfThere(fs, path)
  if (!there) return put(chunks, true)
  if (!there.isFile()) return "left"
  const differing = await difference(fs, path, chunks)
  if (!differing) return "same"
  try {
    if (!replace && !differing.hasGrown) return "left"
    return await put(differing.whole(), false)
  } finally {
    await differing.end()
  }
}

/** Writes a file of the artifacts, durably but for its name, as `StoreArtifact` says. The lease of the session is held. */
export async function storeArtifact(
  { fs, path: session, token, temporaryFiles }: NewFile,
  path: string,
  chunks: AsyncIterable<Uint8Array>,
  isNew: boolean,
): Promise<readonly string[] | undefined> {
  const folders = [...makeFolder(fs, dirname(path)), dirname(path)]
  const temp = tempName(session, token)
  try {
    await writeTemp(fs, temp, chunks, { unlike: new Set() })
    if (!isNew) await fs.rename(temp, path)
    else if (!placeNew(fs, temp, path)) return undefined
  } finally {
    temporaryFiles.discard(temp)
  }
  return folders
}

/** Whether the name is one in the folder, and not behind a link, where the files of somebody else are. */
async function isPlace(fs: FsPort, top: string, name: string, known: Set<string>): Promise<boolean> {
  const parts = name.split("/")
  if (!parts.every(isFileName)) return false
  for (let folder = top; parts.length > 0; folder = join(folder, parts.shift() ?? "")) {
    if (known.has(folder)) continue
    const isThere = (await lstatIfThere(fs, folder)) !== undefined
    if (isThere && !(await isFolder(fs, folder))) return false
    if (isThere) known.add(folder)
  }
  return true
}

/** Undefined where a file has all of the bytes; otherwise whether it has the beginning of them, and the bytes, which can be read once. */
async function difference(fs: FsPort, path: string, chunks: AsyncIterable<Uint8Array>) {
  const iterator = chunks[Symbol.asyncIterator]()
  const { file, stat } = await openPlain(fs, path)
  try {
    for (let at = 0; ; ) {
      const { value, done } = await iterator.next()
      if (done) return undefined
      const stored = Buffer.alloc(value.length)
      const length = await readWhole(file, stored, at)
      const isSame = stored.subarray(0, length).equals(value.subarray(0, length))
      if (isSame && length === value.length) {
        at += length
        continue
      }
      const [same, next] = [at, new Uint8Array(value)]
      return {
        hasGrown: isSame && BigInt(at + length) === stat.size,
        end: async () => iterator.return?.(),
        async *whole(): AsyncGenerator<Uint8Array> {
          let left = same
          if (left > 0)
            for await (const chunk of fileChunks(fs, path)) {
              yield chunk.subarray(0, left)
              left -= Math.min(left, chunk.length)
              if (left === 0) break
            }
          yield next
          for (let more = await iterator.next(); !more.done; more = await iterator.next()) yield more.value
        },
      }
    }
  } finally {
    await file.close()
  }
}
