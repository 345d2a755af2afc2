import type { Session } from "@treelog/session-core"
import type { Json } from "@treelog-internal/agent-files"
import {
  type CopyLines,
  type CopyStatus,
  type CopyTarget,
  copySession,
  type NewCopy,
  type WriteSessionOptions,
  type WrittenSession,
} from "@treelog-internal/agent-files/write"
import { linesOfClaudeCode, TRIED } from "./session-lines.js"

/** What is written with of the `SessionStore` of the Claude Agent SDK. */
export interface ClaudeStore {
  append(key: StoreKey, entries: StoreEntry[]): Promise<void>
  load(key: StoreKey): Promise<StoreEntry[] | null>
}

/** A session, or with a `subpath` such as `subagents/agent-a1` the transcript of a sub-agent. */
interface StoreKey {
  projectKey: string
  sessionId: string
  subpath?: string
}

/** A line of a transcript. */
interface StoreEntry {
  type: string
  uuid?: string
  [key: string]: unknown
}

/** Which session is written, and where in the store. */
export interface WriteSessionStoreOptions extends Omit<WriteSessionOptions, "dir" | "env" | "fs"> {
  /** The project in the store: for the SDK, the name of the folder that Claude Code has for the folder in which a session runs. */
  readonly projectKey: string
}

/**
 * Writes a session of any agent into a session store of the Claude Agent SDK, which resumes it from there, without a file: what `writeClaudeCode` writes.
 * Repeated, it appends what is new. What the SDK appended stays as it is: where source and copy both went on, there is a new copy.
 * @returns its id, and a receipt of what it has and has not; `path` is `PROJECT/ID`
 * @throws EntryNotFoundError for `leaf`; InvalidArgumentError: nothing was said; what the store throws
 */
export function writeSessionStore(
  session: Session,
  store: ClaudeStore,
  { projectKey, ...options }: WriteSessionStoreOptions,
): Promise<WrittenSession> {
  const target: CopyTarget = {
    agent: "claude-code",
    folder: undefined,
    version: TRIED,
    placeOf: async ({ id }) => `${projectKey}/${id}`,
    ...linesOfClaudeCode,
    put: (place, copy) => put(store, { projectKey, sessionId: place.slice(projectKey.length + 1) }, copy),
  }
  return copySession(session, target, options)
}

async function put(store: ClaudeStore, key: StoreKey, copy: NewCopy): Promise<CopyStatus> {
  const main = await planned(store, key, copy)
  if (main.status === "other" || main.status === "continued") return main.status
  const transcripts = [main]
  for (const part of copy.parts) {
    const subpath = part.path.slice(key.sessionId.length + 1).replace(/\.jsonl$/, "")
    transcripts.unshift(await planned(store, { ...key, subpath }, part))
  }
  if (transcripts.some(({ status }) => status === "other")) return "other"
  const isNew = transcripts.filter(({ lines }) => lines.length > 0)
  if (!copy.dryRun) for (const { key, lines } of isNew) await store.append(key, lines)
  return main.status === "unchanged" && isNew.length > 0 ? "appended" : main.status
}

/** A store only grows: a line that is there stays, and lines without an id say what a session is, and count once. */
async function planned(
  store: ClaudeStore,
  key: StoreKey,
  { head, body }: CopyLines,
): Promise<{ readonly key: StoreKey; readonly status: CopyStatus; readonly lines: StoreEntry[] }> {
  const there = (await store.load(key)) ?? []
  const known = new Set(there.flatMap(({ uuid }) => uuid ?? []))
  const own = new Set(body.map(({ uuid }) => uuid))
  const more = body.filter(({ uuid }) => !known.has(String(uuid)))
  const isContinued = [...known].some((uuid) => !own.has(uuid))
  if (there.length > 0 && more.length === 0) return { key, status: isContinued ? "continued" : "unchanged", lines: [] }
  if (isContinued) return { key, status: "other", lines: [] }
  const lines = there.length > 0 ? more : [...head, ...more]
  return { key, status: there.length > 0 ? "appended" : "created", lines: lines as (Json & StoreEntry)[] }
}
