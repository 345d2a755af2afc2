import { allKinds } from "@treelog-internal/test-kit/generator"

type Fields = { type: string; [key: string]: unknown }

/** What the page tells kinds of entries and blocks apart by: it stays, so that each is shown in its own form. */
const TELLING = new Set(["type", "role", "version", "toolCallId"])

/**
 * A session in which every string of every kind of entry, message and block is a hostile one, for each of them in turn: names, ids,
 * texts, arguments, keys of details, kinds, roles and links. The header has the last one.
 */
export function hostileSession(strings: readonly string[]): string {
  const entries = strings.flatMap((hostile) => kinds(hostile).map((entry) => ({ hostile, entry })))
  const chained = entries.map(({ hostile, entry }, index) => {
    const before = entries[index - 1]
    const parentId = before ? `${before.hostile}#${index - 1}` : null
    return {
      ...entry,
      id: `${hostile}#${index}`,
      parentId,
      ...(entry.type === "label" && { targetId: parentId }),
      ...(entry.type === "compaction" && { firstKeptEntryId: parentId }),
      timestamp: index % 5 === 0 ? hostile : "2026-03-02T09:00:00.000Z",
    }
  })
  const last = strings.at(-1) ?? ""
  const header = {
    type: "session",
    version: 3,
    id: last || "x",
    timestamp: last,
    cwd: last,
    parentSession: last,
    title: last,
  }
  return [header, ...chained].map((line) => `${JSON.stringify(line)}\n`).join("")
}

/** One entry of each kind and role that a program writes, and those that none does. */
function kinds(hostile: string): Fields[] {
  return [...known, ...extra(hostile)].map((entry) => ({ ...(filled(entry, hostile) as Fields), type: entry.type }))
}

/** A leaf entry would take the view away from the others, and a reset the context. */
const LEFT_OUT = new Set(["session", "title", "leaf", "reset_boundary"])

const known = [
  ...new Map(
    ["pi", "omp"]
      .flatMap((style) => allKinds(style as "pi" | "omp"))
      .map((line): Fields => JSON.parse(line))
      .filter(({ type }) => !LEFT_OUT.has(type))
      .map((entry) => [`${entry.type} ${(entry as { message?: { role?: string } | null }).message?.role}`, entry]),
  ).values(),
]

function extra(hostile: string): Fields[] {
  const image = { type: "image", data: hostile, mimeType: hostile }
  const message = (fields: object): Fields => ({ type: "message", message: fields })
  return [
    { type: hostile || "x", data: { [hostile]: hostile } },
    message({ role: hostile, content: hostile }),
    message({ role: "user", content: [{ type: hostile, [hostile]: hostile }, image] }),
    message({ role: "user", content: [{ type: "image_url", image_url: { url: hostile } }] }),
    message({ role: "user", content: [{ type: "image", data: "PHN2Zy8+", mimeType: "image/svg+xml" }] }),
    message({
      role: "assistant",
      content: [
        { type: "thinking", thinking: hostile },
        { type: "text", text: hostile },
        { type: "text", text: `before ${hostile} behind` },
        { type: "toolCall", id: hostile, name: hostile, arguments: { [hostile]: hostile, path: hostile } },
        { type: "toolCall", id: "call_y", name: "edit", arguments: { path: hostile, oldText: "a", newText: hostile } },
        { type: "toolCall", id: "call_z", name: "bash", arguments: { command: hostile } },
      ],
      provider: hostile,
      model: hostile,
      stopReason: "error",
      errorMessage: hostile,
      usage: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, totalTokens: 2, cost: { total: 0.1 } },
    }),
    message({
      role: "toolResult",
      toolCallId: "call_y",
      toolName: hostile,
      content: [{ type: "text", text: hostile }, image],
      details: { diff: `+${hostile}\n-${hostile}`, [hostile]: hostile },
    }),
    message({ role: "bashExecution", command: hostile, output: hostile, fullOutputPath: hostile, truncated: true }),
  ]
}

/** Every string in it is the hostile one. */
function filled(value: unknown, hostile: string): unknown {
  if (typeof value === "string") return hostile
  if (Array.isArray(value)) return value.map((part) => filled(part, hostile))
  if (value === null || typeof value !== "object") return value
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, TELLING.has(key) ? part : filled(part, hostile)]),
  )
}
