import { MemorySessionStorage, type Session, SessionManager } from "@treelog/session-core"
import { bytesOf, sessionText, testHeader } from "@treelog-internal/test-kit"
import type { TreeFilter } from "@treelog-internal/text"
import { type TreeState, treeData, treeState } from "../../door.js"

/** The session of these entries, opened for reading. */
export async function sessionOf(entries: readonly object[]): Promise<Session> {
  const storage = new MemorySessionStorage()
  const key = storage.keyFor({ cwd: "/p", id: "s", timestamp: "2026-03-07T14:00:00.000Z" })
  const lease = await storage.lease(key, { access: "exclusive", waitMs: 0 })
  await lease.create([bytesOf(sessionText(testHeader({ cwd: "/p", id: "s" }), ...entries))])
  await lease.release()
  return new SessionManager({ anyFile: true, storage }).open(key, { access: "read" })
}

/** Its tree, with room for twenty rows. */
export async function stateOf(entries: readonly object[], filter: TreeFilter = "default"): Promise<TreeState> {
  const state = treeState(treeData(await sessionOf(entries)), filter)
  return { ...state, window: { ...state.window, height: 20, top: 0 } }
}

export function shownIds({ rows }: TreeState): string[] {
  return rows.map(({ node }) => node.entry.id)
}
