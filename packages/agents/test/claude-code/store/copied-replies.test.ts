import { mkdir, writeFile } from "node:fs/promises"
import { dirname } from "node:path"
import { MemorySessionIndex } from "@treelog/session-core/search"
import { expect, it } from "vitest"
import { call, convert, messageLinks, reply, result, text, user } from "../lines.js"
import { folderOfTest } from "./claude-folder.js"

const CWD = "/home/ada/shop"
const ids = [1, 2, 3].map((n) => `${n}1111111-1111-4111-8111-111111111111`)
const SAID = [
  user("u1", null, "Hello"),
  reply("r1", "u1", [text("One")]),
  user("u2", "r1", "And"),
  reply("r2", "u2", [text("Look")], { id: "msg_r2" }),
  reply("r3", "r2", [call("c1")], { id: "msg_r2" }),
  result("u3", "r3", "c1"),
  reply("r4", "u3", [text("Two")]),
]

type Line = (typeof SAID)[number]

/** The calls that are counted in sessions with these lines, the oldest first. */
async function countedIn(...sessions: readonly (readonly Line[])[]): Promise<number | undefined> {
  const { pathOf, storage } = await folderOfTest()
  for (const [at, lines] of sessions.entries()) {
    const path = pathOf(ids[at] ?? "", CWD)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""))
  }
  const index = new MemorySessionIndex(storage)
  await index.update()
  const [row] = await index.usage({})
  return row?.totals.calls
}

/** Lines under other ids, all of them at one time. */
function copied(lines: readonly Line[], mark: string, fieldsOf: (line: Line) => object = () => ({})): Line[] {
  const idOf = (uuid: unknown) => uuid && `${uuid}${mark}`
  return lines.map((line) => ({
    ...line,
    ...{ uuid: idOf(line.uuid), parentUuid: idOf(line.parentUuid), timestamp: `2026-02-1${mark}T09:00:00.000Z` },
    ...fieldsOf(line),
  }))
}

it("counts once what versions up to 1.0.117 copied into another file each time that they went on", async () => {
  const second = [...copied(SAID, "1"), user("v1", "r41", "Else"), reply("s1", "v1", [text("Three")])]
  const third = [...copied(second, "2"), user("w1", "s12", "More"), reply("t1", "w1", [text("Four")])]
  expect(await countedIn(SAID, second, third)).toBe(5)
})

it("counts once what a copy has without a call that was lost with its process", async () => {
  const killed = SAID.slice(0, 5)
  const withoutCalls = killed.filter(({ uuid }) => uuid !== "r3")
  expect(await countedIn(killed, [...copied(withoutCalls, "1"), user("v1", "r21", "Else")])).toBe(2)
})

it("counts once what the fork of a fork copied, also the last line, which has the time of the fork", async () => {
  const named = ({ uuid }: Line) => ({ forkedFrom: { sessionId: "s1", messageUuid: uuid } })
  const first = copied(SAID, "1", named)
  const second = [...copied(first, "2", named), user("v1", "r412", "Else"), reply("s1", "v1", [text("Three")])]
  expect(await countedIn(SAID, first, second)).toBe(4)
})

it("counts each response of a gateway that gives all of them one id, in one session and in several", async () => {
  const through = (lines: readonly Line[]): Line[] =>
    lines.map(({ requestId: _, ...line }) =>
      line.type === "assistant" ? { ...line, message: { ...(line.message as object), id: "chatcmpl-0" } } : line,
    )
  const session = [
    user("u1", null, "Hello"),
    reply("r1", "u1", [text("OK.")], { stop_reason: "end_turn" }),
    user("u2", "r1", "And"),
    reply("r2", "u2", [text("Look")]),
    reply("r3", "r2", [call("c1")], { stop_reason: "tool_use" }),
    result("u3", "r3", "c1"),
    reply("r4", "u3", [text("OK.")], { stop_reason: "end_turn" }),
  ]
  const nextDay = ({ timestamp }: Line) => ({ timestamp: String(timestamp).replace("-10T", "-11T") })
  expect(await countedIn(through(session), through(copied(session, "1", nextDay)))).toBe(6)
  const { entries } = convert(through(session))
  expect(messageLinks(entries)).toBe("u1< r1<u1 u2<r1 r2<u2 u3<r2 r4<u3")
})
