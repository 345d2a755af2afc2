import type { ClaudeWriter, OpenCall } from "./claude-writer.js"

/** Something that happens in a session. Weights say how often. */
export interface ClaudeEvent {
  readonly weight: number
  run(writer: ClaudeWriter): void
}

/** What happens between turns. */
export const EVENTS: readonly ClaudeEvent[] = [
  { weight: 30, run: turn },
  { weight: 3, run: (writer) => void writer.said([{ type: "text", text: writer.texts.prose(80) }], { isMeta: true }) },
  { weight: 2, run: (writer) => compact(writer, "usual") },
  { weight: 1, run: (writer) => compact(writer, "logical parent gone") },
  { weight: 1, run: (writer) => compact(writer, "messages kept") },
  { weight: 3, run: rewind },
  { weight: 2, run: lostParent },
  { weight: 1, run: newRoot },
  { weight: 2, run: replayedPrompt },
  { weight: 3, run: title },
  { weight: 3, run: aside },
  { weight: 1, run: change },
  { weight: 1, run: microcompact },
  { weight: 1, run: replaceContent },
  { weight: 1, run: leaveOut },
  { weight: 1, run: repeatLine },
]

/** A prompt, and replies with calls until one has none, or the user interrupts. */
export function turn(writer: ClaudeWriter): void {
  const { random } = writer
  writer.said(promptContent(writer))
  for (let round = random.below(4); round > 0; round--) {
    const calls = reply(writer, random.chance(0.4) ? random.between(2, 4) : 1)
    if (random.chance(0.04)) {
      interrupt(writer, calls)
      return
    }
    results(writer, calls)
  }
  reply(writer, 0)
  if (random.chance(0.5))
    writer.line("system", writer.head, { subtype: "turn_duration", durationMs: random.below(9999), isMeta: false })
}

function promptContent(writer: ClaudeWriter): unknown {
  const { random, texts } = writer
  const text = `${texts.prose(random.size(120))}${random.chance(0.05) ? "\u0000 💶" : ""}`
  if (random.chance(0.8)) return text
  const image = { type: "image", source: { type: "base64", media_type: "image/png", data: texts.base64(400) } }
  return [{ type: "text", text }, ...(random.chance(0.5) ? [image] : [])]
}

/** One reply of several lines, each with one block. Returns its calls. */
function reply(writer: ClaudeWriter, count: number): OpenCall[] {
  const { random, texts } = writer
  const id = `msg_01${random.hex(22)}`
  const requestId = `req_01${random.hex(22)}`
  const tokens = writer.tokens()
  const blocks: Record<string, unknown>[] = []
  if (random.chance(0.5))
    blocks.push({ type: "thinking", thinking: texts.prose(random.size(75, 1.5)), signature: texts.base64(120) })
  if (count === 0 || random.chance(0.3)) blocks.push({ type: "text", text: texts.prose(random.size(200)) })
  for (let call = 0; call < count; call++)
    blocks.push({
      type: "tool_use",
      id: `toolu_01${random.hex(22)}`,
      name: random.pick(["Bash", "Read", "Task"]),
      input: input(writer),
    })
  const calls: OpenCall[] = []
  const parent = writer.head
  for (const [at, block] of blocks.entries()) {
    tokens.output += random.below(at === blocks.length - 1 ? 900 : 3)
    const stop = at === blocks.length - 1 && writer.hasStopReasons ? (count > 0 ? "tool_use" : "end_turn") : null
    const { uuid } = writer.line("assistant", writer.head, {
      message: writer.message(id, [block], tokens, stop),
      requestId,
    })
    if (at === 0) writer.step(uuid, parent, false)
    writer.head = uuid
    if (block.type === "tool_use") calls.push({ id: String(block.id), line: uuid })
    if (block.type === "tool_use" && random.chance(0.4))
      writer.progress(uuid, { type: "hook_progress", hookEvent: "PreToolUse" })
  }
  writer.truth.usage.set(`${id}:${requestId}`, tokens)
  for (const call of calls) writer.truth.openCalls.add(call.id)
  return calls
}

