import { mkdtemp, readdir, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { writeCodex } from "@treelog/agents/codex"
import type { Session } from "@treelog/session-core"
import { nodeFs } from "@treelog-internal/fs"
import { sampleSession } from "@treelog-internal/test-kit/copied-session"
import { expectTyped, type FaultKind, forEachFault } from "@treelog-internal/test-kit/fault-fs"
import { expect, it } from "vitest"

const KINDS: FaultKind[] = ["EIO", "ENOSPC", "EPERM", "short", "short-ENOSPC", "crash", "torn-crash"]

it("leaves no rollout, the one that was there, or the complete one, whatever call fails", async () => {
  const source = await sampleSession("/srv/shop", true)
  const textOf = (dir: string) => write(source, dir).then(() => textIn(dir))
  const early = await inFolder(textOf)
  const more = source.appendMessage({ role: "user", content: "More.", timestamp: Date.parse("2026-11-21T00:00:00Z") })
  const late = await inFolder(textOf)
  const before = source.getEntry(more)?.parentId ?? ""
  const count = await forEachFault(KINDS, (run) =>
    inFolder(async (dir) => {
      const faulty = run.inject(nodeFs)
      faulty.arm()
      for (const [leaf, texts] of [
        [before, [undefined, early]],
        [more, [undefined, early, late]],
      ] as const) {
        source.branch(leaf)
        const writing = writeCodex(source, { dir, from: "claude-code", fs: faulty.fs })
        const done = await writing.catch((error) => (faulty.isCrashed ? undefined : expectTyped(error)))
        const text = await textIn(dir)
        expect(texts).toContain(text)
        if (done) expect(text).toBe(texts.at(-1))
      }
      faulty.disarm()
      await write(source, dir)
      expect(await textIn(dir)).toBe(late)
    }),
  )
  expect(count).toBeGreaterThan(20)
})

const write = (source: Session, dir: string) => writeCodex(source, { dir, from: "claude-code" })

async function inFolder<Result>(work: (dir: string) => Promise<Result>): Promise<Result> {
  const dir = await mkdtemp(join(tmpdir(), "codex-faults-"))
  try {
    return await work(dir)
  } finally {
    await rm(dir, { recursive: true })
  }
}

/** The lines of the only rollout behind its first, which has the receipt. */
async function textIn(dir: string): Promise<string | undefined> {
  const names = (await readdir(dir, { recursive: true })).filter((name) => /rollout-[^/]*\.jsonl$/.test(name))
  expect(names.length).toBeLessThan(2)
  if (names[0] === undefined) return undefined
  const text = await readFile(join(dir, names[0]), "utf8")
  return text.slice(text.indexOf("\n") + 1)
}
