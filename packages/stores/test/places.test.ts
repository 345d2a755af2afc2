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