function input(writer: ClaudeWriter): unknown {
  if (!writer.random.chance(0.02)) return { command: writer.texts.code(writer.random.size(60)) }
  let nested: unknown = 1
  for (let level = 0; level < 300; level++) nested = level % 2 === 0 ? [nested] : { nested }
  return { nested }
}

/** The results of a reply, in any order, maybe behind progress lines and transcripts of sub-agents. */
function results(writer: ClaudeWriter, calls: readonly OpenCall[]): void {
  const { random, texts } = writer
  if (calls.length === 0) return
  const ids = new Map<string, string>()
  const order = random.chance(0.5) ? [...calls].reverse() : [...calls]
  const before = writer.head
  for (const call of order) {
    const parent = random.chance(0.3)
      ? writer.progress(call.line, { type: "bash_progress", output: texts.code(200) })
      : call.line
    if (random.chance(0.08)) nestedReplies(writer, parent)
    if (random.chance(0.04)) sideChain(writer)
    const content = random.chance(0.1) ? [{ type: "text", text: texts.code(90) }] : texts.code(random.size(480, 2))
    const message = { role: "user", content: [{ tool_use_id: call.id, type: "tool_result", content }] }
    const toolUseResult = {
      stdout: texts.code(Math.min(random.size(1_000, 1.8), 10_000)),
      stderr: "",
      interrupted: false,
    }
    ids.set(call.id, writer.line("user", parent, { message, toolUseResult, sourceToolAssistantUUID: call.line }).uuid)
    writer.truth.openCalls.delete(call.id)
    writer.answeredCalls.push(call.id)
  }
  for (const { id } of order) writer.step(ids.get(id) ?? "", before, false)
  writer.head = ids.get(random.pick(order).id) ?? null
  if (random.chance(0.2))
    writer.head = writer.progress(writer.head, { type: "hook_progress", hookEvent: "PostToolUse" })
}

/** The user stops the reply; some calls never get a result. */
function interrupt(writer: ClaudeWriter, calls: readonly OpenCall[]): void {
  results(writer, calls.slice(0, writer.random.below(calls.length)))
  writer.said([{ type: "text", text: "[Request interrupted by user for tool use]" }])
}

/** Replies of a sub-agent, which older versions record only in progress lines. */
function nestedReplies(writer: ClaudeWriter, parent: string): void {
  const { random, texts } = writer
  const id = `msg_01${random.hex(22)}`
  const requestId = `req_01${random.hex(22)}`
  const tokens = writer.tokens()
  for (let line = random.between(1, 3); line > 0; line--) {
    tokens.output += random.below(50)
    const message = writer.message(id, [{ type: "text", text: texts.prose(60) }], tokens, null)
    const nested = { type: "assistant", uuid: writer.uuid(), requestId, message }
    writer.progress(parent, { type: "agent_progress", message: nested, agentId: random.hex(7) })
  }
  writer.truth.usage.set(`${id}:${requestId}`, tokens)
}

/** A sub-agent within the file, as version 1 writes them. */
function sideChain(writer: ClaudeWriter): void {
  const { random, texts } = writer
  const aside = { isSidechain: true }
  const prompt = { role: "user", content: texts.prose(90) }
  let parent = writer.line("user", null, { ...aside, message: prompt }).uuid
  for (let round = random.between(1, 3); round > 0; round--) {
    const id = `msg_01${random.hex(22)}`
    const tokens = { ...writer.tokens(), output: random.below(80) }
    const message = writer.message(id, [{ type: "text", text: texts.prose(50) }], tokens, null)
    parent = writer.line("assistant", parent, { ...aside, message }).uuid
    writer.truth.usage.set(id, tokens)
  }
}

