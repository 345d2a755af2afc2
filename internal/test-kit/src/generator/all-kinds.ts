import { Author, type RestPoint } from "./author.js"
import { SETTINGS_KINDS, SIDE_KINDS, UNKNOWN_KINDS } from "./entry-kinds.js"
import type { Fields } from "./format-entry.js"
import { formatHeader } from "./format-header.js"
import { messageKinds, poorMessages } from "./message-kinds.js"
import { MODELS, type Model } from "./models.js"
import { type SessionStyle, wholeShape } from "./session-shape.js"
import { modelChangeFields } from "./settings-changes.js"
import { branchSummaryFields, compactionFields } from "./summaries.js"

/**
 * A small session with every kind of entry, message and content block that FORMAT.md, section 2, names, and with unknown
 * kinds and fields: its lines, each with its line end. In `pi-v1` and `pi-migrated`, which know no tree, those kinds are
 * left out that point at other entries.
 */
export function allKinds(style: SessionStyle): string[] {
  const author = new Author(wholeShape({ seed: 7, style, entries: 10_000, toolOutput: 60 }))
  const header = formatHeader(author.random, author.shape)
  const entries = style === "pi-v1" || style === "pi-migrated" ? linearKinds(author) : treeKinds(author)
  return [...header, ...entries]
}

function linearKinds(author: Author): string[] {
  const { style } = author.shape
  const grown = style === "pi-migrated" ? UNKNOWN_KINDS : []
  return [
    ...settings(author),
    ...conversation(author),
    author.add("compaction", compactionFields(author)),
    ...conversation(author),
    ...addAll(
      author,
      UNKNOWN_KINDS.filter(({ type }) => type !== "custom"),
    ),
    ...messages(author, poorMessages()),
    ...addAll(author, grown),
  ]
}

function treeKinds(author: Author): string[] {
  const lines = [...settings(author), ...conversation(author)]
  const base = here(author)
  lines.push(...conversation(author), ...addAll(author, SIDE_KINDS))
  const left = here(author)
  author.goTo(base)
  lines.push(author.add("branch_summary", branchSummaryFields(author, left.id)), ...conversation(author))
  const edited = here(author)
  const point = (targetId: string): { type: string; fields: Fields }[] => [
    { type: "label", fields: { targetId, label: "half-way" } },
    { type: "label", fields: { targetId: base.id, label: "soon gone" } },
    { type: "label", fields: { targetId: base.id } },
    { type: "context_edit", fields: { targetId, replacement: { content: "Shorter." } } },
  ]
  lines.push(...addAll(author, point(edited.id)), author.add("compaction", remotelyCompacted(author)))
  lines.push(...conversation(author))
  const last = here(author)
  lines.push(author.add("context_edit", { targetId: last.id, replacement: null }))
  const beforeLeaf = here(author)
  lines.push(author.add("leaf", { targetId: beforeLeaf.id }))
  author.goTo(beforeLeaf)
  lines.push(...addAll(author, UNKNOWN_KINDS), ...messages(author, poorMessages()))
  return lines
}

function settings(author: Author): string[] {
  const [model] = MODELS as [Model]
  const kinds = author.shape.style === "pi-v1" || author.shape.style === "pi-migrated" ? [] : SETTINGS_KINDS
  return [
    author.add("model_change", modelChangeFields(author, model)),
    author.add("thinking_level_change", { thinkingLevel: "high" }),
    ...addAll(author, kinds),
  ]
}

function conversation(author: Author): string[] {
  author.beginTurn()
  return messages(author, messageKinds(author))
}

function messages(author: Author, list: readonly Fields[]): string[] {
  return list.map((message) => author.add("message", { message }))
}

function addAll(author: Author, kinds: readonly { type: string; fields: Fields }[]): string[] {
  return kinds.map(({ type, fields }) => author.add(type, fields))
}

/** A compaction with all that the tables give it, the provider's own one among it. */
function remotelyCompacted(author: Author): Fields {
  const remote = { provider: "openai", replacementHistory: [{ type: "message", role: "user", content: "before" }] }
  const systemMessage = { role: "system", content: "You are a coding assistant.", timestamp: author.after(10) }
  return { ...compactionFields(author), preserveData: { openaiRemoteCompaction: remote }, systemMessage }
}

function here(author: Author): RestPoint {
  if (author.leafId === null) throw new Error("Nothing was written yet.")
  return { id: author.leafId, ordinal: author.count - 1, turns: author.turns, settings: author.settings }
}
