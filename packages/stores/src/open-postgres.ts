import { isTreelogError, type SessionStorage, TreelogError } from "@treelog/session-core"
import { fromPg, type PgPool, PostgresSessionStorage } from "@treelog/storage-postgres"
import type * as Pg from "pg"
import type { OpenOptions } from "./open-options.js"
import { loginOf, passwordInFile } from "./password-file.js"
import type { PostgresAddress } from "./server-address.js"

/** The connections to a database, for the functions of `@treelog/storage-postgres`. */
type ConnectedPool = PgPool & { end(): Promise<void> }

/** A program reads few sessions at a time, and a server has connections for many programs. */
const CONNECTIONS = 4
/** Milliseconds. */
const PATIENCE = 10_000
/** How long closing waits for a statement that is still running: then the end of the process ends it. Milliseconds. */
const CLOSING = 1000

type PostgresOptions = Pick<OpenOptions, "env" | "onWarning" | "onOpen" | "signal">

/**
 * Sessions in a database, through a pool of connections.
 * @throws InvalidArgumentError without the driver, StorageError where the server cannot be reached or refuses
 */
export async function openPostgres(address: PostgresAddress, options: PostgresOptions): Promise<SessionStorage> {
  const pool = await connectPool(address, options)
  const onError = (error: unknown): void => {
    if (!isTreelogError(error)) throw error
    options.onWarning?.(error, `${error.message} Nothing is lost by this.`)
  }
  // Without a `direct` connection, changes are polled for: that works behind poolers, too.
  return new PostgresSessionStorage({ client: fromPg(pool), onError })
}

/** A pool that has connected once, so that what is wrong with an address is reported as that. */
export async function connectPool(
  { connectionString, name }: PostgresAddress,
  options: PostgresOptions,
): Promise<ConnectedPool> {
  const pool = await poolFor(await withPassword(options, connectionString), name)
  // A connection that breaks while nothing uses it is replaced, or the next statement reports why it cannot be.
  pool.on("error", () => {})
  options.onOpen?.(() => endPool(pool))
  options.signal?.throwIfAborted()
  try {
    ;(await pool.connect()).release()
    return pool
  } catch (error) {
    throw connectionError(error, name)
  }
}

/** The connection string with the password of PGPASSWORD, or of the user's password file, where it has none. */
async function withPassword({ env, onWarning }: PostgresOptions, connectionString: string): Promise<string> {
  const url = new URL(connectionString)
  if (url.password !== "" || url.searchParams.has("password")) return connectionString
  const onUnsafe = (path: string): void => {
    const data = { key: path, operation: "read", errno: undefined }
    onWarning?.({ code: "StorageError", data }, `${path} is ignored, since others can read it: chmod 600 ${path}.`)
  }
  const password = env.PGPASSWORD || (await passwordInFile(loginOf(connectionString, env), env, onUnsafe))
  if (password) url.searchParams.set("password", password)
  return url.href
}

async function poolFor(connectionString: string, name: string): Promise<Pg.Pool> {
  const { default: pg } = await loaded(name)
  try {
    return new pg.Pool({
      connectionString,
      max: CONNECTIONS,
      connectionTimeoutMillis: PATIENCE,
      application_name: "treelog",
    })
  } catch (error) {
    throw connectionError(error, name)
  }
}

/** @throws InvalidArgumentError where it is not installed */
async function loaded(name: string): Promise<{ readonly default: typeof Pg }> {
  try {
    return (await import("pg")) as unknown as { default: typeof Pg }
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined
    if (code !== "ERR_MODULE_NOT_FOUND" && code !== "MODULE_NOT_FOUND") throw error
    const message = `${name} needs the driver \`pg\`, which is installed beside treelog: npm install --global pg.`
    throw new TreelogError("InvalidArgumentError", message, { argument: "store", value: name })
  }
}

async function endPool(pool: Pg.Pool): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, CLOSING)
  })
  await Promise.race([pool.end(), late])
  clearTimeout(timer)
}

/** What to do, by the code of PostgreSQL (SQLSTATE) or of Node. */
const REASONS: Readonly<Record<string, string>> = {
  "28P01": "it refused the password of PGPASSWORD, of ~/.pgpass or of TREELOG_STORE",
  "28000": "it refused the role, or a connection from here without TLS; ?sslmode=verify-full asks for TLS",
  "3D000": "it has no such database; `createdb` makes one",
  "53300": "it has too many connections already",
  "57P03": "it is starting or shutting down; try again",
  ECONNREFUSED: "no server listens there",
  ENOTFOUND: "the name of the host is unknown",
  EAI_AGAIN: "the name of the host cannot be looked up now",
  ENOENT: "there is no such socket, or no file that the address names",
  ETIMEDOUT: "it did not answer",
  ECONNRESET: "it closed the connection",
}

/** By how the driver reports what has no code. Its texts are not repeated: they may contain the address. */
const REASONS_BY_TEXT: readonly (readonly [RegExp, string])[] = [
  [
    /password must be a (?:non-empty )?string|SASL/i,
    "it asks for a password: set PGPASSWORD, or add a line to ~/.pgpass (mode 600)",
  ],
  [/timeout/i, "it did not answer within 10 seconds"],
  [/does not support SSL/i, "it does not support TLS, which the address or PGSSLMODE asks for"],
  [/terminated/i, "it closed the connection"],
]

/** An error of connecting, with our own text only. */
function connectionError(error: unknown, name: string): TreelogError<"StorageError"> {
  const code = error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined
  const errno = code !== undefined && /^[A-Z0-9_]{1,60}$/.test(code) ? code : undefined
  const text = error instanceof Error ? error.message : ""
  const byText = REASONS_BY_TEXT.find(([pattern]) => pattern.test(text))?.[1]
  const isCertificate = errno !== undefined && /CERT|SELF_SIGNED|LEAF_SIGNATURE/.test(errno)
  const byCode = isCertificate
    ? "its certificate is not trusted; ?sslrootcert=FILE in the address names the authority"
    : errno && REASONS[errno]
  const reason = byCode || byText || "the driver reports no reason that can be shown; check the address"
  const message = `Cannot connect to ${name}${errno === undefined ? "" : ` (${errno})`}: ${reason}.`
  return new TreelogError("StorageError", message, { key: name, operation: "connect", errno })
}
