import { streamBranch } from "@treelog/session-core/adapter"
import { entryList, sessionText, testHeader, tries, userMessage } from "@treelog-internal/test-kit"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { givenManager, keyOf } from "./given-manager.js"
import { putStored, storedText } from "./stored-bytes.js"

const KEY = "memory:/project/test-session"
const textOf = async (pieces: AsyncIterable<Uint8Array>): Promise<string> => {
  let text = ""
  for await (const piece of pieces) text += new TextDecoder().decode(piece)
  return text
}

describe("what passes by", () => {
  it("is what is given at once, for every leaf", async () => {
    await fc.assert(
      fc.asyncProperty(entryList, fc.nat(), async (entries, at) => {
        const { sessions, storage } = givenManager()
        await putStored(storage, KEY, sessionText(testHeader(), ...entries))
        const passing = await sessions.open(KEY, { access: "read" })
        const whole = await sessions.open(KEY, { access: "read" })
        const leafId = entries[at % Math.max(1, entries.length)]?.id
        expect([...passing.iterateEntries()]).toEqual(whole.getEntries())
        expect([...passing.iterateTranscript(leafId)]).toEqual(whole.buildTranscript(leafId))
      }),
      { numRuns: tries(60) },
    )
  })

  it("is the branch that would be stored, with the header of the session", async () => {
    await fc.assert(
      fc.asyncProperty(entryList, fc.nat(), async (entries, at) => {
        const { sessions, storage } = givenManager()
        await putStored(storage, KEY, sessionText(testHeader(), ...entries))
        const session = await sessions.open(KEY, { access: "read" })
        const leafId = entries[at % Math.max(1, entries.length)]?.id
        if (leafId === undefined) return
        const [header, ...passed] = (await textOf(streamBranch(session, leafId))).split("\n")
        const branch = await session.createBranchedSession(leafId)
        const [, ...stored] = ((await storedText(storage, keyOf(branch))) ?? "").split("\n")
        expect(JSON.parse(header ?? "")).toEqual(session.getHeader())
        // New entries at the end have ids of their own.
        const withoutOwn = (line: string) =>
          line.replace(/"id":"[^"]*","parentId":(?:null|"[^"]*"),"timestamp":"[^"]*"/, "")
        expect(passed.map(withoutOwn)).toEqual(stored.map(withoutOwn))
        await branch.close()
      }),
      { numRuns: tries(60) },
    )
  })

  it("is there in memory, too, and refuses an entry that is not", async () => {
    const session = givenManager().sessions.inMemory("/project")
    const id = session.appendMessage(userMessage("Hi"))
    expect([...session.iterateEntries()]).toEqual(session.getEntries())
    expect((await textOf(streamBranch(session, id))).split("\n")).toHaveLength(3)
    await expect(textOf(streamBranch(session, "nothing"))).rejects.toMatchObject({ code: "EntryNotFoundError" })
  })
})