export function compact(writer: ClaudeWriter, kind: "usual" | "logical parent gone" | "messages kept"): void {
  const { random, texts, truth } = writer
  if (writer.steps.length === 0) return
  const keepsMessages = kind === "messages kept"
  const kept = writer.uuid()
  if (keepsMessages) writer.said(texts.prose(60))
  const head = writer.head
  const logicalParentUuid = keepsMessages ? kept : kind === "usual" ? writer.head : writer.uuid()
  const preservedSegment = { headUuid: head, tailUuid: kept }
  const compactMetadata = { trigger: "auto", preTokens: 150_000, ...(keepsMessages && { preservedSegment }) }
  const boundary = writer.line("system", null, {
    subtype: "compact_boundary",
    logicalParentUuid,
    compactMetadata,
    isMeta: false,
  })
  writer.boundary(boundary.uuid)
  const content = `This session is being continued. ${texts.prose(random.size(300))}`
  const fields = { isCompactSummary: true, isVisibleInTranscriptOnly: true, message: { role: "user", content } }
  writer.head = writer.line("user", boundary.uuid, fields).uuid
  if (!keepsMessages) return
  const id = `msg_01${random.hex(22)}`
  const tokens = writer.tokens()
  const message = writer.message(
    id,
    [{ type: "text", text: texts.prose(40) }],
    tokens,
    writer.hasStopReasons ? "end_turn" : null,
  )
  const parent = writer.head
  writer.step(writer.line("assistant", parent, { uuid: kept, message }).uuid, parent, false)
  truth.usage.set(id, tokens)
}

/** The user goes back to a prompt since the last compaction, and writes another one. */
function rewind(writer: ClaudeWriter): void {
  const choices = writer.steps.flatMap(({ isPrompt }, at) =>
    isPrompt && at > 0 && at < writer.steps.length - 2 ? [at] : [],
  )
  const from = choices.length === 0 ? -1 : (choices[Math.floor(choices.length * Math.sqrt(writer.random.next()))] ?? -1)
  const step = writer.steps[from]
  const crossed = writer.steps.slice(Math.max(0, from - 1)).some(({ id }) => writer.isBoundary(id))
  if (!step || step.parent === null || crossed) return
  writer.abandoned = writer.steps
  writer.steps = writer.steps.slice(0, from)
  writer.head = step.parent
  writer.said(promptContent(writer))
  reply(writer, 0)
}

/** A prompt whose parent is not in the file. It belongs to what precedes it by time. */
function lostParent(writer: ClaudeWriter): void {
  if (writer.steps.length === 0) return
  writer.truth.repairs += 1
  writer.wait()
  writer.head = writer.uuid()
  writer.said(promptContent(writer))
  writer.fixLastStep()
  reply(writer, 0)
}

/** The user goes back to before the first message. */
function newRoot(writer: ClaudeWriter): void {
  writer.head = null
  writer.steps = []
  writer.abandoned = undefined
  turn(writer)
}

/** A prompt that is written again with another id; the conversation continues below either. */
function replayedPrompt(writer: ClaudeWriter): void {
  const parent = writer.head
  if (parent === null || writer.steps.length === 0) return
  const content = writer.texts.prose(70)
  const timestamp = writer.time()
  const uuid = writer.said(content, { timestamp })
  const copy = writer.line("user", parent, { message: { role: "user", content }, timestamp }).uuid
  writer.truth.copies += 1
  writer.head = writer.random.pick([uuid, copy])
  reply(writer, 0)
}

const TITLES = ["summary", "ai-title", "agent-name", "custom-title"] as const

function title(writer: ClaudeWriter): void {
  const { random, sessionId, texts } = writer
  const type = random.pick(TITLES)
  const text = texts.prose(random.between(8, 30))
  const isOther = type === "summary" && random.chance(0.7)
  const leafUuid = isOther ? writer.uuid() : (writer.steps[0]?.id ?? writer.uuid())
  const fields = {
    summary: { summary: text, leafUuid },
    "ai-title": { aiTitle: text },
    "agent-name": { agentName: text },
    "custom-title": { customTitle: text },
  }
  writer.raw({ type, ...fields[type], sessionId })
  if (!isOther && (type !== "summary" || writer.steps.length > 0)) writer.setTitle(TITLES.indexOf(type), text)
}

