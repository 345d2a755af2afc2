import { mkdir, utimes, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { convertClaudeCode } from "@treelog/agents/claude-code"
import type { SessionEntry, SessionHeader } from "@treelog/session-core"
import { entryFacts } from "@treelog/session-core/search"
import { tries } from "@treelog-internal/test-kit"
import { generateClaudeFile } from "@treelog-internal/test-kit/claude-code"
import { damageBytes } from "@treelog-internal/test-kit/damage"
import { Random } from "@treelog-internal/test-kit/generator"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type ClaudeFolder, claudeFolder } from "./claude-folder.js"

const ID = "6dfbc8e4-f399-4705-94fe-6d7cf3c8e18f"
const CWD = "/home/ada/shop"
const LONG_AGO = (Date.now() - 3_600_000) / 1000

/** What sums count of entries: of each what it used, and what tells it from all but its copies. In no order. */
function countedIn(entries: readonly SessionEntry[]): object[] {
  const counted = entries.map((entry) => entryFacts(entry)).filter(({ usages }) => usages.length > 0)
  const facts = counted.map(({ id, timestamp, content, usages }) => ({ id, timestamp, content, usages }))
  return facts.sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0))
}

function nameIn(entries: readonly SessionEntry[]): unknown {
  return entries.flatMap((entry) => (entry.type === "session_info" ? [(entry as { name?: unknown }).name] : [])).at(-1)
}

function repositoryIn({ source }: SessionHeader): unknown {
  return (source as { repository?: unknown } | undefined)?.repository
}

/** The lines of a session, and of its sub-agents by the names of their files. */
interface Shape {
  readonly content: Uint8Array
  readonly agents: ReadonlyMap<string, Uint8Array>
}

type Fields = Record<string, unknown>

/** What may be odd about a line of a conversation, beside what generated files have. */
const ODD: readonly ((line: Fields, random: Random, others: readonly Fields[]) => readonly Fields[])[] = [
  ({ requestId: _, ...line }) => [line],
  ({ uuid: _, ...line }) => [line],
  ({ timestamp: _, ...line }) => [line],
  ({ cwd: _, ...line }) => [line],
  (line) => [{ ...line, isSidechain: true }],
  (line) => [line, { ...line, uuid: `${String(line.uuid)}-again` }],
  (line, random, others) => [{ ...line, uuid: random.pick(others.filter(({ type }) => type === line.type)).uuid }],
  (line, random, others) => [{ ...line, message: random.pick(others).message }],
  (line, random) => [{ ...line, forkedFrom: { messageUuid: `of-${String(line.uuid)}`, sessionId: random.hex(8) } }],
  (line) => [line, { ...line, type: "progress", data: { type: "agent_progress", agentId: "p1", message: line } }],
  (line, random) => [line, { type: "summary", summary: random.hex(4), leafUuid: line.uuid }],
  (line, random) => [
    line,
    { type: random.pick(["custom-title", "ai-title"]), customTitle: "c", aiTitle: random.hex(4) },
  ],
  (line) => [{ ...line, cwd: "/home/ada/elsewhere" }],
  (line, random) => [line, { type: "worktree-state", worktreeSession: { originalCwd: `/home/${random.hex(2)}` } }],
]

/** As a gateway answers that gives each response the same id, and names no request. */
function throughGateway(line: Fields): Fields {
  if (line.type !== "assistant") return line
  const { requestId: _, message, ...fields } = line
  return { ...fields, message: { ...(message as Fields), id: "chatcmpl-0" } }
}

/** Of one that is torn or glued, its text. */
function parsedLine(line: string): Fields | string {
  try {
    return JSON.parse(line) as Fields
  } catch (error) {
    if (error instanceof SyntaxError) return line
    throw error
  }
}

function shapeOf(seed: number, events: number): Shape {
  const random = new Random(seed)
  const { lines, isOpen } = generateClaudeFile(seed, events)
  const parsed = lines.map(parsedLine)
  const others = parsed.filter((line): line is Fields => typeof line !== "string" && "message" in line)
  const agents = new Map<string, Fields[]>()
  const all = parsed.flatMap((line): readonly (Fields | string)[] => {
    if (typeof line === "string" || !("message" in line)) return [line]
    if (random.chance(0.05)) {
      const name = `subagents/agent-a${random.below(2)}.jsonl`
      const request = random.chance(0.3) && { requestId: random.hex(4) }
      agents.set(name, [...(agents.get(name) ?? []), { ...line, ...request, isSidechain: true }])
      return random.chance(0.5) ? [] : [line]
    }
    return random.chance(0.03) ? random.pick(ODD)(line, random, others) : [line]
  })
  const through = random.chance(0.2) ? throughGateway : (line: Fields): Fields => line
  const textOf = (line: Fields | string): string => (typeof line === "string" ? line : JSON.stringify(through(line)))
  const bytes = new TextEncoder().encode(all.map(textOf).join("\n") + (isOpen ? "" : "\n"))
  const content = random.chance(0.3) && bytes.length > 0 ? damageBytes(bytes, random).bytes : bytes
  const files = [...agents].map(([name, own]) => [name, `${own.map(textOf).join("\n")}\n`] as const)
  return { content, agents: new Map(files.map(([name, text]) => [name, new TextEncoder().encode(text)])) }
}

async function store(folder: ClaudeFolder, { content, agents }: Shape, isSettled: boolean): Promise<string> {
  const path = await folder.add(ID, CWD)
  await writeFile(path, content)
  for (const [name, bytes] of agents) {
    const beside = join(path.slice(0, -".jsonl".length), name)
    await mkdir(dirname(beside), { recursive: true })
    await writeFile(beside, bytes)
  }
  if (isSettled) await utimes(path, LONG_AGO, LONG_AGO)
  return path
}

describe("usage from the lines that report it", () => {
  it("is what the whole session has, whatever was written and damaged, and whether or not it settled", async () => {
    let compared = 0
    let runs = 0
    await fc.assert(
      fc.asyncProperty(
        fc.nat(2 ** 31),
        fc.integer({ min: 1, max: 45 }),
        fc.boolean(),
        async (seed, events, isSettled) => {
          const folder = await claudeFolder()
          const shape = shapeOf(seed, events)
          const path = await store(folder, shape, isSettled)
          // In the order in which files are read.
          const parts = [...shape.agents].sort().map(([name, bytes]) => ({ name, bytes }))
          const convert = () => convertClaudeCode(shape.content, { name: ID, path, isComplete: isSettled, parts })
          const [asked] = await Promise.allSettled([folder.storage.usage?.(path)])
          const usage = asked.status === "fulfilled" ? asked.value : undefined
          runs += 1
          if (asked.status === "rejected") expect(convert).toThrow(asked.reason.message)
          if (usage) {
            compared += 1
            const whole = convert()
            const { id, timestamp, cwd, parentSession } = whole.header
            expect(usage.header).toMatchObject({ id, timestamp, cwd, ...(parentSession && { parentSession }) })
            expect(repositoryIn(usage.header)).toBe(repositoryIn(whole.header))
            expect(nameIn(usage.entries)).toBe(nameIn(whole.entries))
            expect(countedIn(usage.entries)).toEqual(countedIn(whole.entries))
          }
          await folder.remove()
        },
      ),
      { numRuns: tries(200) },
    )
    expect(compared).toBeGreaterThan(runs / 2)
  })
})
