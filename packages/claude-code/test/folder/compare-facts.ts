import { createHash } from "node:crypto"
import { isEntry, type SessionEntry, type SessionHeader } from "@treelog/session-core"
import { sessionStats } from "@treelog/session-core/search"
import type { ConversionReport } from "@treelog-internal/agent-files"
import { isObject } from "@treelog-internal/agent-files"
import { claudeCodeFacts } from "../../src/index.js"
import { openCalls } from "./check-conversion.js"
import type { ExpectedFacts } from "./expected-facts.js"
import { unitsOf } from "./units.js"

export interface Converted {
  readonly header: SessionHeader
  readonly entries: readonly SessionEntry[]
  readonly report: ConversionReport
}

/** Differences between a conversion and what is known of its file. */
export function differences({ header, entries, report }: Converted, facts: ExpectedFacts): string[] {
  const units = unitsOf(entries)
  const path = units.filter(({ isOnPath }) => isOnPath)
  const ids = idsInOrder(path)
  const stats = sessionStats(entries)
  const { input, output, cacheRead, cacheWrite, calls: responses } = stats.total
  const points = branchPoints(units)
  const of = (kind: string): number => report.diagnostics.filter((diagnostic) => diagnostic.kind === kind).length
  const { repairs } = facts
  const repaired = ["repairedMissingParent", "repairedRoot", "cycles"]
  const assistants = entries.flatMap((entry) =>
    isEntry(entry, "message") && entry.message.role === "assistant" ? [entry.message] : [],
  )
  const results = entries.filter((entry) => isEntry(entry, "message") && entry.message.role === "toolResult")
  const blocks = countBlocks(entries)
  const rows: [string, unknown, unknown][] = [
    ["lines", report.lines, facts.records + facts.tornLines],
    ["lines by kind", linesByKind(report), sorted(facts.linesByKind)],
    ["unknown kinds", report.unknownKinds, []],
    ["glued lines", of("glued-records"), facts.gluedLines ?? 0],
    ["torn lines", of("torn-line") + of("invalid-json"), facts.tornLines],
    ["entries", units.length, facts.entries.total],
    ["entries by kind", countBy(units.map(({ kind }) => kind)), sorted(facts.entries.byKind)],
    ["result blocks", results.length, facts.entries.resultBlocks],
    ["leaf", ids.at(-1), facts.path.leaf],
    ["path", path.length, facts.path.entries],
    ["ids of the path", createHash("sha256").update(ids.join("\n")).digest("hex"), facts.path.sha256OfIds],
    [
      "branch points",
      points,
      facts.branches.at.map(({ parent, children }) => [parent, children.map(({ id }) => id).sort()]),
    ],
    ["off the path", units.length - path.length, facts.branches.offPath],
    ["repaired links", of("missing-parent"), repaired.reduce((sum, kind) => sum + (repairs[kind] ?? 0), 0)],
    ["copies", of("duplicate-id"), (repairs.duplicateUuids ?? 0) + (repairs.replayedCopiesDropped ?? 0)],
    ["calls", blocks.toolCall ?? 0, facts.calls],
    ["calls without result", openCalls(entries).size, facts.callsWithoutResult],
    ["cwd", header.cwd, facts.firstCwd],
    ["models", modelsOf(assistants), [...facts.models].sort()],
  ]
  if (facts.blocks)
    rows.push([
      "thinking, calls",
      [blocks.thinking ?? 0, blocks.toolCall ?? 0],
      [facts.blocks.thinking ?? 0, facts.blocks.tool_use ?? 0],
    ])
  const usage = facts.usage.withNestedAndSubagents ?? facts.usage.file
  if (usage) rows.push(["usage", { input, output, cacheWrite, cacheRead, responses }, usage])
  if (facts.compactions)
    rows.push([
      "compactions",
      compactionsOf(entries, units),
      facts.compactions.map(({ uuid, preTokens, parentAfterLinking, summary }) => ({
        uuid,
        preTokens,
        parentAfterLinking,
        summary,
      })),
    ])
  if (facts.microcompactions)
    rows.push([
      "cleared results",
      entries.filter(({ type }) => type === "context_edit").length,
      facts.microcompactions.reduce((sum, { tools }) => sum + tools, 0),
    ])
  if (facts.title !== undefined) rows.push(["title", nameOf(entries), facts.title?.text])
  if (facts.firstTimestamp) rows.push(["first time", header.timestamp, facts.firstTimestamp])
  if (facts.versions) rows.push(["version", (header.source as Record<string, unknown>).version, facts.versions[0]])
  return rows.flatMap(([name, got, want]) => {
    const [a, b] = [JSON.stringify(got), JSON.stringify(want)]
    return a === b ? [] : [`${name}: ${a} instead of ${b}`]
  })
}

