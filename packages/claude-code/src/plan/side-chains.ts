import type { SourceRecord } from "../source/source-record.js"

/** The lines of a sub-agent within the file of its session, as version 1 writes them. */
export interface SideChain {
  /** The uuid of its first line. */
  readonly root: string
  readonly records: readonly SourceRecord[]
}

/** The side chains of a file, one for each root, in the order of their first lines. */
export function sideChainsOf(records: readonly SourceRecord[]): SideChain[] {
  const chains = new Map<string, SourceRecord[]>()
  const rootOf = new Map<string, string>()
  for (const record of records) {
    const { uuid, parent, isSidechain } = record
    if (!isSidechain || uuid === undefined || rootOf.has(uuid)) continue
    const root = (parent !== undefined && rootOf.get(parent)) || uuid
    rootOf.set(uuid, root)
    const chain = chains.get(root)
    if (chain) chain.push(record)
    else chains.set(root, [record])
  }
  return [...chains].map(([root, chain]) => ({ root, records: chain }))
}
