import { sep } from "node:path"
import type { KeptOf } from "./agent-folder.js"
import type { AgentSource, SourceSession } from "./agent-source.js"

/** Where the sessions of a kept copy come from. */
export interface Original extends Pick<KeptOf, "lostCopies"> {
  readonly source: AgentSource
}

/**
 * Of the copies of an agent's sessions, those that have something which the agent has no more: a session that it deleted or rewrote, or a part of
 * one. Lists of both then have each session once, and indexes need not read it twice. Whatever is asked for by its key is there.
 */
export function lostSessions(kept: AgentSource, { source, lostCopies }: Original): AgentSource {
  const originalOf = (path: string): string => source.folder + path.slice(kept.folder.length)

  /** The keys of sessions that the agent has as the copy has them. */
  async function present(): Promise<(session: SourceSession) => boolean> {
    const versions = new Map<string, string>()
    for await (const some of source.list({ parts: true }))
      for (const { key, version, error } of some) if (!error) versions.set(key, version)
    return ({ key, version }) => versions.get(originalOf(key)) === version
  }

  /** @param files the copies of files of which the agent lacks something, and the folders that they are in */
  async function lost(
    filter: Parameters<AgentSource["list"]>[0],
    files: ReadonlySet<string>,
  ): Promise<SourceSession[]> {
    const all: SourceSession[] = []
    for await (const some of kept.list({ ...filter, parts: true })) all.push(...some)
    const wanted = new Set<string>()
    let isPresent: Awaited<ReturnType<typeof present>> | undefined
    for (const session of all) {
      const root = session.part?.of ?? session.key
      if (wanted.has(root)) continue
      const own = session.error ? [] : await kept.files(session)
      let isLost = session.error !== undefined || files.has(session.key.replace(/\.[^./\\]+$/, ""))
      if (own.length > 0) isLost ||= own.some((path) => files.has(path))
      else if (!isLost) {
        isPresent ??= await present()
        isLost = !isPresent(session)
      }
      if (isLost) wanted.add(root)
    }
    return all.filter(({ key, part }) => wanted.has(part?.of ?? key) && (filter.parts || !part))
  }

  const { end, usage } = kept
  return {
    agent: kept.agent,
    folder: kept.folder,
    conversionVersion: kept.conversionVersion,
    ...(kept.changesBeside && { changesBeside: kept.changesBeside }),
    async *list(filter) {
      const files = await lostCopies(kept.folder, originalOf)
      // As a rule the agent has all that they have: then it is not worth reading them.
      if (files.size > 0) yield await lost(filter, files)
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
