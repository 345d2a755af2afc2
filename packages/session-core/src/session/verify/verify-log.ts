import { type Diagnostic, isDamage } from "../../entry/diagnostic.js"
import type { BlobStore } from "../../ports/blob-store.js"
import type { LoadedContent } from "../reader/load-stored.js"
import { BlobChecks } from "./check-blobs.js"
import { EntryChecks } from "./check-entries.js"

/** What `verify` found. */
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
  blobs?: BlobStore,
): Promise<Verification> {
  const { diagnostics } = state
  const [entryChecks, blobChecks] = [new EntryChecks(state), new BlobChecks(state, blobs)]
  for (const [ordinal, entry] of state.iterateEntries())
    diagnostics.push(...entryChecks.of(ordinal, entry), ...(await blobChecks.of(ordinal, entry)))
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
