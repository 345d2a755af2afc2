import { entrySchemas, messageSchemas } from "@treelog/session-core/schema"
import { allKinds } from "@treelog-internal/test-kit/generator"
import { fullestValue } from "./fullest-value.js"

type Fields = { type: string; [key: string]: unknown }

/**
 * A session in which every string of every kind of entry, message and block is a hostile one, for each of them in turn: names, ids,
 * texts, arguments, keys of details, kinds, roles and links. The header has the last one. Everything is on one branch, and its
 * compactions keep all of it, so that all of it is in the context, too.
 */
export function hostileSession(strings: readonly string[]): string {
  const first = `${strings[0]}#0`
  let parentId: string | null = null
  let question: string | null = null
  let count = 0
  const chained: Fields[] = []
  for (const [turn, hostile] of strings.entries()) {
    for (const [place, entry] of hostileEntries(hostile).entries()) {
      const id = `${hostile}#${count++}`
      const linked: Fields = {
        ...entry,
        id,
        parentId,
        ...(entry.type === "label" && { targetId: parentId }),
        ...(entry.type === "context_edit" && { targetId: question, replacement: { content: hostile } }),
        ...(entry.type === "compaction" && { firstKeptEntryId: first }),
        timestamp: (turn + place) % 5 === 0 ? hostile : "2026-03-02T09:00:00.000Z",
      }
      chained.push(linked)
      if (kindOf(entry) === "message user") question = id
      parentId = id
    }
  }
  const last = strings.at(-1) || "x"
  const named = { id: last, timestamp: last, cwd: last, parentSession: last, title: last, titleSource: last }
  const header = { type: "session", version: 3, ...named }
  const slot = { type: "title", v: 1, title: last, source: last, updatedAt: last, pad: "" }
  return [slot, header, ...chained].map((line) => `${JSON.stringify(line)}\n`).join("")
}

/** One entry of each kind and role that there is, with every field that it can have, and some that no program writes. */
export function hostileEntries(hostile: string): Fields[] {
  const messages = Object.values(messageSchemas).map((schema) => messageEntry(fullestValue(schema, hostile) as object))
  const others = Object.entries(entrySchemas).flatMap(([type, schema]) =>
    LEFT_OUT.has(type) ? [] : [fullestValue(schema, hostile) as Fields],
  )
  return [...[...messages, ...others].map((entry) => withMore(entry, hostile)), ...extra(hostile)]
}

/** Messages come role by role; a reset would take everything else out of the context, and has no field of its own. */
const LEFT_OUT = new Set(["message", "reset_boundary"])

/** As programs write it: one of each kind and role. */
const WRITTEN = new Map(
  (["pi-v1", "pi", "omp"] as const)
    .flatMap((style) => allKinds(style))
    .map((line): Fields => JSON.parse(line))
    .map((entry) => [kindOf(entry), entry]),
)

/** With the fields, too, that programs write beside those of the schema. */
function withMore(entry: Fields, hostile: string): Fields {
  const { message, ...more } = filled(WRITTEN.get(kindOf(entry)) ?? {}, hostile) as Partial<Fields>
  if (entry.type !== "message") return { ...more, ...entry }
  return { ...more, ...entry, message: { ...(message as object | undefined), ...(entry.message as object) } }
}

function kindOf({ type, message }: Fields): string {
  return type === "message" ? `message ${(message as { role?: unknown } | null)?.role}` : type
}

function messageEntry(message: object): Fields {
  return { type: "message", message }
}

function extra(hostile: string): Fields[] {
  const image = { type: "image", data: hostile, mimeType: hostile }
  return [
    { type: hostile, data: { [hostile]: hostile } },
    { type: "future_kind", payload: { [hostile]: [hostile, { deep: hostile }] } },
    { type: "vendor/x.y", message: { role: "user", content: hostile } },
    messageEntry({ role: hostile, content: hostile }),
    messageEntry({ role: "user", content: hostile }),
    messageEntry({
      role: "user",
      content: [
        { type: hostile, [hostile]: hostile },
        { type: "image_url", image_url: { url: hostile } },
        { type: "image", data: "PHN2Zy8+", mimeType: "image/svg+xml" },
      ],
    }),
    messageEntry({
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
    messageEntry({
      role: "toolResult",
      toolCallId: "call_y",
      toolName: hostile,
      content: [{ type: "text", text: hostile }, image],
      details: { diff: `+${hostile}\n-${hostile}`, [hostile]: hostile },
    }),
    messageEntry({
      role: "bashExecution",
      command: hostile,
      output: hostile,
      fullOutputPath: hostile,
      truncated: true,
    }),
  ]
}

/** Every string in it is the hostile one, but for the types of blocks: each is to be shown in its own form. */
function filled(value: unknown, hostile: string): unknown {
  if (typeof value === "string") return hostile
  if (Array.isArray(value)) return value.map((part) => filled(part, hostile))
  if (value === null || typeof value !== "object") return value
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, key === "type" ? part : filled(part, hostile)]),
  )
}
