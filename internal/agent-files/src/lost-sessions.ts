import { sep } from "node:path"
import { entriesIn, type FsPort, isStat, statMany } from "@treelog-internal/fs"
import type { AgentSource, SourceSession } from "./agent-source.js"

/** Where the sessions of a kept copy come from. */
export interface Original {
  readonly source: AgentSource
  /** Whether the file at a path still has all that its copy has. */
  readonly hasAllOf: (path: string, copy: string) => Promise<boolean>
}

/**
 * Of the copies of an agent's sessions, those that have something which the agent has no more: a session that it deleted or rewrote, or a part of
 * one. Lists of both then have each session once, and indexes need not read it twice. Whatever is asked for by its key is there.
 */
export function lostSessions(kept: AgentSource, { source, hasAllOf }: Original, fs: FsPort): AgentSource {
  const originalOf = (path: string): string => source.folder + path.slice(kept.folder.length)

  async function isThere(session: SourceSession, originals: () => Promise<Versions>): Promise<boolean> {
    const files = await kept.files(session)
    if (files.length === 0) return (await originals()).get(originalOf(session.key)) === session.version
    for (const copy of [...files, ...(await filesBelow(fs, session.key.replace(/\.[^./\\]+$/, "")))])
      if (!(await hasAllOf(originalOf(copy), copy))) return false
    return true
  }

  async function versions(): Promise<Versions> {
    const found = new Map<string, string>()
    for await (const some of source.list({ parts: true }))
      for (const { key, version, error } of some) if (!error) found.set(key, version)
    return found
  }

  async function lost(filter: Parameters<AgentSource["list"]>[0]): Promise<readonly SourceSession[]> {
    const all: SourceSession[] = []
    const wanted = new Set<string>()
    let known: Promise<Versions> | undefined
    const originals = (): Promise<Versions> => {
      known ??= versions()
      return known
    }
    for await (const some of kept.list({ ...filter, parts: true })) all.push(...some)
    for (const session of all) {
      const root = session.part?.of ?? session.key
      if (!wanted.has(root) && (session.error || !(await isThere(session, originals)))) wanted.add(root)
    }
    return all.filter(({ key, part }) => wanted.has(part?.of ?? key) && (filter.parts || !part))
  }

  /** Whether it is worth reading the copies: as a rule the agent has all that they have, which their files say. */
  async function isAnyLost(): Promise<boolean> {
    const [stat] = await statMany(fs, [kept.folder])
    if (isStat(stat) && stat.isFile()) return true
    for (const copy of await filesBelow(fs, kept.folder)) if (!(await hasAllOf(originalOf(copy), copy))) return true
    return false
  }

  const { end, usage } = kept
  return {
    agent: kept.agent,
    folder: kept.folder,
    conversionVersion: kept.conversionVersion,
    ...(kept.changesBeside && { changesBeside: kept.changesBeside }),
    async *list(filter) {
      if (await isAnyLost()) yield await lost(filter)
    },
    find: (key) => kept.find(key),
    facts: (session) => kept.facts(session),
    convert: (session, from) => kept.convert(session, from),
    ...(end && { end: (session, options) => end.call(kept, session, options) }),
    ...(usage && { usage: (session) => usage.call(kept, session) }),
    useNotes: (notes) => kept.useNotes?.(notes),
    files: (session) => kept.files(session),
    watched: async (session) => (await kept.watched?.(session)) ?? (await kept.files(session)).at(-1) ?? session.key,
    isKey: (key) => kept.isKey?.(key) ?? (key.startsWith(kept.folder + sep) && /\.jsonl(\.zst)?$/.test(key)),
  }
}

/** The versions of sessions, by their keys. */
type Versions = ReadonlyMap<string, string>

/** The files in the folder of a session, at any depth; none where it has no folder. */
async function filesBelow(fs: FsPort, folder: string): Promise<string[]> {
  if (!isStat((await statMany(fs, [folder]))[0])) return []
  const files: string[] = []
  for (const entry of await entriesIn(fs, folder)) {
    const path = folder + sep + entry.name
    if (entry.isDirectory()) files.push(...(await filesBelow(fs, path)))
    else if (entry.isFile()) files.push(path)
  }
  return files
}
