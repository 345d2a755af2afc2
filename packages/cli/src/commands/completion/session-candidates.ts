import { setTimeout as sleep } from "node:timers/promises"
import type { SessionInfo } from "@treelog/session-core"
import { listSessions, titleLine } from "@treelog/session-core/adapter"
import { listedInfo } from "@treelog/session-core/search"
import { findStores, type ListedSource } from "@treelog/stores"
import { cleanLine } from "@treelog-internal/text"
import type { CommandContext } from "../../io/command-context.js"
import { openLibrary, scopeOfReading } from "../../sessions/open-library.js"
import { openTrashes } from "../../sessions/trash-view.js"
import type { Candidate } from "./complete.js"

/** How long a Tab may take: what is known by then is offered. Milliseconds. */
const PATIENCE = 1500
/** More than anyone reads. */
const MAX_COUNT = 200
/** Characters. */
const MAX_EXCERPT = 60

/**
 * The sessions that a word may mean: those of the folder by id or name, newest first; where it is the beginning of an id, those of
 * the whole store, as far as file names or former lists show them. The list cache makes this quick.
 */
export async function sessionCandidates(context: CommandContext, word: string): Promise<Candidate[]> {
  const library = await Promise.race([openLibrary(context), sleep(PATIENCE, undefined, { ref: false })])
  if (!library) return []
  const { scope } = await scopeOfReading(context.with({ ...context.options, quiet: true }), library)
  const infos = await untilImpatient((signal) => library.list({ scope }, { order: "streamed", signal }))
  const ids: string[] = []
  if (word !== "") for (const source of library.sources) ids.push(...(await idsIn(source, word)))
  const known = new Set(infos.map(({ id }) => id))
  const others = [...new Set(ids)].sort()
  const recency = [
    { value: "@last", description: "the newest" },
    { value: "@-2", description: "the one before" },
  ]
  const byId = infos.map((info) => ({ value: info.id, description: description(info) }))
  const byName = infos.flatMap(({ name, id }) => (name === undefined ? [] : { value: name, description: id }))
  const elsewhere = others.filter((id) => !known.has(id)).map((value) => ({ value }))
  return offered([...recency, ...byId, ...byName, ...elsewhere], word)
}

/** The sessions in the trash that a word may mean, newest first. */
export async function trashedCandidates(context: CommandContext, word: string): Promise<Candidate[]> {
  const infos: SessionInfo[] = []
  for (const { storage } of (await openTrashes(context)).sources())
    infos.push(...(await untilImpatient((signal) => listSessions(storage, undefined, { signal }))))
  return offered(
    infos.sort((a, b) => b.modified - a.modified).map((info) => ({ value: info.id, description: description(info) })),
    word,
  )
}

/** The stores that are on this machine, and treelog's own, which the first session makes. A store that cannot be looked at is left out. */
export async function storeCandidates({ io }: CommandContext, word: string): Promise<Candidate[]> {
  const found = await findStores(io)
  return offered(
    ["treelog", ...found.filter((store) => store !== "treelog")].map((value) => ({ value })),
    word,
  )
}

/** What can be listed in time. */
async function untilImpatient(list: (signal: AbortSignal) => AsyncIterable<SessionInfo>): Promise<SessionInfo[]> {
  const signal = AbortSignal.timeout(PATIENCE)
  const infos: SessionInfo[] = []
  try {
    for await (const info of list(signal)) if (!info.error) infos.push(info)
  } catch (error) {
    if (!signal.aborted) throw error
  }
  return infos
}

/** Of a session whose id is not in its key, the id that a list found. */
async function idsIn({ storage }: ListedSource, word: string): Promise<string[]> {
  const ids: string[] = []
  for await (const { id, key } of storage.list()) {
    const known = id ?? (await listedInfo(storage, key))?.id
    if (known?.startsWith(word)) ids.push(known)
  }
  return ids
}

function offered(candidates: readonly Candidate[], word: string): Candidate[] {
  // A control character could not be typed on.
  const isPlain = ({ value }: Candidate) => value === cleanLine(value)
  return candidates.filter((one) => one.value.startsWith(word) && isPlain(one)).slice(0, MAX_COUNT)
}

function description({ name, firstMessage }: SessionInfo): string {
  return cleanLine(titleLine(name ?? firstMessage).slice(0, MAX_EXCERPT))
}
