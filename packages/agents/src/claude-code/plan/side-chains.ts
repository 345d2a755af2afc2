import type { SourceRecord } from "../source/source-record.js"

/** The side chains of a file, as version 1 writes them: the lines of its sub-agents, by the uuid of their first, or its place where it has none. */
export function sideChainsOf(records: readonly SourceRecord[]): Map<string, SourceRecord[]> {
  const chains = new Map<string, SourceRecord[]>()
  /** By uuid. */
  const rootOf = new Map<string | undefined, string>()
  for (const record of records) {
    if (!record.isSidechain) continue
    const { uuid, parent, line, part } = record
    const root = rootOf.get(uuid) ?? rootOf.get(parent) ?? uuid ?? `line-${line}-${part}`
    if (uuid !== undefined) rootOf.set(uuid, root)
    const chain = chains.get(root)
    if (chain) chain.push(record)
    else chains.set(root, [record])
  }
  return chains
}
