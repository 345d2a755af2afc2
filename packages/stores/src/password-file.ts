import { readFile, stat } from "node:fs/promises"
import { userInfo } from "node:os"
import { join } from "node:path"
import { isGone, toStorageError } from "@treelog-internal/fs"
import type { Surroundings } from "./surroundings.js"

// The driver reads this file too, but warns about it each time, and will not from its next version on.

/** What a line of the file is selected by. */
export interface Login {
  readonly host: string
  readonly port: string
  readonly database: string
  readonly user: string
}

/** What a connection string leaves out is in the variables of PostgreSQL, or usual. */
export function loginOf(connectionString: string, env: Surroundings["env"]): Login {
  const url = new URL(connectionString)
  const from = (name: string, text: string, variable: string): string =>
    url.searchParams.get(name) || decodeURIComponent(text) || env[variable] || ""
  const user = from("user", url.username, "PGUSER") || env.USER || userInfo().username
  return {
    host: from("host", url.hostname, "PGHOST") || "localhost",
    port: from("port", url.port, "PGPORT") || "5432",
    database: from("database", url.pathname.slice(1), "PGDATABASE") || user,
    user,
  }
}

/** Only its owner may be able to use a password file. */
const OTHERS = 0o077

/**
 * The password of the first line of `PGPASSFILE`, or else `~/.pgpass`, that fits the login.
 * @param onUnsafe gets the path of a file that others can read, which is then ignored, as PostgreSQL's own programs do
 * @returns undefined where there is none
 * @throws StorageError for a file that cannot be read
 */
export async function passwordInFile(
  login: Login,
  env: Surroundings["env"],
  onUnsafe: (path: string) => void,
): Promise<string | undefined> {
  const path = env.PGPASSFILE || (env.HOME && join(env.HOME, ".pgpass"))
  if (!path) return undefined
  try {
    if (((await stat(path)).mode & OTHERS) !== 0) {
      onUnsafe(path)
      return undefined
    }
    return passwordIn(await readFile(path, "utf8"), login)
  } catch (error) {
    if (isGone(error)) return undefined
    throw toStorageError(error, path, "read")
  }
}

/** @param text lines `host:port:database:user:password`; `*` fits anything, and `\` escapes `:` and `\` */
export function passwordIn(text: string, { host, port, database, user }: Login): string | undefined {
  for (const line of text.split(/\r?\n/)) {
    if (line.startsWith("#")) continue
    const fields = [...line.matchAll(/((?:\\.|[^:\\])*)(?::|$)/g)].map(([, field = ""]) => field)
    const [password, ...rest] = [fields[4], ...fields.slice(0, 4)]
    const fits = [host, port, database, user].every((value, at) => rest[at] === "*" || plain(rest[at]) === value)
    if (fits && password) return plain(password)
  }
  return undefined
}

function plain(field = ""): string {
  return field.replace(/\\(.)/g, "$1")
}
