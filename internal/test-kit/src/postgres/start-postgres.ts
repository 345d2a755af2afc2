import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process"
import { randomBytes } from "node:crypto"
import { once } from "node:events"
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"

/** How to connect to a server as its superuser. Plain data, since vitest hands it to other processes. */
export interface PostgresServer {
  readonly host: string
  readonly port: number
  readonly user: string
  readonly password: string
}

/** A server that a test may crash. */
export interface StartedPostgres extends PostgresServer {
  /** Kills all processes of the server at once, and starts it again on the same files and port. */
  crash(): Promise<void>
  stop(): Promise<void>
  /** Kills the server and removes its files without waiting, for `exit` handlers of a process. */
  killNow(): void
}

const READY = "database system is ready to accept connections"

/**
 * Starts PostgreSQL on a free port of 127.0.0.1 with a new, empty database cluster, which is removed when it stops. PostgreSQL
 * refuses to run as root: then it runs as the user `postgres`, or `nobody`, and from a copy where that user cannot enter the folder.
 * @param binaries the folder with `initdb` and `postgres`
 * @param settings of postgresql.conf
 */
export async function startPostgres(
  binaries: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<StartedPostgres> {
  const as = unprivileged()
  const folder = mkdtempSync(join(tmpdir(), "treelog-postgres-"))
  const [data, passwordFile] = [join(folder, "data"), join(folder, "password")]
  let programs = binaries
  const server = {
    host: "127.0.0.1",
    port: await freePort(),
    user: "treelog",
    password: randomBytes(12).toString("hex"),
  }
  let child: ChildProcess | undefined
  const start = async () => {
    const all = {
      port: String(server.port),
      listen_addresses: server.host,
      unix_socket_directories: folder,
      ...settings,
    }
    const args = Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`])
    child = spawn(join(programs, "postgres"), ["-D", data, ...args], { ...as, stdio: ["ignore", "ignore", "pipe"] })
    await untilPrinted(child, READY)
  }
  const end = async (signal: "SIGINT" | "SIGQUIT") => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, "exit")
    child.kill(signal)
    await ended
  }
  const stop = async () => {
    await end("SIGINT")
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    mkdirSync(data)
    writeFileSync(passwordFile, server.password, { mode: 0o600 })
    chmodSync(folder, 0o700)
    if (as) for (const path of [folder, data, passwordFile]) chownSync(path, as.uid, as.gid)
    if (as && !mayRun(join(binaries, "initdb"), as)) {
      cpSync(join(binaries, ".."), join(folder, "programs"), { recursive: true, verbatimSymlinks: true })
      programs = join(folder, "programs", basename(binaries))
    }
    const options = ["--auth=scram-sha-256", "--encoding=UTF8", "--locale=C", "--no-sync"]
    const login = [`--username=${server.user}`, `--pwfile=${passwordFile}`]
    execFileSync(join(programs, "initdb"), ["-D", data, ...login, ...options], {
      ...as,
      stdio: ["ignore", "ignore", "pipe"],
    })
    await start()
    const crash = async () => {
      await end("SIGQUIT")
      await start()
    }
    const killNow = () => {
      child?.kill("SIGQUIT")
      rmSync(folder, { recursive: true, force: true })
    }
    return { ...server, crash, stop, killNow }
  } catch (error) {
    await stop()
    throw error
  }
}

/** As whom to run what refuses to run as root. Undefined where this is another user than root. */
export function unprivileged(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const users = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"))
  const user = users.find(([name]) => name === "postgres") ?? users.find(([name]) => name === "nobody")
  if (!user) throw new Error("PostgreSQL does not run as root, and there is no user `postgres` or `nobody`.")
  return { uid: Number(user[2]), gid: Number(user[3]) }
}

/** False where the program is in a folder that the user cannot enter, such as the home of root. */
function mayRun(program: string, as: { uid: number; gid: number }): boolean {
  const { error } = spawnSync(program, ["--version"], { ...as, stdio: "ignore" })
  if (error && (error as NodeJS.ErrnoException).code !== "EACCES") throw error
  return !error
}

/** Resolves when the server has printed the text. Reads on, so that the server never waits for its log to be read. */
export function untilPrinted(child: ChildProcess, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let printed = ""
    child.stderr?.on("data", (bytes: Buffer) => {
      printed = (printed + bytes.toString()).slice(-4000)
      if (printed.includes(text)) resolve()
    })
    child.once("error", reject)
    child.once("exit", (code) => reject(new Error(`${child.spawnfile} ended with ${code}: ${printed}`)))
  })
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once("error", reject)
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      server.close(() =>
        typeof address === "object" && address ? resolve(address.port) : reject(new Error("no port")),
      )
    })
  })
}
