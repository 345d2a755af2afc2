import { utimes, writeFile } from "node:fs/promises"
import { convertClaudeCode } from "@treelog/agents/claude-code"
import { usagesOf } from "@treelog/session-core/search"
import { describe, expect, it } from "vitest"
import { type line, reply, text, user } from "../lines.js"
import { folderOfTest } from "./claude-folder.js"

const ID = "6dfbc8e4-f399-4705-94fe-6d7cf3c8e18f"
const CWD = "/home/ada/shop"
const LONG_AGO = (Date.now() - 3_600_000) / 1000

type Line = ReturnType<typeof line>

/** What a session used and its name, by lines with usage alone and by all of it. */
async function both(lines: readonly Line[], isSettled = true) {
  const folder = await folderOfTest()
  const path = await folder.add(ID, CWD)
  const content = `${lines.map((one) => JSON.stringify(one)).join("\n")}\n`
  await writeFile(path, content)
  if (isSettled) await utimes(path, LONG_AGO, LONG_AGO)
  const whole = convertClaudeCode(content, { name: ID, path, isComplete: isSettled })
  return [await folder.storage.usage?.(path), whole].map((found) => {
    if (!found) return undefined
    const name = found.entries.flatMap((entry) => (entry.type === "session_info" ? [Object(entry).name] : [])).at(-1)
    const used = found.entries.filter((entry) => usagesOf(entry).length > 0).map(({ id }) => id)
    return { cwd: found.header.cwd, name, used }
  })
}

const DONE = { stop_reason: "end_turn" }
const SAID = [user("u1", null, "hello"), reply("r1", "u1", [text("hi")], DONE)]

describe("the usage of a session of Claude Code", () => {
  it("is without a reply at the end that is not complete, and with one that something follows", async () => {
    const open = [user("u2", "r1", "go on"), reply("r2", "u2", [text("well")])]
    const [alone, whole] = await both([...SAID, ...open], false)
    expect(alone).toEqual(whole)
    expect(alone?.used).toEqual(["r1"])
    const [followed, all] = await both([...SAID, ...open, user("u3", "r2", "and?")], false)
    expect(followed).toEqual(all)
    expect(followed?.used).toEqual(["r1", "r2"])
  })

  it("is that of the whole where two replies may be copies of each other", async () => {
    const first = reply("r2", "u1", [text("same")], { id: undefined })
    const [alone, whole] = await both([...SAID, first, { ...first, uuid: "r3" }])
    expect(whole?.used).toEqual(["r1", "r2"])
    expect(alone).toEqual(whole)
  })

  it("is of the folder in which the session ended, where its file lies with the sessions of that", async () => {
    const elsewhere = SAID.map((one) => ({ ...one, cwd: "/home/ada/elsewhere" }))
    const [alone, whole] = await both([...elsewhere, user("u2", "r1", "here")])
    expect(alone).toEqual(whole)
    expect(alone?.cwd).toBe(CWD)
  })

  it("has the name that a summary of a prompt gives the session, and none of a summary of another session", async () => {
    const summaryOf = (leafUuid: string) => ({ type: "summary", summary: `of ${leafUuid}`, leafUuid })
    const [alone, whole] = await both([...SAID, user("u2", "r1", "go on"), summaryOf("u2"), summaryOf("u9")])
    expect(alone).toEqual(whole)
    expect(alone?.name).toBe("of u2")
  })
})
