import type { SessionInfo } from "@treelog/session-core"
import type { Sessions } from "../sessions/compose-sessions.js"

/** Finds a label entry in any layout of its JSON: within a string the quotes would be escaped. */
const LABEL = Buffer.from('"label"')
const BLOCK = 1 << 20

/**
 * Whether any entry of a stored session has a label now. Most sessions never had one, which a search of their bytes shows without parsing.
 * @throws SessionNotFoundError, StorageError
 */
export async function hasLabels(sessions: Sessions, info: SessionInfo): Promise<boolean> {
  if (!(await mentionsLabels(sessions, info))) return false
  const session = await sessions.manager.open(info.path, { access: "read" })
  try {
    return session.getEntries().some(({ id }) => session.getLabel(id) !== undefined)
  } finally {
    await session.close()
  }
}

async function mentionsLabels({ storage }: Sessions, { path, size }: SessionInfo): Promise<boolean> {
  const into = Buffer.allocUnsafe(BLOCK)
  for (let at = 0; at < size; at += BLOCK - LABEL.length + 1) {
    const bytes = await storage.readRange(path, at, BLOCK, undefined, into)
    if (Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(LABEL)) return true
  }
  return false
}
