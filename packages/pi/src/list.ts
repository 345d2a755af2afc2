import { isTreelogError, type SessionInfo, SessionManager } from "@treelog/session-core"
import { linesOf, parseLine, readAllSync } from "@treelog/session-core/adapter"
import type { FileSessionStorage } from "@treelog/storage-fs"

/** What pi lists of a session. */
export interface PiSessionInfo {
  readonly path: string
  readonly id: string
  readonly cwd: string
  readonly name: string | undefined
  readonly parentSessionPath: string | undefined
  readonly created: Date
  readonly modified: Date
  readonly messageCount: number
  readonly firstMessage: string
  /** Read from the file when it is first needed: only pi's search needs it. Empty for what cannot be read any more. */
  readonly allMessagesText: string
}

export type Progress = (loaded: number, total: number, partialSessions?: readonly PiSessionInfo[]) => void

export interface PiListOptions {
  readonly onProgress?: Progress | undefined
  readonly signal?: AbortSignal | undefined
  /** After how many sessions those that were found so far are passed on. */
  readonly interval: number
  /** Default: every session is. */
  readonly isListed?: (info: PiSessionInfo) => boolean
}

/** A list that comes from the cache is there at once: to sort and show it again and again meanwhile would only delay it. Milliseconds. */
const BETWEEN_PARTS = 100

/** Lists as pi does: the newest first, without what is not a session. */
export async function listAsPi(
  storage: FileSessionStorage,
  { onProgress, signal, interval, isListed = () => true }: PiListOptions,
): Promise<PiSessionInfo[]> {
  signal?.throwIfAborted()
  const found: PiSessionInfo[] = []
  let [loaded, total, published] = [0, 0, Number.NEGATIVE_INFINITY]
  const progress = (now: number, of: number) => {
    loaded = now
    total = of
  }
  const sessions = new SessionManager({ storage }).listAll({ signal, onProgress: progress })
  for await (const info of sessions) {
    const listed = info.error ? undefined : asPi(info, storage)
    if (listed && isListed(listed)) found.push(listed)
    if (!onProgress) continue
    const isDue = (loaded === 1 || loaded % interval === 0) && performance.now() - published >= BETWEEN_PARTS
    onProgress(loaded, total, isDue ? [...found.sort(newestFirst)] : undefined)
    if (isDue) published = performance.now()
  }
  return found.sort(newestFirst)
}

/** Of the same time, the one whose name is that of a later time. */
function newestFirst(a: PiSessionInfo, b: PiSessionInfo): number {
  return b.modified.getTime() - a.modified.getTime() || (a.path < b.path ? 1 : -1)
}

function asPi(info: SessionInfo, storage: FileSessionStorage): PiSessionInfo {
  let text: string | undefined
  return {
    path: info.path,
    id: info.id,
    cwd: info.cwd,
    name: info.name?.trim() || undefined,
    parentSessionPath: info.parentSession,
    created: new Date(info.created),
    modified: new Date(info.modified),
    messageCount: info.messageCount ?? 0,
    firstMessage: info.firstMessage || "(no messages)",
    get allMessagesText() {
      text ??= messagesText(bytesOf(info.path, storage))
      return text
    },
  }
}

/** None where the session is gone or cannot be read: pi's search goes through all sessions, and one must not end it. */
function bytesOf(path: string, storage: FileSessionStorage): Uint8Array {
  try {
    const stat = storage.statSync(path)
    return stat ? readAllSync(storage, path, stat) : new Uint8Array()
  } catch (error) {
    if (!isTreelogError(error)) throw error
    return new Uint8Array()
  }
}

/** The text of all messages of the user and the assistant. */
function messagesText(bytes: Uint8Array): string {
  const texts: string[] = []
  for (const line of linesOf(bytes))
    for (const { value } of parseLine(line).records) {
      const text = value.type === "message" ? messageText(value.message) : ""
      if (text) texts.push(text)
    }
  return texts.join(" ")
}

function messageText(message: unknown): string {
  const { role, content } = Object(message) as { role?: unknown; content?: unknown }
  if (role !== "user" && role !== "assistant") return ""
  if (typeof content === "string") return content
  if (!Array.isArray(content)) return ""
  return content.flatMap((block) => (block?.type === "text" ? [String(block.text)] : [])).join(" ")
}
