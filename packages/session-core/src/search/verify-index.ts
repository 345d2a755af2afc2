import type { IndexFault, IndexUpdateOptions } from "../ports/session-index.js"
import type { SessionStorage } from "../ports/session-storage.js"
import { type FactsDigest, type IndexChange, type IndexedState, type IndexTables, isSameStat } from "./index-tables.js"
import { updateIndex } from "./update-index.js"

/**
 * Reads all sessions of a storage, and reports what an index has that does not follow from them. What cannot be read is no fault of
 * the index.
 */
export async function verifyIndex(
  storage: SessionStorage,
  tables: Pick<IndexTables, "settledStats" | "state" | "digests">,
  { signal }: Pick<IndexUpdateOptions, "signal"> = {},
): Promise<IndexFault[]> {
  const faults: IndexFault[] = []
  const known = await tables.settledStats()
  // What an update of an empty index would store is compared with what is there.
  const read = new Set<string>()
  let derived: FactsDigest[] = []
  const comparison: IndexTables = {
    settledStats: () => new Map(),
    state: () => undefined,
    digests: () => [],
    remove: () => true,
    put: async ({ state, facts, from }: IndexChange) => {
      const { key } = state.session
      if (from === 0) derived = []
      for (const one of facts) derived.push({ offset: one.offset, digest: one.digest })
      if (!state.isWhole) return true
      read.add(key)
      const kind = await difference(tables, await tables.state(key), state, derived)
      if (kind) faults.push({ key, kind, message: `${key} ${MESSAGES[kind]}. Run an update.` })
      return true
    },
  }
  const { failed } = await updateIndex(storage, comparison, { signal })
  for (const { key } of failed) read.add(key)
  for (const key of known.keys())
    if (!read.has(key)) faults.push({ key, kind: "gone", message: `${key} ${MESSAGES.gone}. Run an update.` })
  return faults
}

const MESSAGES: Readonly<Record<IndexFault["kind"], string>> = {
  missing: "is not indexed",
  gone: "is indexed, but stored no more",
  outdated: "has changed since it was indexed",
  different: "is not indexed as it is stored; if that stays so, rebuild the index",
}

async function difference(
  tables: Pick<IndexTables, "digests">,
  known: IndexedState | undefined,
  state: IndexedState,
  derived: readonly FactsDigest[],
): Promise<IndexFault["kind"] | undefined> {
  if (!known) return "missing"
  if (!known.isWhole || !isSameStat(known.stat, state.stat)) return "outdated"
  const kept = await tables.digests(state.session.key)
  const isSame = kept.length === derived.length && kept.every((one, at) => isSameDigest(one, derived[at]))
  return isSame && JSON.stringify(known.session) === JSON.stringify(state.session) ? undefined : "different"
}

function isSameDigest(a: FactsDigest, b: FactsDigest | undefined): boolean {
  return a.offset === b?.offset && a.digest === b.digest
}
