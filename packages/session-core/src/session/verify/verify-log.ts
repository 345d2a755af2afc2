import { unknownBoundary } from "../../context/boundary.js"
import { isEdit } from "../../context/edits.js"
import { hasMessage } from "../../context/entry-message.js"
import { type Diagnostic, isDamage } from "../../entry/diagnostic.js"
import { isEntry, type SessionEntry } from "../../entry/entry.js"
import type { JsonObject } from "../../entry/json-object.js"
import { valueText } from "../../entry/value-text.js"
import type { BlobStore } from "../../ports/blob-store.js"
import { Ancestors } from "../../tree/ancestors.js"
import type { LoadedContent } from "../reader/load-stored.js"
import type { SessionState } from "../session-state.js"
import { Checkpoints } from "./checkpoints.js"
import { faultAt } from "./fault-at.js"
import { blobFaults } from "./verify-blobs.js"

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
  const diagnostics = [...state.diagnostics, ...contentFaults(state), ...(await blobFaults(state, blobs))]
  if (migration) {
    const message = `The session has version ${migration.from}; opening it for writing migrates it to ${migration.to}.`
    diagnostics.push({
      kind: "old-version",
      line: outline.headerPlace.line,
      offset: outline.headerPlace.offset,
      message,
    })
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

/** What is wrong with the content of entries, their links aside: labels, compactions and their checkpoints, messages. */
export function contentFaults(state: SessionState): Diagnostic[] {
  return [...labelFaults(state), ...compactionFaults(state), ...fieldFaults(state)]
}

function labelFaults(state: SessionState): Diagnostic[] {
  return state.ordinalsOf("label").flatMap((ordinal) => {
    const entry = state.entryAt(ordinal)
    if (!entry || !isEntry(entry, "label") || state.tree.has(entry.targetId)) return []
    const message = `Label entry ${entry.id} labels ${valueText(entry.targetId)}, which is not in the file.`
    return [faultAt(state, ordinal, "unknown-label-target", message)]
  })
}

/** Each entry is checked once, however many compactions there are. */
function compactionFaults(state: SessionState): Diagnostic[] {
  const compactions = state.ordinalsOf("compaction").flatMap((ordinal) => {
    const entry = state.entryAt(ordinal)
    return entry && isEntry(entry, "compaction") ? [{ ordinal, entry }] : []
  })
  if (compactions.length === 0) return []
  const ancestors = new Ancestors(state.tree)
  const byId = ordinalsById(state)
  const checkpoints = new Checkpoints(state)
  return compactions.flatMap(({ ordinal, entry }) => {
    const { id, firstKeptEntryId, settings } = entry
    const kept: unknown = firstKeptEntryId
    const isKnown = (byId.get(kept) ?? []).some((candidate) => ancestors.isOnPathTo(ordinal, candidate))
    const faults = isKnown
      ? []
      : [faultAt(state, ordinal, "unknown-compaction-boundary", unknownBoundary(entry).message)]
    if (settings === undefined || sameJson(settings, checkpoints.at(ordinal))) return faults
    // A checkpoint must hold what the path to it gives; otherwise a reader that stops there sees other settings.
    const message = `Compaction ${id} carries settings that are not those of its path; a reader that trusts them is misled.`
    return [...faults, faultAt(state, ordinal, "checkpoint-mismatch", message)]
  })
}

function ordinalsById(state: SessionState): Map<unknown, number[]> {
  const byId = new Map<unknown, number[]>()
  for (let ordinal = 0; ordinal < state.size; ordinal++) {
    const { id } = state.tree.headAt(ordinal)
    const twins = byId.get(id)
    if (twins) twins.push(ordinal)
    else byId.set(id, [ordinal])
  }
  return byId
}

function fieldFaults(state: SessionState): Diagnostic[] {
  const faults: Diagnostic[] = []
  for (const [ordinal, entry] of state.iterateEntries()) {
    const message = fieldFault(entry)
    if (message !== undefined) faults.push(faultAt(state, ordinal, "invalid-field", message))
  }
  return faults
}

function fieldFault(entry: SessionEntry): string | undefined {
  if (isEntry(entry, "context_edit") && !isEdit(entry.replacement))
    return `Edit ${entry.id} has no replacement; readers ignore it.`
  if (!isEntry(entry, "message") || hasMessage(entry)) return undefined
  return `Entry ${entry.id} is of type message, but holds none.`
}

/** Equal as JSON, whatever the order of keys. Without recursion: the data of a mode may be nested to any depth. */
function sameJson(one: unknown, other: unknown): boolean {
  const open: [unknown, unknown][] = [[one, other]]
  for (let pair = open.pop(); pair; pair = open.pop()) {
    const [a, b] = pair
    if (a === b) continue
    if (Array.isArray(a) !== Array.isArray(b) || !isContainer(a) || !isContainer(b)) return false
    const keys = Object.keys(a)
    if (keys.length !== Object.keys(b).length || !keys.every((key) => Object.hasOwn(b, key))) return false
    for (const key of keys) open.push([a[key], b[key]])
  }
  return true
}

function isContainer(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null
}
