import { SessionManager } from "@treelog/session-core"
import { fromPg, PostgresSessionStorage } from "@treelog/storage-postgres"
import pg from "pg"

// What the tests let other processes do: append messages to a session until they are killed, and report each that is stored.

const [config = "", id = "", name = "", access = "exclusive", leaseMs = "30000"] = process.argv.slice(2)
const pool = new pg.Pool({ ...JSON.parse(config), max: 2 })
pool.on("error", () => process.exit(3))
const storage = new PostgresSessionStorage({ client: fromPg(pool), leaseMs: Number(leaseMs), notify: false })
const send = (message: string) => new Promise<void>((resolve) => process.send?.(message, () => resolve()))

const session = await new SessionManager({ storage }).open(
  { id },
  access === "shared" ? { access: "shared", busyTimeoutMs: 300_000 } : { access: "exclusive" },
)
for (let count = 0; ; count++) {
  session.appendMessage({ role: "user", content: `${name} ${count}`, timestamp: count })
  await session.flush()
  await send(`${name} ${count}`)
}
