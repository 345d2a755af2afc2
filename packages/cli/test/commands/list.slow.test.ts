import { messageEntry, TEST_START, userEntry, userMessage } from "@treelog-internal/test-kit"
import { expect, test } from "vitest"
import { widthOf } from "../door.js"
import { sandbox } from "../sandbox.js"

const HOUR = 3_600_000

test("ids that were made at once are shown by their ends, which name the sessions, and lines fit 80 columns", async () => {
  const box = sandbox()
  const ids = Array.from({ length: 60 }, (_, at) => `019a1b2c-3d4e-7f00-8abc-${String(at * 7919).padStart(12, "0")}`)
  for (const [at, id] of ids.entries())
    box.store([userEntry("one", null, at % 2 === 0 ? "变更日志 ".repeat(at) : "word ".repeat(at))], {
      id,
      cwd: at % 3 === 0 ? box.project : `/a/folder/${"far/".repeat(at)}away`,
    })
  for (const argv of [["list"], ["list", "--all"], ["delete", "--older-than", "0", "--all"], ["trash", "ls"]]) {
    if (argv[0] === "trash") await box.run(["delete", ...ids])
    const { stdout } = await box.run(argv, { isTTY: true, columns: 80, env: { NO_COLOR: "1" } })
    const lines = stdout.trimEnd().split("\n").slice(1)
    expect(lines.map((line) => widthOf(line)).filter((width) => width > 80)).toEqual([])
    for (const line of lines) {
      const [shown = ""] = line.split(" ")
      expect(shown).toHaveLength(8)
      expect(ids.filter((id) => id.endsWith(shown))).toHaveLength(1)
      if (argv[0] === "list") expect((await box.run(["name", shown])).code).toBe(0)
    }
  }
})

test("a store of several pages is printed newest first, in one table", async () => {
  const box = sandbox()
  for (let count = 0; count < 350; count++)
    box.store([messageEntry("one", null, userMessage(`Number ${count}`, { timestamp: TEST_START - count * HOUR }))], {
      id: `${(count * 7919) % 350}-of-many`.padStart(20, "0"),
    })
  const lines = (await box.print("list")).split("\n")
  expect(lines).toHaveLength(351)
  expect(lines.slice(1).map((line) => Number(line.split("Number ")[1]))).toEqual(
    Array.from({ length: 350 }, (_, index) => index),
  )
  expect((await box.run(["list", "--json"])).json.map(({ firstMessage }) => firstMessage)).toEqual(
    Array.from({ length: 350 }, (_, index) => `Number ${index}`),
  )
})
