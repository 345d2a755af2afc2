import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { userEntry } from "@treelog-internal/test-kit"
import { expect, test } from "vitest"
import { MAIN } from "../built-imports.js"
import { addressOf, ask, type DatabaseBox, databaseScene } from "./database-box.js"

// What only a process can show. It runs what `npm run build` made.

const { database, machine } = databaseScene()

function start(box: DatabaseBox, argv: readonly string[], node: readonly string[] = []): ChildProcess {
  const { folder, project } = box.files
  const env = { PATH: process.env.PATH, HOME: folder, TREELOG_STORE: addressOf(database) }
  return spawn(process.execPath, [...node, MAIN, ...argv], { cwd: project, env })
}

/** The exit code, and what was printed on stderr. */
async function ended(child: ChildProcess): Promise<{ code: number; stderr: string }> {
  let stderr = ""
  child.stderr?.on("data", (text) => {
    stderr += String(text)
  })
  const [code] = (await once(child, "close")) as [number]
  return { code, stderr }
}

const connections = async (): Promise<unknown> => {
  const rows = await ask(
    database,
    `select pid from pg_stat_activity where application_name = 'treelog' and datname = '${database.database}'`,
  )
  return rows.length
}

test.each([["list"], ["show", "nothing"], ["append", "one", "--role", "user", "--text", "Hi"]])(
  "`%s` ends by itself, with its connections",
  async (...argv) => {
    const box = machine()
    await box.print("new", "--id", `one-${argv[0]}`)
    const { stderr } = await ended(start(box, argv))
    expect(stderr).not.toMatch(/warning/i)
    await expect.poll(connections).toBe(0)
  },
)

test("on Ctrl-C, `watch` ends with 130, and with its connections", async () => {
  const box = machine()
  await box.print("new", "--id", "watched")
  const child = start(box, ["watch"])
  const end = ended(child)
  child.stderr?.once("data", () => child.kill("SIGINT"))
  expect(await end).toMatchObject({ code: 130 })
  await expect.poll(connections).toBe(0)
})

test("on Ctrl-C, `copy` ends with 130 and releases the session: the next one continues at once", async () => {
  const box = machine()
  for (let at = 0; at < 30; at++)
    box.files.store([userEntry("one", null, "word ".repeat(40_000))], { id: `session-${at}` })
  const child = start(box, ["import", "--from", "../agent", "--all"])
  const end = ended(child)
  child.stdout?.once("data", () => child.kill("SIGINT"))
  expect(await end).toMatchObject({ code: 130 })
  const again = await box.run(["import", "--from", "../agent", "--all"])
  expect(again).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/^30 sessions: [1-9]\d* created, 0 appended to, [1-9]\d* unchanged\.\n$/),
  })
})

test("without the driver, the error says what to install", async () => {
  const resolve = `export async function resolve(specifier, context, next) {
    if (specifier === "pg") throw Object.assign(new Error("Cannot find package"), { code: "ERR_MODULE_NOT_FOUND" })
    return next(specifier, context)
  }`
  const data = (code: string): string => `data:text/javascript,${encodeURIComponent(code)}`
  const register = data(`import { register } from "node:module"; register(${JSON.stringify(data(resolve))})`)
  const { code, stderr } = await ended(start(machine(), ["list"], ["--import", register]))
  expect(code).toBe(2)
  expect(stderr).toMatch(
    /^treelog: postgres:\/\/\S+ needs the driver `pg`, which is installed beside treelog: npm install --global pg\.\n$/,
  )
})
