import { importSession } from "@treelog/session-core/maintenance"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { givenManager } from "../session/given-manager.js"
import { putStored, storedText } from "../session/stored-bytes.js"

const KEY = "memory:/project/test-session"
const entry =
  '{"type":"message","id":"0000000a","parentId":null,"timestamp":"2026-03-07T14:00:00.000Z","message":{"role":"user","content":"a"}}'

/** Members that no fork and no import changes, with their keys several times, an escaped one among them. */
const extras = fc.shuffledSubarray(
  ['"x":1', '"x":{"y":1,"y":2}', '"x":1.0', '"\\u0078":[]', '"__proto__":1', '"z":"a"', '"\\u007a":"b"'],
  {
    minLength: 1,
  },
)

describe("a header with repeated keys", () => {
  it("keeps them as they are in a fork and an import", async () => {
    await fc.assert(
      fc.asyncProperty(extras, async (members) => {
        const { sessions, storage } = givenManager()
        const head =
          '{"type":"session","version":3,"id":"test-session","timestamp":"2026-03-07T14:00:00.000Z","cwd":"/project"'
        await putStored(storage, KEY, `${head},${members.join(",")}}\n${entry}\n`)
        const fork = await sessions.forkFrom(KEY, "/forked")
        const target = givenManager()
        const imported = await importSession(target.sessions, KEY, { storage, cwd: "/imported" })
        const texts = [
          await storedText(storage, fork.getSessionFile() ?? ""),
          await storedText(target.storage, imported.to),
        ]
        for (const text of texts) {
          const [header = "", ...lines] = (text ?? "").split("\n")
          expect(header.replace(/,"parentSession":"[^"]*"/, "")).toContain(members.join(","))
          expect(lines).toEqual([entry, ""])
        }
        await fork.close()
      }),
    )
  })

  it("has one id and one folder afterwards where it had two", async () => {
    const { storage } = givenManager()
    const header =
      '{"type":"session","version":3,"id":"old","cwd":"/old","id":"../up","timestamp":"2026-03-07T14:00:00.000Z","cwd":"/project"}'
    await putStored(storage, KEY, `${header}\n${entry}\n`)
    const target = givenManager()
    const { to, id } = await importSession(target.sessions, KEY, { storage, cwd: "/imported" })
    const [line = ""] = ((await storedText(target.storage, to)) ?? "").split("\n")
    expect(line.match(/"id":"[^"]*"|"cwd":"[^"]*"/g)).toEqual([`"id":"${id}"`, '"cwd":"/imported"'])
  })
})
