import { type Session, type SessionEntry, type SessionInfo, SessionManager } from "@treelog/session-core"
import { verifySession } from "@treelog/session-core/maintenance"
import { FileSessionStorage } from "@treelog/storage-fs"

/** A store in a folder of its own. */
export function managerIn(folder: string): SessionManager {
  return new SessionManager({
    anyFile: true,
    storage: new FileSessionStorage({ agentDir: folder, terminalId: "torture" }),
  })
}

export function say(session: Session, text: string): string {
  return session.appendMessage({ role: "user", content: text, timestamp: Date.now() })
}

/** What a session must be whatever happened to it: ids unique, every parent there, nothing damaged. */
export async function soundness(
  manager: SessionManager,
  key: string,
): Promise<{ faults: string[]; entries: SessionEntry[] }> {
  const session = await manager.open(key, { access: "read" })
  const entries = session.getEntries()
  const { diagnostics } = await verifySession(manager, key)
  return { faults: diagnostics.map(({ kind, line, message }) => `${kind} on line ${line}: ${message}`), entries }
}

/** What a list says of each session, in the order of their files. */
export async function listIn(folder: string, cacheDir: string | null): Promise<SessionInfo[]> {
  const storage = new FileSessionStorage({ agentDir: folder, terminalId: "torture", cacheDir })
  const infos: SessionInfo[] = []
  for await (const info of new SessionManager({ storage }).listAll()) infos.push(info)
  return infos.sort((a, b) => (a.path < b.path ? -1 : 1))
}
