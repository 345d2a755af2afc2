import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { freePort, testDatabase } from "@treelog-internal/test-kit/postgres"
import { beforeAll, describe, expect, test } from "vitest"
import { runnableCommands } from "../command-table.js"
import { plainCommandLine } from "../plain-command-lines.js"
import { sandbox } from "../sandbox.js"
import { bucketScene } from "./bucket-scene.js"
import { addressOf, ask, databaseScene, nameOf } from "./database-box.js"

const { database, machine } = databaseScene()
const empty = testDatabase()
const bucket = bucketScene()
const CANARY = "c4n4ry-p4ssw0rd"

/** Every file below a folder, as text. */
function everythingIn(folder: string): string {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" })
  const files = names.map((name) => join(folder, name)).filter((path) => statSync(path).isFile())
  return files.map((path) => readFileSync(path, "latin1")).join("\n")
}

let refusing = 0
beforeAll(async () => {
  refusing = await freePort()
})

const local = (): string => `${database.host}:${database.port}`
const failures: readonly (readonly [string, () => string, RegExp])[] = [
  [
    "a wrong password",
    () => `postgres://treelog:${CANARY}@${local()}/${database.database}`,
    /28P01\): it refused the password/,
  ],
  [
    "an unknown role",
    () => `postgres://nobody:${CANARY}@${local()}/${database.database}`,
    /28P01\): it refused the password/,
  ],
  [
    "a refused connection",
    () => `postgres://treelog:${CANARY}@127.0.0.1:${refusing}/db`,
    /ECONNREFUSED\): no server listens there/,
  ],
  [
    "an unknown host",
    () => `postgres://treelog:${CANARY}@no-such-host.invalid/db`,
    /no-such-host\.invalid\/db \((?:ENOTFOUND|EAI_AGAIN)\)/,
  ],
  ["an unknown database", () => addressOf({ ...database, database: "nowhere" }), /3D000\): it has no such database/],
  ["missing tables", () => addressOf(empty), /\(42P01\)\. The tables are missing: run `treelog store migrate`/],
  ["TLS that the server lacks", () => `${addressOf(database)}?sslmode=verify-full`, /does not support TLS/],
  ["an address that is no URL", () => `postgres://treelog:${CANARY}/more@${local()}/db`, /is not a URL/],
]

describe.each(failures)("with %s", (_, address, reason) => {
  test("no command prints or stores the password", async () => {
    const box = sandbox()
    box.store([])
    for (const name of runnableCommands())
      for (const more of [["--debug"], ["--json"]]) {
        const TREELOG_STORE = address()
        const argv = [...plainCommandLine(name), ...more]
        const world = { env: { TREELOG_STORE }, interrupted: AbortSignal.timeout(20_000) }
        const { code, stdout, stderr } = await box.run(argv, world)
        const printed = stdout + stderr
        for (const secret of [CANARY, database.password]) expect(printed, argv.join(" ")).not.toContain(secret)
        if (name === "show" || name === "new")
          expect({ code, printed }).toEqual({
            code: /no URL|not a URL/.test(printed) ? 2 : 1,
            printed: expect.stringMatching(reason),
          })
      }
    for (const folder of [box.folder, box.cacheDir])
      for (const secret of [CANARY, database.password]) expect(everythingIn(folder)).not.toContain(secret)
  })
})

test("with a correct password, what commands store and print has no password", async () => {
  const box = machine({ ...bucket.env(), TREELOG_BLOBS: "s3://blobs/canary" })
  await box.print("new", "--name", "One")
  let printed = ""
  for (const name of runnableCommands())
    for (const more of [[], ["--json"]]) {
      const ended = { interrupted: AbortSignal.timeout(["watch", "view", "mcp"].includes(name) ? 300 : 20_000) }
      const { stdout, stderr } = await box.run([...plainCommandLine(name), ...more], ended)
      printed += stdout + stderr
    }
  const rows = JSON.stringify(
    await ask(database, "select key from treelog.session union select key from treelog.lease"),
  )
  for (const secret of [database.password, bucket.fake.secretAccessKey])
    for (const text of [printed, rows, everythingIn(box.files.folder), everythingIn(box.files.cacheDir)])
      expect(text).not.toContain(secret)
  expect(printed).toContain(nameOf(database))
})

test.each([
  ["--store", ["list", "--store"]],
  ["--from", ["import", "--all", "--to", "pi", "--from"]],
  ["--to", ["import", "--all", "--from", "pi", "--to"]],
])("a password in %s is refused, and the error names PGPASSWORD and ~/.pgpass", async (option, argv) => {
  for (const address of [
    addressOf({ ...database, password: CANARY }),
    `postgresql://${local()}/db?password=${CANARY}`,
    `postgres://me:${CANARY}%40@host/db`,
  ]) {
    const { code, stdout, stderr } = await sandbox().run([...argv, address])
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" })
    expect(stderr).toContain(`${option} contains a password, which other users of this machine can see`)
    expect(stderr).toMatch(/use PGPASSWORD or ~\/\.pgpass/)
    expect(stderr).not.toContain(CANARY)
  }
})

test.each([
  [["list", "--store", `mysql://me:${CANARY}@host/db`]],
  [["list", "--agent-dir", `postgres://me:${CANARY}@host/db`]],
  [["list", "--session-dir", `postgres://me:${CANARY}@host/db`]],
  [["show", "--blobs", `s3://key:${CANARY}@bucket`]],
  [["show", "--blobs", `https://key:${CANARY}@host/bucket`]],
  [["show", `postgres://me:${CANARY}@host/db`]],
  [["append", `postgres://me:${CANARY}@host/db`, "--role", "user", "--text", "Hi"]],
  [["list", "--store", `postgres://me:a/${CANARY}@host/db`]],
  [["list", "--store", `postgres://me:1#${CANARY}@host/db`]],
  [["list", "--store", `postgres://me:1?${CANARY}@host/db`]],
  [["list", `--store=postgres://me:${CANARY}@host/db`, "--nope"]],
  [["list", `--stor=postgres://me:${CANARY}@host/db`]],
  [["completion", "bash", "--", `treelog --store postgres://me:${CANARY}@host/db show `, ""]],
  [["import", "--all", "--from", "pi", "--to", "treelog", "--to-blobs", `s3://key:${CANARY}@bucket`]],
])("nothing of %j is repeated", async (argv) => {
  for (const more of [[], ["--json"]]) {
    const { code, stdout, stderr } = await sandbox().run([...argv.slice(0, 1), ...more, ...argv.slice(1)])
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" })
    expect(stderr).not.toContain(CANARY)
  }
})

test("a password file is used, and never repeated", async () => {
  const box = machine({ TREELOG_STORE: addressOf(database).replace(`:${database.password}@`, "@") })
  expect((await box.run(["list"])).stderr).toContain(
    "it asks for a password: set PGPASSWORD, or add a line to ~/.pgpass",
  )
  box.files.write(".pgpass", `${local()}:*:${database.user}:${database.password}\n`)
  const { code, stderr } = await box.run(["list"])
  expect(code).toBe(1)
  expect(stderr).toContain(`${box.files.folder}/.pgpass is ignored, since others can read it`)
  const { PGPASSWORD = database.password } = {}
  expect(await box.run(["list", "--cwd", "."], { env: { PGPASSWORD } })).toMatchObject({ code: 6 })
})