/** Differences from a list of entries: kind, the first 8 characters of the id and of the parent, and `*` on the path. */
export function lineDifferences(entries: readonly SessionEntry[], expected: string): string[] {
  const want = expected
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .sort()
  const got = unitsOf(entries)
    .map(
      ({ kind, id, parent, isOnPath }) =>
        `${kind} ${id.slice(0, 8)} ${parent?.slice(0, 8) ?? "-"}${isOnPath ? " *" : ""}`,
    )
    .sort()
  const missing = want.filter((line) => !got.includes(line)).map((line) => `missing: ${line}`)
  return [...missing, ...got.filter((line) => !want.includes(line)).map((line) => `too many: ${line}`)]
}

/** Differences between what a list shows, from 64 KB of both ends, and what is known of the file. */
export function listDifferences(bytes: Uint8Array, id: string, facts: ExpectedFacts | undefined): string[] {
  const state = { id, size: bytes.length, modified: 0 }
  const listed = claudeCodeFacts(bytes.subarray(0, ENDS), bytes.subarray(-ENDS), state)
  if (!facts) return []
  const rows: [string, unknown, unknown][] = [
    ["listed title", listed.name, facts.title?.text],
    ["listed folder", listed.cwd, facts.firstCwd],
    ["listed time of the start", new Date(listed.created).toISOString(), facts.firstTimestamp],
    ["listed first prompt", createHash("sha256").update(listed.firstMessage).digest("hex"), facts.firstPrompt.sha256],
    ["its length", listed.firstMessage.length, facts.firstPrompt.utf16Units],
  ]
  return rows.flatMap(([name, got, want]) => (got === want ? [] : [`${name}: ${got} instead of ${want}`]))
}

/** Bytes of each end. */
const ENDS = 64 * 1024

function idsInOrder(path: readonly { id: string; parent: string | undefined }[]): string[] {
  return path.map(({ id }) => id)
}

function branchPoints(units: readonly { id: string; parent: string | undefined }[]): [string, string[]][] {
  const children = new Map<string, string[]>()
  for (const { id, parent } of units)
    if (parent !== undefined) children.set(parent, [...(children.get(parent) ?? []), id])
  return [...children].filter(([, ids]) => ids.length > 1).map(([parent, ids]) => [parent, ids.sort()])
}

function linesByKind({ kinds }: ConversionReport): object {
  const counts = Object.entries(kinds)
    .filter(([kind]) => kind !== "unreadable" && kind !== "blank")
    .map(([kind, { converted, kept, skipped }]) => [kind, converted + kept + skipped])
  return sorted(Object.fromEntries(counts))
}

function sorted(counts: Record<string, number>): object {
  return Object.fromEntries(Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1)))
}

function countBy(kinds: readonly string[]): object {
  const counts: Record<string, number> = {}
  for (const kind of kinds) counts[kind] = (counts[kind] ?? 0) + 1
  return sorted(counts)
}

function countBlocks(entries: readonly SessionEntry[]): Record<string, number> {
  const blocks = entries.flatMap((entry) => {
    const content = isEntry(entry, "message") && "content" in entry.message ? entry.message.content : []
    return Array.isArray(content) ? content.filter(isObject).map(({ type }) => String(type)) : []
  })
  return countBy(blocks) as Record<string, number>
}

function modelsOf(messages: readonly object[]): string[] {
  return [...new Set(messages.flatMap((message) => ("model" in message ? [String(message.model)] : [])))].sort()
}

function compactionsOf(entries: readonly SessionEntry[], units: ReturnType<typeof unitsOf>): object[] {
  return entries.flatMap((entry) => {
    if (!isEntry(entry, "compaction")) return []
    const parentAfterLinking = units.find(({ id }) => id === entry.id)?.parent
    const summary = (entry.details as Record<string, unknown>).summaryUuid
    return [{ uuid: entry.id, preTokens: entry.tokensBefore, parentAfterLinking, summary }]
  })
}

function nameOf(entries: readonly SessionEntry[]): string | undefined {
  return entries.flatMap((entry) => (isEntry(entry, "session_info") ? [entry.name] : [])).at(-1)
}
