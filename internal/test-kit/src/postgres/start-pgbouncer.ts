import { spawn } from "node:child_process"
import { once } from "node:events"
import { chownSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { freePort, type PostgresServer, unprivileged, untilPrinted } from "./start-postgres.js"

/**
 * Starts pgbouncer in transaction mode, with few connections, in front of all databases of a server.
 * @param roles passwords of other roles that may connect, by name
 */
export async function startPgbouncer(
  program: string,
  { host, port: serverPort, user, password }: PostgresServer,
  roles: Readonly<Record<string, string>> = {},
): Promise<{ readonly port: number; stop(): Promise<void> }> {
  const as = unprivileged()
  const folder = mkdtempSync(join(tmpdir(), "treelog-pgbouncer-"))
  const [ini, users] = [join(folder, "pgbouncer.ini"), join(folder, "users")]
  const port = await freePort()
  const logins = Object.entries({ ...roles, [user]: password }).map((login) =>
    login.map((text) => `"${text}"`).join(" "),
  )
  writeFileSync(users, `${logins.join("\n")}\n`, { mode: 0o600 })
  writeFileSync(
    ini,
    `[databases]
* = host=${host} port=${serverPort}
[pgbouncer]
listen_addr = ${host}
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${users}
pool_mode = transaction
default_pool_size = 3
max_client_conn = 100
`,
  )
  if (as) for (const path of [folder, ini, users]) chownSync(path, as.uid, as.gid)
  const child = spawn(program, [ini], { ...as, stdio: ["ignore", "ignore", "pipe"] })
  await untilPrinted(child, "process up")
  return {
    port,
    async stop() {
      const ended = once(child, "exit")
      child.kill("SIGKILL")
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
