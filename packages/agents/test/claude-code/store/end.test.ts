import { mkdir, rm, utimes, writeFile } from "node:fs/promises"
import { convertClaudeCode } from "@treelog/agents/claude-code"
import { buildSessionContext, SessionManager } from "@treelog/session-core"
import { readContextFromEnd } from "@treelog/session-core/adapter"
import { tries } from "@treelog-internal/test-kit"
import { generateClaudeFile } from "@treelog-internal/test-kit/claude-code"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { call, line, reply, result, system, text, user } from "../lines.js"
import { type ClaudeFolder, claudeFolder, folderOfTest } from "./claude-folder.js"

const ID = "6dfbc8e4-f399-4705-94fe-6d7cf3c8e18f"
const CWD = "/home/ada/shop"
const LONG_AGO = (Date.now() - 3_600_000) / 1000

type Line = ReturnType<typeof line>

/** Before a compaction: what nobody should have to convert. */
const BEFORE = [user("u1", null, "hello"), reply("r1", "u1", [text("hi"), call("c1")]), result("t1", "r1", "c1")]

function compaction(metadata: object = {}): Line[] {
  const boundary = system("b", null, "compact_boundary", { logicalParentUuid: "t1", compactMetadata: metadata })
  return [boundary, user("s", "b", "What was said", { isCompactSummary: true })]
}

const AFTER = [user("u2", "s", "go on"), reply("r2", "u2", [text("done")], { stop_reason: "end_turn" })]

async function stored(folder: ClaudeFolder, content: string, isSettled: boolean): Promise<string> {
  const path = await folder.add(ID, CWD)
  await writeFile(path, content)
  if (isSettled) await utimes(path, LONG_AGO, LONG_AGO)
  return path
}

const contentOf = (lines: readonly Line[]): string => `${lines.map((one) => JSON.stringify(one)).join("\n")}\n`

/** Ids of the path that the end of a file has by itself; undefined where only all of it does. */
async function idsOfEnd(...lines: readonly Line[]): Promise<string[] | undefined> {
  const folder = await folderOfTest()
  const path = await stored(folder, contentOf(lines), true)
  // With parts only where the end is enough.
  const end = await folder.storage.end?.(path, { withParts: true })
  const context = await new SessionManager({ storage: folder.storage, anyFile: true }).readContext(path)
  const { entries } = convertClaudeCode(contentOf(lines), { name: ID, path, isComplete: true })
  expect(context).toEqual(buildSessionContext(entries))
  return end?.map(({ id }) => id)
}

describe("the end of a file of Claude Code", () => {
  it("says the context from the last compaction on, and from the first message that this kept", async () => {
    expect(await idsOfEnd(...BEFORE, ...compaction(), ...AFTER)).toEqual(["b", "u2", "r2"])
    const kept = [user("u3", "t1", "kept"), reply("r3", "u3", [text("this, too")])]
    const preservedSegment = { headUuid: "u3", anchorUuid: "s", tailUuid: "r3" }
    expect(await idsOfEnd(...BEFORE, ...kept, ...compaction({ preservedSegment }), ...AFTER)).toEqual(
      expect.arrayContaining(["u3", "r3", "b", "u2", "r2"]),
    )
  })

  it("is enough where the command to compact was typed before, and written behind", async () => {
    const command = {
      ...user("k", "s", "<command-name>/compact</command-name>"),
      timestamp: "2026-02-10T08:00:00.000Z",
    }
    expect(await idsOfEnd(...BEFORE, ...compaction(), command, ...AFTER)).toContain("r2")
  })

  it("is not enough without a compaction, or where it goes on from, answers or repeats what stands before", async () => {
    expect(await idsOfEnd(...BEFORE, user("u2", "t1", "go on"))).toBeUndefined()
    const [prompt, answer] = AFTER as [Line, Line]
    expect(await idsOfEnd(...BEFORE, ...compaction(), { ...prompt, parentUuid: "t1" }, answer)).toBeUndefined()
    expect(await idsOfEnd(...BEFORE, ...compaction(), ...AFTER, result("t2", "r2", "c1"))).toBeUndefined()
    const again = { ...(BEFORE[0] as Line), uuid: "u9", parentUuid: "s" }
    expect(await idsOfEnd(...BEFORE, ...compaction(), again, ...AFTER)).toBeUndefined()
    const pin = line("last-prompt", "", null, { uuid: undefined, leafUuid: "r1", explicit: true })
    expect(await idsOfEnd(...BEFORE, ...compaction(), ...AFTER, pin)).toBeUndefined()
  })

  it("is not enough where nothing behind the compaction names a model", async () => {
    expect(await idsOfEnd(...BEFORE, ...compaction(), ...AFTER.slice(0, 1))).toBeUndefined()
  })

  it("is that of its sub-agents where only these are left", async () => {
    const folder = await folderOfTest()
    const path = await stored(folder, "", true)
    await mkdir(path.replace(".jsonl", "/subagents"), { recursive: true })
    await writeFile(path.replace(".jsonl", "/subagents/agent-a1.jsonl"), contentOf(AFTER))
    await rm(path)
    const context = await readContextFromEnd(folder.storage, path)
    expect(context?.messages).toEqual([])
  })

  it("gives the context and the path that all of it gives, whatever was written, and whether or not it settled", async () => {
    let compared = 0
    await fc.assert(
      fc.asyncProperty(
        fc.nat(2 ** 31),
        fc.integer({ min: 5, max: 45 }),
        fc.boolean(),
        async (seed, events, isSettled) => {
          const folder = await claudeFolder()
          const { lines, isOpen } = generateClaudeFile(seed, events)
          const content = lines.join("\n") + (isOpen ? "" : "\n")
          const path = await stored(folder, content, isSettled)
          const end = await folder.storage.end?.(path, { withParts: false })
          if (end) {
            compared += 1
            const context = await new SessionManager({ storage: folder.storage, anyFile: true }).readContext(path)
            const { entries } = convertClaudeCode(content, { name: ID, path, isComplete: isSettled })
            expect(context).toEqual(buildSessionContext(entries))
            const messages = new Map(entries.map((entry) => [entry.id, "message" in entry ? entry.message : undefined]))
            for (const entry of end) if ("message" in entry) expect(entry.message).toEqual(messages.get(entry.id))
          }
          await folder.remove()
        },
      ),
      { numRuns: tries(60) + 4, examples: [1, 2, 3, 4].map((seed): [number, number, boolean] => [seed, 40, true]) },
    )
    expect(compared).toBeGreaterThan(0)
  })
})
