import { dirname, sep } from "node:path"
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
      for (const session of some) if (!session.error) versions.set(session.key, copiedVersion(session))
    return (session) => versions.get(originalOf(session.key)) === copiedVersion(session)
  }

  /** @param lost the copies of files of which the agent lacks something, and the folders that they are in */
  async function sessionsWith(
    lost: ReadonlySet<string>,
    filter: Parameters<AgentSource["list"]>[0],
  ): Promise<SourceSession[]> {
    const all: SourceSession[] = []
    for await (const some of kept.list({ ...filter, parts: true })) all.push(...some)
    const isNamed = ({ key }: SourceSession): boolean => lost.has(key) || lost.has(key.replace(/\.[^./\\]+$/, ""))
    // As a rule each lost file is a session by itself: thousands of others need not be asked for their files then.
    const [keys, folders] = [new Set(all.map(({ key }) => key)), new Set([...lost].map((path) => dirname(path)))]
    const isEachNamed = [...lost].every((path) => keys.has(path) || folders.has(path))
    const files = isEachNamed ? [] : await Promise.all(all.map((one) => (one.error ? [] : kept.files(one))))
    const wanted = new Set<string>()
    let isPresent: Awaited<ReturnType<typeof present>> | undefined
    for (const [at, session] of all.entries()) {
      const root = session.part?.of ?? session.key
      let isLost = session.error !== undefined || isNamed(session)
      const own = files[at]
      if (!isLost && own?.length === 0) {
        isPresent ??= await present()
        isLost = !isPresent(session)
      }
      if (isLost || own?.some((path) => lost.has(path))) wanted.add(root)
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
      const lost = await lostCopies(kept.folder, originalOf)
      // As a rule the agent has all that they have: then it is not worth reading them.
      if (lost.size > 0) yield await sessionsWith(lost, filter)
    },
    listsAll: (filter) => kept.listsAll(filter),
    find: (key) => kept.find(key),
    facts: (session) => kept.facts(session),
    convert: (session, from) => kept.convert(session, from),
    artifacts: (session) => kept.artifacts(session),
    ...(end && { end: (session, options) => end.call(kept, session, options) }),
    ...(usage && { usage: (session) => usage.call(kept, session) }),
    useNotes: (notes) => kept.useNotes?.(notes),
    files: (session) => kept.files(session),
    watched: async (session) => (await kept.watched?.(session)) ?? (await kept.files(session)).at(-1) ?? session.key,
    isKey: (key) => kept.isKey?.(key) ?? (key.startsWith(kept.folder + sep) && /\.jsonl(\.zst)?$/.test(key)),
  }
}

function copiedVersion({ version, copiedVersion = version }: SourceSession): string {
  return copiedVersion
}
