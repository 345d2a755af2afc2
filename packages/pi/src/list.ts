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
  /** Read from the file when it is first asked for: only pi's search needs it. Empty for what cannot be read any more. */
  readonly allMessagesText: string
}

export type Progress = (loaded: number, total: number, partialSessions?: readonly PiSessionInfo[]) => void

/** Lists as pi does: the newest first, without what is no session. */
export async function listAsPi(
  storage: FileSessionStorage,
  onProgress: Progress | undefined,
  signal: AbortSignal | undefined,
  isListed: (info: PiSessionInfo) => boolean = () => true,
): Promise<PiSessionInfo[]> {
  const options = { order: "newest" as const, ...(signal && { signal }), ...(onProgress && { onProgress }) }
  const found: PiSessionInfo[] = []
  for await (const info of new SessionManager({ storage }).listAll(options)) {
    if (info.error) continue
    const listed = asPi(info, storage)
    if (isListed(listed)) found.push(listed)
  }
  return found
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
    return stat ? readAllSync(storage, path, stat.size, stat.identity) : new Uint8Array()
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
      const text = value.type === "message" ? textOf(value.message) : ""
      if (text) texts.push(text)
    }
  return texts.join(" ")
}

function textOf(message: unknown): string {
  const { role, content } = Object(message) as { role?: unknown; content?: unknown }
  if (role !== "user" && role !== "assistant") return ""
  if (typeof content === "string") return content
  if (!Array.isArray(content)) return ""
  return content.flatMap((block) => (block?.type === "text" ? [String(block.text)] : [])).join(" ")
}
