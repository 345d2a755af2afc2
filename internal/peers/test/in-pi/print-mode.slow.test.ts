import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { generateSession } from "@treelog-internal/test-kit/generator"
import { expect, test } from "vitest"
import { exportedData } from "./exported-data.js"
import { type Home, PI_IN_NEWER_NODE } from "./home.js"
import { PIXEL } from "./pixel.js"
import { eventsOf, run } from "./run-pi.js"
import { expectSameWork } from "./same-work.js"

/** The first session of the home: its id, its path. */
function firstOf({ files, sessionsDir }: Home): { id: string; path: string } {
  const [[name, lines] = ["", ""]] = Object.entries(files())
  return { id: JSON.parse(lines.split("\n")[0] ?? "").id, path: join(sessionsDir, name) }
}

test("pi prints the same texts and events, when it begins, continues, opens and forks sessions", async () => {
  const files = await expectSameWork(async (home) => {
    const events = await eventsOf(home, ["--mode", "json", "hello", "run echo one", "think trees"])
    const { id, path } = firstOf(home)
    return [
      ...events,
      await run(home, ["-p", "--session", path, "by its path"]),
      await run(home, ["-p", "--fork", id.slice(0, 20), "by a part of its id"]),
      ...(await eventsOf(home, ["--mode", "json", "-c", "in the latest"])),
    ]
  }, PI_IN_NEWER_NODE)
  expect(Object.values(files).map(({ length }) => length)).toEqual([13, 17])
})

test("pi prints the same, when it reads files, works from another project, exports, and finds no session", async () => {
  const files = await expectSameWork(async (home) => {
    writeFileSync(join(home.project, "pixel.png"), Buffer.from(PIXEL, "base64"))
    const cwd = join(home.folder, "other")
    mkdirSync(cwd)
    const said = [await run(home, ["-p", "@page.txt", "@pixel.png", "look at these"])]
    const { id, path } = firstOf(home)
    const page = join(home.folder, "page.html")
    said.push(
      await run(home, ["-p", "--fork", id, "forked here"], cwd),
      await run(home, ["-p", "-c", "the latest here"], cwd),
      await run(home, ["-p", "--no-session", "nothing is stored"]),
      await run(home, ["-p", "--session", "nothing", "there is none"]),
      await run(home, ["-p", "--fork", join(home.project, "page.txt"), "no session"]),
      await run(home, ["--export", path, page]),
    )
    return [...said, exportedData(page)]
  }, PI_IN_NEWER_NODE)
  expect(Object.keys(files)).toHaveLength(2)
})

test("pi prints the same on a session of version 1, which it migrates", async () => {
  const files = await expectSameWork(async (home) => {
    const lines = generateSession({
      style: "pi-v1",
      entries: 40,
      compactions: 1,
      branching: 0,
      edits: 0,
      imageBytes: 0,
      seed: 3,
    })
    const [header = "", ...entries] = [...lines]
    const path = join(home.sessionsDir, "old.jsonl")
    mkdirSync(home.sessionsDir, { recursive: true })
    writeFileSync(path, `${[JSON.stringify({ ...JSON.parse(header), cwd: home.project }), ...entries].join("\n")}\n`)
    return run(home, ["-p", "--session", path, "hello"])
  }, PI_IN_NEWER_NODE)
  expect(Object.values(files)[0]?.[0]).toMatchObject({ version: 3 })
})
