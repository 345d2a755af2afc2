import type { SourceRecord } from "../source/source-record.js"

/** The lines of a sub-agent within the file of its session, as version 1 writes them. */
export interface SideChain {
  /** The uuid of its first line; its place where it has none. */
  readonly root: string
  readonly records: readonly SourceRecord[]
}

/** The side chains of a file, one for each root, in the order of their first lines. */
export function sideChainsOf(records: readonly SourceRecord[]): SideChain[] {
  const chains = new Map<string, SourceRecord[]>()
  /** By uuid. */
  const rootOf = new Map<string | undefined, string>()
  for (const record of records) {
    if (!record.isSidechain) continue
    const { uuid, parent } = record
    const root = rootOf.get(uuid) ?? rootOf.get(parent) ?? rootIdOf(record)
    if (uuid !== undefined) rootOf.set(uuid, root)
    const chain = chains.get(root)
    if (chain) chain.push(record)
    else chains.set(root, [record])
  }
  return [...chains].map(([root, chain]) => ({ root, records: chain }))
}

function rootIdOf({ uuid, line, part }: SourceRecord): string {
  return uuid ?? `line-${line}-${part}`
}
