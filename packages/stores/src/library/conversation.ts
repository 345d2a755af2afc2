import type { SessionInfo } from "@treelog/session-core"
import { compareRecency, listedSession } from "@treelog/session-core/adapter"
import { agentOf } from "./session-query.js"
import type { ListedSource } from "./source.js"

/** One copy of a conversation: a session in a source. */
export interface Copy<From extends ListedSource = ListedSource> {
  readonly source: From
  /** Its key in the source: for files, the path. */
  readonly path: string
}

/** A session in a list: the copy of a conversation that it shows, and a reference opens. */
export interface ListedSession<From extends ListedSource = ListedSource> extends SessionInfo, Copy<From> {
  /** The other copies of the conversation: sessions with its id, in whatever sources. Empty for most. */
  readonly copies: readonly Copy<From>[]
}

/** What decides which copy of a conversation is its face. */
export interface Candidate extends Copy {
  readonly info: Pick<SessionInfo, "modified" | "kind" | "agent">
}

/**
 * Compares copies of one conversation: an excerpt comes last, and that with the newest message first; of the same time the original, in which its agent goes on;
 * then the one of the first source, and of one source that with the shorter path, since backups have longer names.
 */
export function compareCopies(sources: readonly ListedSource[]): (a: Candidate, b: Candidate) => number {
  return (a, b) =>
    Number(isExcerpt(a)) - Number(isExcerpt(b)) ||
    compareRecency(a.info, b.info) ||
    Number(!isOriginal(a)) - Number(!isOriginal(b)) ||
    sources.indexOf(a.source) - sources.indexOf(b.source) ||
    a.path.length - b.path.length ||
    (a.path < b.path ? -1 : 1)
}

/** Copies of one conversation with what is listed of them, its face first. */
export async function withFaceFirst<Item extends Copy>(
  copies: readonly Item[],
  sources: readonly ListedSource[],
): Promise<(Item & Candidate)[]> {
  const known = copies.map(async (copy) => {
    const info: Candidate["info"] | undefined = await listedSession(copy.source.storage, copy.path)
    // One that was removed meanwhile is older than all others.
    return { ...copy, info: info ?? { modified: Number.NEGATIVE_INFINITY } }
  })
  return (await Promise.all(known)).sort(compareCopies(sources))
}

/** Agents that write again, without times, names, results and usage, what another one has: a transcript of a chat in Cursor. */
const EXCERPTS: ReadonlySet<string> = new Set(["cursor-agent"])

export function isExcerpt({ source: { madeBy = "" } }: Pick<Copy, "source">): boolean {
  return EXCERPTS.has(madeBy)
}

/** Whether a session is in a store of the agent that made it: others are imports and copies. */
function isOriginal({ source: { madeBy }, info: { agent = madeBy } }: Candidate): boolean {
  return agent === madeBy
}

/** Ids of tasks are times: two agents may have the same one. */
const TIME = /^\d+$/

/** The agent that distinguishes an id from equal ids of other agents; empty where the id alone is unique. */
export function agentOfId(session: Pick<SessionInfo, "id" | "agent">, source: Pick<ListedSource, "madeBy">): string {
  return TIME.test(session.id) ? agentOf(session, source) : ""
}

/** What copies of one conversation have in common: its id. What cannot be read, or has no id, is a copy of nothing. */
export function conversationOf(info: SessionFace, source: Pick<ListedSource, "madeBy">): string {
  const { id, path, error } = info
  return error || id === "" ? `:${path}` : `${agentOfId(info, source)}:${id}`
}

type SessionFace = Pick<SessionInfo, "id" | "path" | "agent" | "error">

/** The conversations of a list, each with its face first. */
export function conversationsOf<Item extends Candidate & { readonly info: SessionInfo }>(
  items: Iterable<Item>,
  sources: readonly ListedSource[],
): Map<string, [Item, ...Item[]]> {
  const groups = new Map<string, [Item, ...Item[]]>()
  for (const item of items) {
    const name = conversationOf(item.info, item.source)
    const group = groups.get(name)
    if (group) group.push(item)
    else groups.set(name, [item])
  }
  for (const group of groups.values()) group.sort(compareCopies(sources))
  return groups
}
