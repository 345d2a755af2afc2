import { buildSessionContext, isEntry, type SessionEntry } from "@treelog/session-core"
import { repairContext, toAnthropicMessages } from "@treelog/session-core/messages"
import { type ConversionReport, isObject } from "@treelog-internal/agent-files"

/** What every conversion must fulfil, as sentences about what does not hold. */
export function violations(entries: readonly SessionEntry[], report: ConversionReport): string[] {
  return [
    ...treeViolations(entries),
    ...callViolations(entries),
    ...contextViolations(entries),
    ...countViolations(report),
  ]
}

function treeViolations(entries: readonly SessionEntry[]): string[] {
  const found: string[] = []
  const seen = new Set<string>()
  for (const { id, parentId } of entries) {
    if (seen.has(id)) found.push(`the id ${id} occurs twice`)
    if (parentId !== null && !seen.has(parentId)) found.push(`the parent of ${id} does not precede it`)
    seen.add(id)
  }
  return found
}

/** Ids of the calls that no result answers. */
export function openCalls(entries: readonly SessionEntry[]): Set<string> {
  const calls = new Set<string>()
  const results = new Set<string>()
  for (const entry of entries) {
    if (!isEntry(entry, "message")) continue
    for (const id of callsOf(entry.message)) calls.add(id)
    if (entry.message.role === "toolResult" && "toolCallId" in entry.message)
      results.add(String(entry.message.toolCallId))
  }
  return new Set([...calls].filter((id) => !results.has(id)))
}

function callsOf(message: object): string[] {
  const content = "content" in message && Array.isArray(message.content) ? message.content.filter(isObject) : []
  return content.flatMap(({ type, id }) => (type === "toolCall" && typeof id === "string" ? [id] : []))
}

/** Results stand right behind their reply. */
function callViolations(entries: readonly SessionEntry[]): string[] {
  const byId = new Map(entries.map((entry) => [entry.id, entry]))
  const open = openCalls(entries)
  const found: string[] = []
  const answered = new Map<string, string[]>()
  for (const entry of entries) {
    if (!isEntry(entry, "message") || entry.message.role !== "toolResult" || !("toolCallId" in entry.message)) continue
    let above = entry.parentId === null ? undefined : byId.get(entry.parentId)
    while (above && !(isEntry(above, "message") && above.message.role === "assistant")) {
      const isResult = isEntry(above, "message") && above.message.role === "toolResult"
      const isAside = above.type !== "message" && above.type !== "custom_message" && above.type !== "compaction"
      if (!isResult && !isAside && !/:\d+$/.test(above.id)) break
      above = above.parentId === null ? undefined : byId.get(above.parentId)
    }
    const calls = above && isEntry(above, "message") ? callsOf(above.message) : []
    const id = String(entry.message.toolCallId)
    if (above && calls.includes(id)) answered.set(above.id, [...(answered.get(above.id) ?? []), id])
  }
  for (const entry of entries) {
    if (!isEntry(entry, "message") || entry.message.role !== "assistant") continue
    const calls = [...new Set(callsOf(entry.message))].filter((id) => !open.has(id))
    const results = [...new Set(answered.get(entry.id) ?? [])]
    if (calls.sort().join() !== results.sort().join())
      found.push(`the calls of ${entry.id} have the results ${results.join(", ") || "none"}`)
  }
  return found
}

/** A call without result, a result without content, a blank text, and a prompt of nothing else are so in the source. */
const EXPECTED_CHANGES: ReadonlySet<string> = new Set([
  "result-added",
  "result-noted",
  "block-removed",
  "turn-removed",
  "turn-added",
])

function isBlank(content: unknown): boolean {
  if (typeof content === "string") return content.trim() === ""
  return Array.isArray(content) && blankTexts(content).length === content.length
}

function blankTexts(content: unknown): unknown[] {
  const blocks = Array.isArray(content) ? content.filter(isObject) : []
  return blocks.filter(({ type, text }) => type === "text" && typeof text === "string" && text.trim() === "")
}

/** Anthropic gets what was said without repair, but for results of calls that have none. */
function contextViolations(entries: readonly SessionEntry[]): string[] {
  const found: string[] = []
  const { messages, diagnostics } = buildSessionContext(entries)
  if (diagnostics.length > 0) found.push(`the context has the fault ${diagnostics[0]?.kind}`)
  const repaired = repairContext(messages)
  const blank = messages.flatMap((message) => ("content" in message ? blankTexts(message.content) : [])).length
  const removed = repaired.changes.filter(({ kind }) => kind === "block-removed").length
  if (removed > blank) found.push(`${removed} blocks were removed, but only ${blank} are blank`)
  const turns = repaired.changes.filter(({ kind }) => kind === "turn-removed").length
  const blankTurns = messages.filter((message) => "content" in message && isBlank(message.content)).length
  if (turns > blankTurns) found.push(`${turns} turns were removed, but only ${blankTurns} are blank`)
  // What stands around a removed turn is of one role.
  const between = repaired.changes.filter(({ kind }) => kind === "turn-added").length
  if (between > turns) found.push(`${between} turns were added, but only ${turns} removed`)
  const changes = repaired.changes.filter(({ kind }) => !EXPECTED_CHANGES.has(kind))
  if (changes.length > 0) found.push(`the context was repaired: ${changes[0]?.kind}, ${changes[0]?.message}`)
  const added = repaired.changes.filter(({ kind }) => kind === "result-added").length
  const open = openCalls(entries).size
  if (added > open) found.push(`${added} results were added for ${open} calls without result`)
  const signed = messages.flatMap((message) => signatures("content" in message ? message.content : undefined))
  const sent = toAnthropicMessages(repaired.messages, { repair: false }).messages.flatMap(({ content }) =>
    (content as object[]).flatMap((block) =>
      "signature" in block ? [block.signature] : "data" in block ? [block.data] : [],
    ),
  )
  if (signed.join() !== sent.join()) found.push(`${signed.length} signatures became ${sent.length}`)
  return found
}

function signatures(content: unknown): unknown[] {
  const blocks = Array.isArray(content) ? content.filter(isObject) : []
  return blocks.flatMap(({ type, thinkingSignature }) =>
    type === "thinking" && thinkingSignature ? [thinkingSignature] : [],
  )
}

function countViolations({ lines, kinds }: ConversionReport): string[] {
  const counted = Object.values(kinds).reduce(
    (sum, { converted, kept, skipped }) => sum + converted + kept + skipped,
    0,
  )
  const unexplained = Object.entries(kinds).filter(([, { skipped, reason }]) => skipped > 0 && reason === undefined)
  return [
    ...(counted === lines ? [] : [`${counted} of ${lines} lines are accounted for`]),
    ...unexplained.map(([kind]) => `lines of the kind ${kind} are skipped without a reason`),
  ]
}
