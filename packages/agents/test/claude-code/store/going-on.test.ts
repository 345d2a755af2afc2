import { appendFile, mkdir, mkdtemp, readFile, rm, truncate, utimes, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { tries } from "@treelog-internal/test-kit"
import { generateClaudeFile } from "@treelog-internal/test-kit/claude-code"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { GrowingFile } from "./growing-file.js"

const AGENT = ["subagents/agent-a1.jsonl", "subagents/agent-b2.jsonl", "agent-c3.jsonl", "tool-results/toolu_1.txt"]

const step = fc.oneof(
  { weight: 12, arbitrary: fc.record({ what: fc.constant("grow"), count: fc.integer({ min: 1, max: 9 }) }) },
  {
    weight: 5,
    arbitrary: fc.record({
      what: fc.constantFrom("tear", "repeat", "glue", "cut", "rewrite", "agent", "settle", "copy", "note"),
      count: fc.nat(1000),
    }),
  },
)

const runs = fc.record({
  seed: fc.integer({ min: 0, max: 2 ** 31 }),
  events: fc.integer({ min: 8, max: 30 }),
  open: fc.constantFrom(1, 500, 3000),
  /** Transcripts of sub-agents within the lines of a session stand at its end until their call is answered. */
  hasNested: fc.boolean(),
  steps: fc.array(step, { minLength: 5, maxLength: 30 }),
})

type Run = typeof runs extends fc.Arbitrary<infer One> ? One : never

/** Grows a file of Claude Code as programs, people and faults do. @returns how often a conversion went on */
async function grow({ seed, events, open, hasNested, steps }: Run): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), "treelog-growing-"))
  try {
    const { lines: all, sessionId } = generateClaudeFile(seed, events)
    const lines = all.filter((line) => hasNested || !line.includes('"agent_progress"'))
    const path = join(folder, `${sessionId}.jsonl`)
    const file = new GrowingFile(path, open)
    let at = 0
    const next = (count: number): string[] => {
      at += count
      return lines.slice(at - count, at)
    }
    await writeFile(path, `${next(5).join("\n")}\n`)
    await file.convert()
    for (const { what, count } of steps) {
      const before = await readFile(path, "utf8")
      if (what === "grow")
        await appendFile(
          path,
          next(count)
            .map((line) => `${line}\n`)
            .join(""),
        )
      else if (what === "tear") {
        const [line = ""] = next(1)
        await appendFile(path, line.slice(0, count))
        await file.convert()
        await appendFile(path, `${line.slice(count)}\n`)
      } else if (what === "glue") await appendFile(path, `${next(2).join("")}\n`)
      else if (what === "repeat") await appendFile(path, `${lines[count % Math.max(1, at)] ?? ""}\n`)
      else if (what === "copy")
        await appendFile(
          path,
          `${(lines[count % Math.max(1, at)] ?? "").replace(/"uuid":"..../, `"uuid":"f${count % 9}ff`)}\n`,
        )
      else if (what === "cut") await truncate(path, Math.max(200, before.length - count))
      else if (what === "rewrite") {
        const place = Math.floor((before.length * count) / 1000)
        await writeFile(path, before.slice(0, place) + before.slice(place).replace(/"text":"./, '"text":"?'))
      } else if (what === "agent")
        await growAgent(path, sessionId, AGENT[count % AGENT.length] as string, lines[at] ?? "")
      else if (what === "note") await note(path, count)
      else await utimes(path, 1_700_000_000, 1_700_000_000)
      await file.convert(what !== "rewrite")
    }
    return file.resumed
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** A sub-agent begins or goes on: with a line of the session, as one of its own. */
async function growAgent(path: string, sessionId: string, name: string, line: string): Promise<void> {
  const folder = name.startsWith("agent-") ? join(path, "..") : path.replace(/\.jsonl$/, "")
  await mkdir(join(folder, name, ".."), { recursive: true })
  const own = line
    .replace(/"sessionId":"[^"]*"/, `"sessionId":"${sessionId}"`)
    .replace(/"id":"msg_/g, '"id":"msg_agent')
  await appendFile(join(folder, name), `${own}\n`)
}

/** A title or an archive is noted beside the file, or taken back. */
async function note(path: string, count: number): Promise<void> {
  const folder = path.replace(/\.jsonl$/, "")
  await mkdir(folder, { recursive: true })
  const [name, value] =
    count % 2 === 0
      ? ["custom-title.json", { customTitle: count % 3 === 0 ? "" : `Title ${count % 5}` }]
      : ["archived.json", { archived: count % 3 > 0, at: `2026-0${1 + (count % 9)}-01T00:00:00.000Z` }]
  await writeFile(join(folder, String(name)), JSON.stringify(value))
}

describe("A session of Claude Code that has grown", () => {
  it("counts what a sub-agent used while the last reply of the session was held back", async () => {
    const grown = (count: number) => ({ what: "grow" as const, count })
    const [agent, tear] = [
      { what: "agent" as const, count: 0 },
      { what: "tear" as const, count: 0 },
    ]
    const steps = [grown(1), agent, grown(6), agent, grown(1), grown(1), tear, grown(1)]
    const resumed = await grow({ seed: 810616944, events: 8, open: 1, hasNested: false, steps })
    expect(resumed).toBeGreaterThan(0)
  })

  it("does not go on behind a reply that calls without results are taken out of", async () => {
    const [grown, other] = [
      (count: number) => ({ what: "grow" as const, count }),
      (what: "cut" | "repeat" | "tear", count: number) => ({ what, count }),
    ]
    const before = [grown(9), grown(1), other("cut", 0), other("repeat", 1)]
    const steps = [...before, grown(1), grown(1), grown(2), grown(1), other("tear", 0)]
    // `grow` compares each conversion with that of the whole file.
    expect(await grow({ seed: 931287845, events: 8, open: 1, hasNested: false, steps })).toBeGreaterThan(0)
  })

  it("does not go on within a line that was torn", async () => {
    const grown = { what: "grow" as const, count: 1 }
    const steps = [{ what: "tear" as const, count: 636 }, ...Array.from({ length: 5 }, () => grown)]
    // `grow` compares each conversion with that of the whole file.
    expect(await grow({ seed: 1734212385, events: 8, open: 1, hasNested: false, steps })).toBe(0)
  })

  it("has a part without a time at its end, whichever line was the last", async () => {
    const [grown, other] = [
      (count: number) => ({ what: "grow" as const, count }),
      (what: "agent" | "cut" | "tear") => ({ what, count: 0 }),
    ]
    const before = [...[5, 4, 9, 1, 1, 4, 5, 3, 7].map(grown), other("agent"), other("cut"), grown(6)]
    const steps = [...before, other("cut"), other("tear"), grown(1)]
    // `grow` compares each conversion with that of the whole file.
    expect(await grow({ seed: 1821263696, events: 10, open: 1, hasNested: false, steps })).toBeGreaterThan(0)
  })

  it("is converted from where it stopped to what its whole file gives, however it grew", async () => {
    let resumed = 0
    await fc.assert(
      fc.asyncProperty(runs, async (run) => {
        resumed += await grow(run)
      }),
      { numRuns: tries(60) },
    )
    expect(resumed).toBeGreaterThan(20)
  })
})
