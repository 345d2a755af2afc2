import { createHash } from "node:crypto"
import type { PostgresClient, PostgresRow, PostgresValue } from "./client.js"
import { OFTEN } from "./statements.js"

interface Queryable {
  query(config: object): Promise<{ readonly rows: readonly PostgresRow[] }>
}

interface PgConnection extends Queryable {
  release(destroy?: boolean): void
  on(event: "notification", listener: (message: { readonly payload?: string | undefined }) => void): unknown
  on(event: "error" | "end", listener: () => void): unknown
  off(event: "error", listener: () => void): unknown
}

/** What is used of a `Pool` of `pg`. */
export interface PgPool extends Queryable {
  connect(): Promise<PgConnection>
}

const ignore = () => {}

/** Statements by their texts. */
const NAMES = new Map(
  [...OFTEN].map((text) => [text, `treelog_${createHash("sha256").update(text).digest("hex")}`.slice(0, 32)]),
)

/**
 * A client that uses a pool of `pg`. If there is no pooler, frequent statements are prepared by name: to plan an append takes the server as long as to execute it.
 * @param direct a pool whose connections do not go through a pooler, to listen for changes; `pool` itself, if there is no pooler
 */
export function fromPg(pool: PgPool, { direct }: { readonly direct?: PgPool } = {}): PostgresClient {
  const names = pool === direct ? NAMES : new Map<string, string>()
  const queryOn =
    (on: Queryable) =>
    async (text: string, values: readonly PostgresValue[] = []) => {
      const name = names.get(text)
      return (await on.query({ text, values, ...(name !== undefined && { name }) })).rows
    }
  return {
    query: queryOn(pool),
    async transaction(work) {
      const connection = await pool.connect()
      const query = queryOn(connection)
      // An error of the connection also rejects the statement that waits for it.
      connection.on("error", ignore)
      try {
        await query("begin")
        const result = await work(query)
        await query("commit")
        connection.off("error", ignore)
        connection.release()
        return result
      } catch (error) {
        const [rollback] = await Promise.allSettled([query("rollback")])
        connection.off("error", ignore)
        connection.release(rollback.status === "rejected")
        throw error
      }
    },
    ...(direct && {
      async listen(channel, onNotify, onEnd) {
        const connection = await direct.connect()
        for (const event of ["error", "end"] as const) connection.on(event, onEnd)
        connection.on("notification", ({ payload = "" }) => onNotify(payload))
        await connection.query({ text: `listen ${channel}` })
        return async () => connection.release(true)
      },
    }),
  }
}