/** Lines that say nothing in the conversation. */
function aside(writer: ClaudeWriter): void {
  const { random, sessionId, texts, head } = writer
  const timestamp = writer.time()
  const snapshot = { messageId: writer.uuid(), trackedFileBackups: {}, timestamp }
  const lines = [
    { type: "file-history-snapshot", messageId: snapshot.messageId, snapshot, isSnapshotUpdate: false },
    { type: "queue-operation", operation: "enqueue", timestamp, sessionId, content: texts.prose(30) },
    {
      type: "pr-link",
      sessionId,
      prNumber: 7,
      prUrl: "https://example.invalid/7",
      prRepository: "ada/shop",
      timestamp,
    },
    { type: "mode", mode: "normal", sessionId },
    { type: "dream", depth: random.below(9), sessionId },
    { type: "tag", tag: random.pick(["keep", "later"]), sessionId },
    { type: "relocated", relocatedCwd: random.pick(["/home/ada/shop", "/home/ada/garden"]), sessionId },
  ]
  if (random.chance(0.2))
    return void writer.line("attachment", head, { attachment: { type: "skill_listing", names: [] } })
  if (random.chance(0.2))
    return void writer.line("system", head, { subtype: "local_command", content: texts.prose(30) })
  if (random.chance(0.1)) return void writer.line("system", head, { subtype: "away_summary", content: texts.prose(30) })
  const hook = { type: "hook_system_message", hookName: "Stop", content: texts.prose(30) }
  if (random.chance(0.1)) return void writer.line("attachment", head, { attachment: hook })
  writer.text(damaged(writer, JSON.stringify(random.pick(lines))))
}

/** Sometimes a line is cut off, or has lost its line end. */
function damaged({ random, sessionId }: ClaudeWriter, line: string): string {
  const [isCut, isGlued] = [random.chance(0.1), random.chance(0.1)]
  if (isCut) return line.slice(0, random.between(2, line.length - 2))
  return isGlued ? line + JSON.stringify({ type: "mode", mode: "plan", sessionId }) : line
}

/** Another model, folder or branch. */
function change(writer: ClaudeWriter): void {
  const { random } = writer
  writer.model = random.pick(["claude-opus-4-6", "claude-sonnet-4-5", "claude-haiku-4-5"])
  writer.cwd = random.pick(["/home/ada/shop", "/home/ada/shop/web"])
  writer.gitBranch = random.pick(["main", "prices"])
}

function microcompact(writer: ClaudeWriter): void {
  const compactedToolIds = [`toolu_01${writer.random.hex(22)}`, ...writer.answeredCalls.slice(-2)]
  const microcompactMetadata = { trigger: "auto", preTokens: 65_000, tokensSaved: 40_000, compactedToolIds }
  writer.head = writer.line("system", writer.head, {
    subtype: "microcompact_boundary",
    microcompactMetadata,
    isMeta: false,
  }).uuid
}

function replaceContent(writer: ClaudeWriter): void {
  const replacements = writer.answeredCalls.slice(-1).map((toolUseId) => ({ toolUseId, replacement: "[shortened]" }))
  writer.raw({ type: "content-replacement", sessionId: writer.sessionId, replacements })
}

/** What later requests lack: thoughts of replies before, or results. */
function leaveOut(writer: ClaudeWriter): void {
  const { random, answeredCalls } = writer
  const attachment = random.pick([
    { type: "thinking_stripped", scope: "all" },
    { type: "tool_results_cut", callIds: answeredCalls.slice(-2), standIn: "[cut]" },
  ])
  writer.head = writer.line("attachment", writer.head, { attachment }).uuid
}

function repeatLine(writer: ClaudeWriter): void {
  if (writer.lastSaid === "") return
  writer.text(writer.lastSaid)
  writer.truth.copies += 1
}
