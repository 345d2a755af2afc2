import type { IndexFault, IndexUpdateOptions } from "../ports/session-index.js"
import type { SessionSource } from "../ports/session-source.js"
import { FROM_START } from "../session/reader/resume-reading.js"
import {
  type IndexChange,
  type IndexedState,
  type IndexTables,
  isSameStat,
  type KeptFacts,
  keptFacts,
} from "./index-tables.js"
import { updateIndex } from "./update-index.js"

/**
 * Reads all sessions of a storage, and reports what an index has that does not follow from them. What cannot be read is no fault of
 * the index. What is not as it is stored is read anew by the next update.
 */
export async function verifyIndex(
  storage: SessionSource,
  tables: Pick<IndexTables, "settledStats" | "state" | "isKept" | "put" | "flush">,
  { signal }: Pick<IndexUpdateOptions, "signal"> = {},
): Promise<IndexFault[]> {
  const faults: IndexFault[] = []
  /** Sessions that an update would take for unchanged, or for longer. */
  const different: IndexedState[] = []
  const known = await tables.settledStats()
  // What an update of an empty index would store is compared with what is there.
  const read = new Set<string>()
  let derived: KeptFacts[] = []
  const comparison: IndexTables = {
    settledStats: () => new Map(),
    state: () => undefined,
    isKept: () => false,
    remove: () => true,
    put: async ({ state, facts, from }: IndexChange) => {
      const { key } = state.session
      if (from === 0) derived = []
      for (const one of facts) derived.push(keptFacts(one))
      if (!state.isWhole) return true
      read.add(key)
      const stored = await tables.state(key)
      const kind = await difference(tables, stored, state, derived)
      if (kind === "different" && stored) different.push(stored)
      if (kind) faults.push({ key, kind, message: `${key} ${MESSAGES[kind]}. Run an update.` })
      return true
    },
  }
  const { failed, foreign } = await updateIndex(storage, comparison, { signal })
  for (const key of [...failed.map(({ key }) => key), ...foreign]) read.add(key)
  for (const key of known.keys())
    if (!read.has(key)) faults.push({ key, kind: "gone", message: `${key} ${MESSAGES.gone}. Run an update.` })
  for (const former of different) {
    const state = { ...former, mark: FROM_START, isWhole: false, isSettled: false }
    await tables.put({ former, state, facts: [], from: former.stat.size })
  }
  await tables.flush?.()
  return faults
}

const MESSAGES: Readonly<Record<IndexFault["kind"], string>> = {
  missing: "is not indexed",
  gone: "is indexed, but stored no more",
  outdated: "has changed since it was indexed",
  different: "is not indexed as it is stored",
}

async function difference(
  tables: Pick<IndexTables, "isKept" | "state">,
  known: IndexedState | undefined,
  state: IndexedState,
  derived: readonly KeptFacts[],
): Promise<IndexFault["kind"] | undefined> {
  if (!known) return "missing"
  if (!known.isWhole || !isSameStat(known.stat, state.stat)) return "outdated"
  if (JSON.stringify(known.session) !== JSON.stringify(state.session)) return "different"
  if (await tables.isKept(state.session.key, derived)) return undefined
  // Another may have updated the index between the two questions.
  const now = await tables.state(state.session.key)
  return now && isSameStat(now.stat, known.stat) ? "different" : "outdated"
}
