import { type TestDatabase, testDatabase } from "@treelog-internal/test-kit/postgres"
import pg from "pg"
import { beforeAll } from "vitest"
import { type Ran, Sandbox, sandbox, type World } from "../sandbox.js"

/** The address of a database, with its password. */
export function addressOf({ user, password, host, port, database }: TestDatabase): string {
  return `postgres://${user}:${password}@${host}:${port}/${database}`
}

/** The same as messages have it. */
export function nameOf({ user, host, port, database }: TestDatabase): string {
  return `postgres://${user}@${host}:${port}/${database}`
}

/** A project on a machine whose commands use the database of TREELOG_STORE. */
export class DatabaseBox {
  readonly #box: Sandbox
  readonly #env: Record<string, string>

  constructor(box: Sandbox, env: Record<string, string>) {
    this.#box = box
    this.#env = env
  }

  get files(): Sandbox {
    return this.#box
  }

  run(argv: readonly string[], world: World = {}): Promise<Ran> {
    return this.#box.run(argv, { ...world, env: { ...this.#env, ...world.env } })
  }

  /** What the command prints, without the line break at the end. Fails when the command does. */
  async print(...argv: string[]): Promise<string> {
    const { code, stdout, stderr } = await this.run(argv)
    if (code !== 0) throw new Error(`treelog ${argv.join(" ")} ended with ${code}: ${stderr}`)
    return stdout.trimEnd()
  }

  /** Imports a session of these entries, and returns its key. */
  async store(entries: readonly object[], id: string): Promise<string> {
    const path = this.#box.store(entries, { id })
    return (await this.print("import", path)).match(/pg:\S+/)?.[0] ?? ""
  }
}

/** A migrated database for the tests of a file, and machines that use it. */
export function databaseScene(): { readonly database: TestDatabase; readonly machine: (env?: object) => DatabaseBox } {
  const database = testDatabase()
  const TREELOG_STORE = addressOf(database)
  beforeAll(async () => {
    const io = new Sandbox()
    const { code, stderr } = await io.run(["store", "migrate"], { env: { TREELOG_STORE } })
    if (code !== 0) throw new Error(stderr)
  })
  return { database, machine: (env = {}) => new DatabaseBox(sandbox(), { TREELOG_STORE, ...env }) }
}

/** The rows of a statement. */
export async function ask(database: TestDatabase, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ ...database })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(text)).rows
  } finally {
    await client.end()
  }
}
