import { TreelogError } from "../../errors.js"
import type { SessionStorage, StoredName } from "../../ports/session-storage.js"
import { readHeader } from "../stored/read-header.js"
import { fitsId } from "./fits-id.js"
import { recentSessions } from "./recent-sessions.js"
import { listSessions } from "./session-list.js"
import { factsIn, summaryIn } from "./session-summary.js"

/**
 * Finds the session that a reference means (FORMAT.md, section 8): a path, a full id, the beginning or the end of
 * one id, an exact name, `@last`, `@-2` (the second newest).
 * @param cwd where `@last` and names look; undefined means everywhere
 * @throws SessionNotFoundError, AmbiguousSessionError
 */
export async function resolveRef(storage: SessionStorage, ref: string, cwd: string | undefined): Promise<string> {
  if (ref.trim() === "") throw notFound(ref, "An empty reference names no session.")
  const recency = /^@(?:last|-([1-9]\d*))$/.exec(ref)
  if (recency) return nthNewest(storage, ref, Number(recency[1] ?? 1), cwd)
  const key = storage.keyFromRef(ref)
  if (key !== undefined) return key
  return (await findById(storage, ref)) ?? findByName(storage, ref, cwd)
}

async function nthNewest(storage: SessionStorage, ref: string, nth: number, cwd: string | undefined): Promise<string> {
  const sessions = await recentSessions(storage, cwd, nth)
  const found = sessions[nth - 1]
  if (found) return found.path
  const count = sessions.length
  const where = cwd === undefined ? "" : ` of ${cwd}`
  const only = count === 1 ? "is only 1 session" : `are only ${count} sessions`
  throw notFound(ref, count === 0 ? `There is no session${where}.` : `There ${only}${where}.`)
}

/**
 * By the names alone where they tell the id: only the sessions that fit are opened, to see that the header agrees. A session
 * whose header cannot be read goes by its name, where no other one fits: it can be looked at, and repaired.
 */
async function findById(storage: SessionStorage, ref: string): Promise<string | undefined> {
  const exact: { key: string; id: string }[] = []
  const fitting: { key: string; id: string }[] = []
  const broken: { key: string; id: string }[] = []
  for await (const name of storage.list()) {
    if (name.error || (name.id !== undefined && !fitsId(ref, name.id))) continue
    const id = await idOf(storage, name)
    if (id === ref) exact.push({ key: name.key, id })
    else if (id !== undefined && fitsId(ref, id)) fitting.push({ key: name.key, id })
    else if (id === undefined && name.id !== undefined) broken.push({ key: name.key, id: name.id })
  }
  const named = broken.filter(({ id }) => id === ref)
  return only(ref, exact) ?? only(ref, fitting) ?? only(ref, named) ?? only(ref, broken)
}

/** The id in the header; undefined for what is no session. */
async function idOf(storage: SessionStorage, { key, id }: StoredName): Promise<string | undefined> {
  try {
    return (id === undefined && (await knownId(storage, key))) || (await readHeader(storage, key))?.id
  } catch {
    // One session that cannot be read, for whatever reason, does not keep the others from being found; a list shows its error.
    return undefined
  }
}

/** The id that a listing found, where the key tells none: not each of such sessions has to be opened. */
async function knownId(storage: SessionStorage, key: string): Promise<string | undefined> {
  const { cached } = (await storage.summaries?.find(key)) ?? {}
  const summary = cached?.isCurrent ? summaryIn(cached) : undefined
  const { id, error } = summary ? factsIn(summary) : {}
  return error ? undefined : id
}

async function findByName(storage: SessionStorage, ref: string, cwd: string | undefined): Promise<string> {
  const found: { key: string; id: string; name: string }[] = []
  for await (const { path, id, name } of listSessions(storage, cwd))
    if (name === ref) found.push({ key: path, id, name })
  const key = only(ref, found)
  if (key !== undefined) return key
  throw notFound(
    ref,
    `No session has the path or the name ${JSON.stringify(ref)}, or an id that begins or ends with it.`,
  )
}

function only(ref: string, candidates: readonly { key: string; id: string; name?: string }[]): string | undefined {
  if (candidates.length < 2) return candidates[0]?.key
  const message = `${JSON.stringify(ref)} may mean ${candidates.length} sessions; use more of an id, or a path.`
  throw new TreelogError("AmbiguousSessionError", message, { ref, candidates })
}

function notFound(ref: string, message: string): TreelogError {
  return new TreelogError("SessionNotFoundError", message, { ref })
}
