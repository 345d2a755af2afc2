import { dirname, join } from "node:path"
import { isTreelogError, type SessionStorage } from "@treelog/session-core"
import type { SessionArtifact } from "@treelog/session-core/adapter"
import {
  FILE_MODE,
  type FsPort,
  fileChunks,
  forEach,
  isErrno,
  isFileName,
  lstatIfThere,
  makeFolder,
  openPlain,
  placeNew,
  readWhole,
  syncFolder,
  writeChunks,
} from "@treelog-internal/fs"
import { artifactsFolder } from "../place/session-name.js"
import { type NewFile, tempName } from "../write/temp-file.js"
import { isFolder } from "./artifacts.js"

/** What a storage says of artifacts that were added. */
export type AddedArtifacts = Awaited<ReturnType<NonNullable<SessionStorage["addArtifacts"]>>>

// Crash argument. All files are written into a temporary folder of the lease, beside the session. Then each is synced, many at a time, since the disk
// makes those durable together that wait for it together. Only when all are on the disk, each gets its own name: by a call
// that fails where that is taken, or by a rename. The names of all of them are on the disk before the call ends. After a crash the next holder of
// the lease removes the temporary folder, and the next call adds the rest. One sync of a folder, or of the whole file system, would be faster, but
// no system promises that the first has the bytes of the files, and Node cannot call the second.

/** A file that is written under a temporary name. */
export interface StagedArtifact {
  readonly temp: string
  /** Where it is to be stored. */
  readonly path: string
  /** Never over one that is there. */
  readonly isNew: boolean
}

interface ArtifactLease {
  /** Resolves to the temporary file. */
  stageArtifact(name: string, chunks: AsyncIterable<Uint8Array>): Promise<string>
  /** Resolves to whether each was stored. */
  placeArtifacts(staged: readonly StagedArtifact[]): Promise<readonly boolean[]>
}

interface Adding {
  readonly replace: boolean
  /** The lease of the session, taken when the first file is to be stored. */
  readonly lease: () => Promise<ArtifactLease>
  readonly staged: (StagedArtifact & { readonly name: string })[]
  /** Folders of the artifacts that are no links. */
  readonly known: Set<string>
}

/** How many files are synced at a time. The system decides how many of them it does. */
const SYNCED_TOGETHER = 32

/** Compares artifacts with those of a session, and stores what it lacks. @param replace store those that differ, too */
export async function addArtifacts(
  fs: FsPort,
  key: string,
  artifacts: AsyncIterable<SessionArtifact>,
  how: Pick<Adding, "replace" | "lease">,
): Promise<AddedArtifacts> {
  const top = artifactsFolder(key)
  const adding: Adding = { ...how, staged: [], known: new Set() }
  const left: string[] = []
  for await (const { name, chunks } of artifacts) {
    const outcome = top === undefined || !chunks ? "left" : await addNamed(fs, top, name, chunks, adding)
    if (outcome === "left") left.push(name)
  }
  const { staged } = adding
  const areStored = staged.length === 0 ? [] : await (await how.lease()).placeArtifacts(staged)
  left.push(...staged.flatMap(({ name }, at) => (areStored[at] ? [] : [name])))
  return { added: areStored.filter(Boolean).length, left }
}

/** A name that is too long here is none. */
async function addNamed(
  fs: FsPort,
  top: string,
  name: string,
  chunks: AsyncIterable<Uint8Array>,
  adding: Adding,
): Promise<"staged" | "same" | "left"> {
  try {
    return (await isPlace(fs, top, name, adding.known)) ? await addOne(fs, top, name, chunks, adding) : "left"
  } catch (error) {
    if (isErrno(isTreelogError(error, "StorageError") ? error.cause : error, "ENAMETOOLONG")) return "left"
    throw error
  }
}

async function addOne(
  fs: FsPort,
  top: string,
  name: string,
  chunks: AsyncIterable<Uint8Array>,
  { replace, lease, staged }: Adding,
): Promise<"staged" | "same" | "left"> {
  const path = join(top, name)
  const put = async (bytes: AsyncIterable<Uint8Array>, isNew: boolean): Promise<"staged"> => {
    staged.push({ name, path, isNew, temp: await (await lease()).stageArtifact(String(staged.length + 1), bytes) })
    return "staged"
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

/** Writes a file of the artifacts into the temporary folder of the lease. @param name there */
export async function stageArtifact(
  { fs, path: session, token, temporaryFiles }: NewFile,
  name: string,
  chunks: AsyncIterable<Uint8Array>,
): Promise<string> {
  const folder = tempName(session, token)
  makeFolder(fs, folder)
  temporaryFiles.add(folder)
  const temp = join(folder, name)
  const file = fs.openSync(temp, "wx", FILE_MODE)
  try {
    await writeChunks(file, chunks)
  } finally {
    file.closeSync()
  }
  return temp
}

/** Stores files of the temporary folder durably. Resolves to whether each was stored. */
export async function placeArtifacts({ fs }: NewFile, staged: readonly StagedArtifact[]): Promise<readonly boolean[]> {
  await forEach(staged, SYNCED_TOGETHER, async ({ temp }) => {
    // For writing, which some systems want for a sync.
    const file = fs.openSync(temp, "r+")
    try {
      await file.sync()
    } finally {
      file.closeSync()
    }
  })
  const changed = new Set<string>()
  const areStored = staged.map((one) => placeArtifact(fs, one, changed))
  await forEach([...changed], SYNCED_TOGETHER, (folder) => syncFolder(fs, folder))
  return areStored
}

/** @param changed gets the folders whose names changed */
function placeArtifact(fs: FsPort, { temp, path, isNew }: StagedArtifact, changed: Set<string>): boolean {
  const folder = dirname(path)
  for (const made of makeFolder(fs, folder)) changed.add(made)
  changed.add(folder)
  if (isNew) return placeNew(fs, temp, path)
  fs.renameSync(temp, path)
  return true
}

/** Whether the name is one in the folder, and not behind a link, where the files are not the session's. */
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
