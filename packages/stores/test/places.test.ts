import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { findStores, storePlaces } from "../src/index.js"
import { temporaryBox } from "./box.js"

function home(more: Record<string, string> = {}) {
  const { folder, write } = temporaryBox()
  return { folder, write, here: { env: { HOME: folder, ...more }, cwd: folder } }
}

test("pi's sessions are where its variable says, else where its settings do", async () => {
  const { folder, write, here } = home()
  write(".pi/agent/settings.json", JSON.stringify({ sessionDir: "~/talks" }))
  mkdirSync(join(folder, "talks"))
  mkdirSync(join(folder, "others"))
  const placeOfPi = async (env: object) =>
    (await storePlaces({ ...here, env: { ...here.env, ...env } })).find(({ store }) => store === "pi")?.sessions
  expect(await placeOfPi({})).toBe(join(folder, "talks"))
  expect(await placeOfPi({ PI_CODING_AGENT_SESSION_DIR: "~/others" })).toBe(join(folder, "others"))
  expect(await findStores(here)).toEqual(["pi"])
})

test("settings of pi that are no JSON are an error of its store alone, not another folder", async () => {
  const { folder, write, here } = home()
  write(".pi/agent/settings.json", "{")
  mkdirSync(join(folder, ".claude/projects"), { recursive: true })
  const errors: string[] = []
  expect(await findStores(here, (store, error) => errors.push(`${store}: ${error}`))).toEqual(["claude-code"])
  expect(errors).toEqual([expect.stringMatching(/^pi: .*settings\.json/)])
})

test("relatives of pi, oh-my-pi in another folder, and a database are found", async () => {
  const { folder, write, here } = home({ PI_CONFIG_DIR: ".oh" })
  for (const name of [
    ".omo/agent/sessions",
    ".prime/agent/sessions",
    ".oh/agent/sessions",
    ".oh/profiles/work/agent/sessions",
  ])
    mkdirSync(join(folder, name), { recursive: true })
  write(".local/share/opencode/opencode.db", "")
  expect(await findStores(here)).toEqual(["omp", "omp:work", "omo", "prime-agent", "opencode"])
})

test("oh-my-pi's sessions are in the shared folder for data once it has one there, those of each profile by themselves", async () => {
  const { folder, here } = home()
  for (const name of [".omp/agent/sessions", ".omp/profiles/a/agent/sessions", ".omp/profiles/b/agent/sessions"])
    mkdirSync(join(folder, name), { recursive: true })
  const there = { ...here, env: { ...here.env, XDG_DATA_HOME: join(folder, "data") } }
  const places = async () =>
    Object.fromEntries((await storePlaces(there)).map(({ store, sessions }) => [store, sessions]))
  expect(await places()).toMatchObject({ omp: join(folder, ".omp/agent/sessions") })
  for (const name of ["data/omp/sessions", "data/omp/profiles/b/sessions", "data/omp/profiles/c/sessions"])
    mkdirSync(join(folder, name), { recursive: true })
  expect(await places()).toMatchObject({
    omp: join(folder, "data/omp/sessions"),
    "omp:a": join(folder, ".omp/profiles/a/agent/sessions"),
    "omp:b": join(folder, "data/omp/profiles/b/sessions"),
    "omp:c": join(folder, "data/omp/profiles/c/sessions"),
  })
})

test("a variable names another database of an agent, in its folder or elsewhere", async () => {
  const { folder, here } = home()
  const placeOf = async (name: string) => {
    const env = { ...here.env, OPENCODE_DB: name }
    return (await storePlaces({ ...here, env })).find(({ store }) => store === "opencode")?.sessions
  }
  expect(await placeOf(":memory:")).toBe(join(folder, ".local/share/opencode/opencode.db"))
  expect(await placeOf("other.db")).toBe(join(folder, ".local/share/opencode/other.db"))
  expect(await placeOf("/data/other.db")).toBe("/data/other.db")
})
