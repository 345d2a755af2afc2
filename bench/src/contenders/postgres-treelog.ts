import { SessionManager } from "@treelog/session-core"
import { fromPg, migrate, PostgresSessionStorage } from "@treelog/storage-postgres"
import type { Pool } from "pg"
import type { PostgresStore } from "./postgres-store.js"

const PLACE = { cwd: "/home/dev/shop", timestamp: "2026-03-02T09:00:00.000Z" }
const EXCLUSIVE = { access: "exclusive", waitMs: 0 } as const

/** treelog's storage: a row for each append, behind a lease. */
export function treelogStore(pool: Pool): PostgresStore {
  const client = fromPg(pool, { direct: pool })
  const storage = new PostgresSessionStorage({ client })
  const sessions = new SessionManager({ storage })
  const keyOf = (id: string) => storage.keyFor({ ...PLACE, id })
  return {
    migrate: async () => void (await migrate(client)),
    async create(id, lines) {
      const lease = await storage.lease(keyOf(id), EXCLUSIVE)
      await lease.create(lines.map((line) => Buffer.from(line)))
      await lease.release()
    },
    async writer(id) {
      const lease = await storage.lease(keyOf(id), EXCLUSIVE)
      const found = await storage.stat(lease.key)
      if (!found) throw new Error(`There is no session ${id}.`)
      let stat = found
      return async (lines) => {
        stat = await lease.append(Buffer.from(lines.join("")), stat)
      }
    },
    async count(id) {
      const stat = await storage.stat(keyOf(id))
      const bytes = await storage.readRange(keyOf(id), 0, stat?.size ?? 0)
      return bytes.reduce((lines, byte) => lines + Number(byte === 0x0a), 0)
    },
    async tail(id, bytes) {
      const key = keyOf(id)
      const { size = 0 } = (await storage.stat(key)) ?? {}
      return storage.readRange(key, Math.max(0, size - bytes), bytes)
    },
    async newest(limit) {
      const ids: string[] = []
      for await (const { id } of sessions.listAll({ order: "newest", limit })) ids.push(id)
      return ids
    },
  }
}
