import { mkdtemp, readdir, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { writeAgentSession } from "@treelog/agents"
import { nodeFs } from "@treelog/storage-fs"
import { sampleSession } from "@treelog-internal/test-kit/copied-session"
import { expectTyped, type FaultKind, forEachFault } from "@treelog-internal/test-kit/fault-fs"
import { expect, it } from "vitest"

const KINDS: FaultKind[] = ["EIO", "ENOSPC", "EPERM", "short", "short-ENOSPC", "crash", "torn-crash"]

it.each(["gemini", "qwen"] as const)(
  "leaves no session of %s, the one that was there, or the complete one, whatever call fails",
  async (agent) => {
    const source = await sampleSession("/srv/shop", true)
    const before = source.getLeafId() ?? ""
    const more = source.appendMessage({ role: "user", content: "More.", timestamp: Date.parse("2026-11-21T00:00:00Z") })
    const write = (leaf: string, dir: string, fs = nodeFs) => {
      source.branch(leaf)
      return writeAgentSession(agent, source, { dir, from: "claude-code", fs })
    }
    const early = await inFolder((dir) => write(before, dir).then(() => textIn(dir)))
    const late = await inFolder((dir) => write(more, dir).then(() => textIn(dir)))
    const count = await forEachFault(KINDS, (run) =>
      inFolder(async (dir) => {
        const faulty = run.inject(nodeFs)
        faulty.arm()
        for (const [leaf, texts] of [
          [before, [undefined, early]],
          [more, [undefined, early, late]],
        ] as const) {
          const done = await write(leaf, dir, faulty.fs).catch((error) =>
            faulty.isCrashed ? undefined : expectTyped(error),
          )
          const text = await textIn(dir)
          expect(texts).toContain(text)
          if (done) expect(text).toBe(texts.at(-1))
        }
        faulty.disarm()
        await write(more, dir)
        expect(await textIn(dir)).toBe(late)
      }),
    )
    expect(count).toBeGreaterThan(20)
  },
)

async function inFolder<Result>(work: (dir: string) => Promise<Result>): Promise<Result> {
  const dir = await mkdtemp(join(tmpdir(), "written-faults-"))
  try {
    return await work(dir)
  } finally {
    await rm(dir, { recursive: true })
  }
}

/** The session in a folder, without its first line, which has the time when it was written; undefined where none is listed. */
async function textIn(dir: string): Promise<string | undefined> {
  const files = await readdir(dir, { recursive: true })
  const chats = files.filter((name) => name.endsWith(".jsonl") && !/(?:^|[/\\])\./.test(name))
  expect(chats.length).toBeLessThan(2)
  const [chat] = chats
  if (chat === undefined) return undefined
  expect(dirname(chat)).toMatch(/chats$/)
  const text = await readFile(join(dir, chat), "utf8")
  const [head = "", ...body] = text.split("\n")
  expect(JSON.parse(head)).toHaveProperty("treelog.receipt")
  return body.join("\n")
}
