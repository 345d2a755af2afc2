import type { SessionEntry, Usage } from "@treelog/session-core"
import type { CodexSession } from "../../src/index.js"

/** What is known of a rollout. */
export interface RolloutFacts {
  readonly thread: string
  readonly title: string | null
  readonly lines: number
  readonly cwd: string
  readonly userPrompts: number
  readonly calls: number
  readonly failedExitCodes: readonly number[]
  readonly images: number
  readonly compactions: readonly unknown[]
  readonly forkedFrom: string | null
  readonly modelProvider: string | null
  readonly revision: string | null
  readonly models: readonly string[]
  readonly firstTimestamp: string
  readonly firstPrompt: { readonly text: string } | null
  readonly contextItems: number
  readonly usage: {
    readonly responses: number
    readonly input_tokens: number
    readonly cached_input_tokens: number
    readonly output_tokens: number
    readonly reasoning_output_tokens: number
  }
  readonly golden?: {
    readonly name: string
    readonly leadingBaseInstructions: number
    readonly itemsRecordedBehindIt: number
  } | null
}

/** Compares a session with what is known of its rollout. */
export function checkFacts(session: CodexSession, facts: RolloutFacts, report: (what: string) => void): void {
  const { header, entries, report: lines } = session
  const expect = (what: string, actual: unknown, expected: unknown): void => {
    if (actual !== expected) report(`${what}: ${actual}, not ${expected}`)
  }
  // What a revert gave up is no part of the newer file.
  const path = facts.revision === null ? entries : pathTo(entries)
  const messages = path.flatMap((entry) =>
    entry.type === "message" && "message" in entry ? [entry.message as Record<string, unknown>] : [],
  )
  const blocks = messages.flatMap(({ content }) => (Array.isArray(content) ? content : []))
  expect("title", header.title ?? null, facts.title)
  expect("cwd", header.cwd, facts.cwd)
  expect("parentSession", header.parentSession ?? null, facts.forkedFrom ?? header.parentSession ?? null)
  const notices = path.filter((entry) => JSON.stringify(entry).includes('"text":"<subagent_notification>'))
  expect("prompts", messages.filter(({ role }) => role === "user").length + notices.length, facts.userPrompts)
  expect("calls", blocks.filter(({ type }) => type === "toolCall").length, facts.calls)
  expect("images", blocks.filter(({ type }) => type === "image").length, facts.images)
  expect("failed", messages.filter(({ isError }) => isError).length >= facts.failedExitCodes.length, true)
  expect("compactions", entries.filter(({ type }) => type === "compaction").length, facts.compactions.length)
  const first = path.findIndex(({ timestamp }) => timestamp >= facts.firstTimestamp)
  const usages = path.slice(facts.revision === null ? 0 : first).flatMap((entry) => usageIn(entry) ?? [])
  const reported = usages.filter(({ totalTokens = 0 }) => totalTokens > 0)
  const sum = (count: (usage: Usage & { reasoning?: number }) => number): number =>
    usages.reduce((total, usage) => total + count(usage), 0)
  expect("responses", reported.length, facts.usage.responses)
  expect(
    "input",
    sum(({ input, cacheRead, cacheWrite }) => input + cacheRead + cacheWrite),
    facts.usage.input_tokens,
  )
  expect(
    "cached",
    sum(({ cacheRead }) => cacheRead),
    facts.usage.cached_input_tokens,
  )
  expect(
    "output",
    sum(({ output }) => output),
    facts.usage.output_tokens,
  )
  expect(
    "reasoning",
    sum(({ reasoning = 0 }) => reasoning),
    facts.usage.reasoning_output_tokens,
  )
  const counted = Object.values(lines.kinds).reduce((n, kind) => n + kind.converted + kind.kept + kind.skipped, 0)
  expect("lines", counted, lines.lines)
  if (!facts.forkedFrom && facts.revision === null) expect("lines", counted, facts.lines)
  expect("unknown kinds", lines.unknownKinds.join(), "")
  expect("diagnostics", lines.diagnostics.map(({ message }) => message).join(), "")
  expect("ids", new Set(entries.map(({ id }) => id)).size, entries.length)
  const known = new Set<string | null>([null])
  for (const { id, parentId } of entries) {
    if (!known.has(parentId)) report(`${id} has the parent ${parentId}, which does not precede it`)
    known.add(id)
  }
}

function pathTo(entries: readonly SessionEntry[]): SessionEntry[] {
  const byId = new Map(entries.map((entry) => [entry.id, entry]))
  const path: SessionEntry[] = []
  for (let entry = entries.at(-1); entry; entry = byId.get(entry.parentId ?? "")) path.unshift(entry)
  return path
}

function usageIn(entry: SessionEntry): (Usage & { reasoning?: number }) | undefined {
  const own = "usage" in entry ? entry.usage : undefined
  const message = "message" in entry ? (entry.message as { usage?: Usage }) : undefined
  return (own ?? message?.usage) as Usage | undefined
}
