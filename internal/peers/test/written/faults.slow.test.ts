import { mkdtemp, readdir, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join, sep } from "node:path"
import { type WriteSessionOptions, writeAgentSession } from "@treelog/agents"
import { writeClaudeCode } from "@treelog/agents/claude-code"
import { writeCodex } from "@treelog/agents/codex"
import type { Session } from "@treelog/session-core"
import { nodeFs } from "@treelog/storage-fs"
import { addSubAgent, sampleSession } from "@treelog-internal/test-kit/copied-session"
import { expectTyped, type FaultKind, forEachFault } from "@treelog-internal/test-kit/fault-fs"
import { expect, it } from "vitest"

const KINDS: FaultKind[] = ["EIO", "ENOSPC", "EPERM", "short", "short-ENOSPC", "crash", "torn-crash"]

/** The writers, and which files in the agent's folder its list reads. */
const WRITERS = [
  ["codex", writeCodex, /^sessions\/.*\/rollout-[^/]*\.jsonl$/],
  ["claude-code", writeClaudeCode, /^projects\/[^/]+\/[\da-f-]{36}\.jsonl$/],
  ["copilot", of("copilot"), /^session-state\/[\da-f-]{36}\/events\.jsonl$/],
  ["gemini", of("gemini"), /^tmp\/[^/]+\/chats\/session-[^/]*\.jsonl?$/],
  ["qwen", of("qwen"), /^projects\/[^/]+\/chats\/[^/.]+\.jsonl$/],
] as const

function of(agent: Parameters<typeof writeAgentSession>[0]) {
  return (session: Session, options: WriteSessionOptions) => writeAgentSession(agent, session, options)
}

it.each(WRITERS)(
  "leaves no session of %s, the one that was there, or the complete one, whatever call fails",
  async (_agent, writer, listed) => {
    const source = await sampleSession("/srv/shop", true)
    const transcripts = addSubAgent(source)
    const before = source.getLeafId() ?? ""
    const more = source.appendMessage({ role: "user", content: "More.", timestamp: Date.parse("2026-11-21T00:00:00Z") })
    const write = (leaf: string, dir: string, fs = nodeFs) => {
      source.branch(leaf)
      return writer(source, { dir, from: "claude-code", fs, transcripts })
    }
    const textIn = (dir: string) => bodyIn(dir, listed)
    const early = await inFolder((dir) => write(before, dir).then(() => textIn(dir)))
    const late = await inFolder((dir) => write(more, dir).then(() => textIn(dir)))
    expect(early).not.toBe(late)
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

/** What the only session that is listed has behind its first lines, with all that its sub-agents said; undefined where none is listed. */
async function bodyIn(dir: string, listed: RegExp): Promise<string | undefined> {
  const files = (await readdir(dir, { recursive: true })).map((name) => name.split(sep).join("/"))
  const read = await Promise.all(files.filter((name) => listed.test(name)).map((name) => linesOf(join(dir, name))))
  // The list of Codex leaves out threads that others started.
  const [main, ...more] = read.filter(({ first }) => typeof first.payload?.source !== "object")
  expect(more).toEqual([])
  if (!main) return undefined
  expect(main.mark).toHaveProperty("receipt")
  const parts = await Promise.all(
    (main.mark.parts ?? []).map((name: string) => linesOf(join(dirname(main.path), name))),
  )
  return [main, ...parts].map(({ body }) => body).join("\n")
}

async function linesOf(path: string) {
  const lines = (await readFile(path, "utf8")).split("\n")
  expect(lines.at(-1)).toBe("")
  const first = JSON.parse(lines[0] ?? "")
  const mark = first.treelog ?? first.payload?.treelog
  return { path, first, mark, body: lines.slice(mark.head).join("\n") }
}
