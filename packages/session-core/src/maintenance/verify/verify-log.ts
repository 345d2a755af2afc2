import { type Diagnostic, isDamage } from "../../entry/diagnostic.js"
import { isEntry, type SessionEntry } from "../../entry/entry.js"
import { sourceOf } from "../../entry/session-origin.js"
import { isTreelogError } from "../../errors.js"
import { blobUse } from "../../persist/restore-entry.js"
import type { BlobSource } from "../../ports/blob-store.js"
import type { LoadedContent } from "../../session/reader/load-stored.js"
import type { SessionState } from "../../session/session-state.js"
import { concurrentBranches } from "../../tree/concurrent-branches.js"
import { entryChecks } from "./check-entries.js"

/** What `verifySession` found. */
export interface Verification {
  /** The storage's key of the session: for files, its path. */
  readonly path: string
  readonly id: string
  readonly version: unknown
  readonly lines: number
  readonly entries: number
  /** Bytes. */
  readonly size: number
  /** False when something is broken; an old version or a missing last line end is not. */
  readonly ok: boolean
  /** In file order, each with line and byte offset where it has a place. */
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Checks everything that can be wrong with a stored session: lines, header, ids, parents, labels, compactions, and, where a
 * blob store is given, the blobs that it names.
 */
export async function verifyLoaded(
  { outline, content: { header, state }, migration }: LoadedContent,
  path: string,
  blobs?: BlobSource,
): Promise<Verification> {
  const { diagnostics } = state
  const [checkEntry, checkBlobs] = [entryChecks(state), blobChecks(state, blobs)]
  const roles: (string | undefined)[] = []
  for (const [ordinal, entry] of state.iterateEntries()) {
    roles.push(isEntry(entry, "message") ? entry.message?.role : undefined)
    diagnostics.push(...checkEntry(ordinal, entry), ...(await checkBlobs(ordinal, entry)))
  }
  if (sourceOf(header).agent !== undefined) diagnostics.push(...concurrentBranches(state.tree, state.leafId, roles))
  if (migration) {
    const { line, offset } = outline.headerPlace
    const message = `The session has version ${migration.from}; opening it for writing migrates it to ${migration.to}.`
    diagnostics.push({ kind: "old-version", line, offset, message })
  }
  diagnostics.sort((a, b) => (a.offset ?? 0) - (b.offset ?? 0))
  return {
    path,
    id: header.id,
    version: outline.header.version ?? 1,
    lines: outline.end.lines,
    entries: state.size,
    size: outline.end.size,
    ok: !diagnostics.some(isDamage),
    diagnostics,
  }
}

/**
 * Finds blobs that entries name and that are missing or damaged, and texts that were cut for good. Each blob is read once.
 * @param blobs without it, only texts are checked
 */
function blobChecks(
  state: SessionState,
  blobs: BlobSource | undefined,
): (ordinal: number, entry: SessionEntry) => Promise<Diagnostic[]> {
  const known = new Map<string, "missing-blob" | "damaged-blob" | undefined>()
  return async (ordinal, entry) => {
    const faults: Diagnostic[] = []
    const { hashes, hasLostText } = blobUse(entry)
    if (hasLostText) {
      const message = `Entry ${entry.id} holds a text that was cut by the program that wrote it; the rest was kept nowhere.`
      faults.push(state.faultAt(ordinal, "cut-text", message))
    }
    for (const hash of blobs ? hashes : []) {
      if (blobs && !known.has(hash)) known.set(hash, await blobFault(blobs, hash))
      const kind = known.get(hash)
      if (!kind) continue
      const what = kind === "missing-blob" ? "is not in the blob store" : "is damaged in the blob store"
      faults.push(state.faultAt(ordinal, kind, `Entry ${entry.id} names blob ${hash}, which ${what}.`))
    }
    return faults
  }
}

async function blobFault(blobs: BlobSource, hash: string): Promise<"missing-blob" | "damaged-blob" | undefined> {
  try {
    for await (const _ of blobs.openRead(hash));
    return undefined
  } catch (error) {
    if (isTreelogError(error, "BlobNotFoundError")) return "missing-blob"
    if (isTreelogError(error, "BlobDamagedError")) return "damaged-blob"
    throw error
  }
}
