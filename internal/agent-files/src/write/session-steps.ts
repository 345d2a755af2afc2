import { isEntry, type Message, messageText, type Session, type SessionEntry } from "@treelog/session-core"
import { textStart, titleLine } from "@treelog/session-core/adapter"
import { convertToLlm, type LlmMessage, repairContext } from "@treelog/session-core/messages"
import { isObject, type Json, objectsIn } from "../json.js"
import { historyMessages } from "./replacement-history.js"

/** What was said at one place of a branch, in the role in which a model gets it. */
export interface SaidStep {
  readonly kind: "said"
  readonly message: LlmMessage
  /** The message as it is in the session. */
  readonly stored: Message
  readonly entry: string
  /** Among what was said at its entry, from 0. */
  readonly part: number
  /** Whether it is the result of a call that has none in the session. */
  readonly isAdded: boolean
  /** Whether its agent says it by itself when it goes on with a session, so that it is in no copy. */
  readonly isOfProgram: boolean
  /** Milliseconds since 1970; no less than that of the step before. */
  readonly time: number
}

/** A place where a summary took the place of what was said before. */
export interface CompactionStep {
  readonly kind: "compaction"
  readonly entry: string
  readonly time: number
  readonly tokensBefore: number
  /** What the model gets instead: the summary, and what was kept. */
  readonly context: readonly SaidStep[]
}

export type Step = SaidStep | CompactionStep

/** What of a session is copied. */
export interface StepOptions {
  /** The entry that the copy ends with. Default: the leaf. */
  readonly leaf?: string | undefined
  /** Whether to begin with the last summary, and without what was said before it. */
  readonly fromSummary?: boolean | undefined
}

/** An entry of a message that is on its way through functions that know none. */
const ENTRY = Symbol("entry")
const STORED = Symbol("stored")
type Marked = Message & { [ENTRY]?: string; [STORED]?: Message }

/**
 * What was said on a branch of a session, as its models got it: with edits applied, each call with one result behind it, and each compaction with
 * what the model got of it.
 * @param path the entries from the root to the end of the copy
 * @param options.from the agent whose session it is
 */
export async function sessionSteps(
  session: Session,
  path: readonly SessionEntry[],
  { fromSummary = false, from }: Pick<StepOptions, "fromSummary"> & { readonly from: string },
): Promise<Step[]> {
  const place = new Map(path.map(({ id }, at) => [id, at]))
  const isBoundary = ({ type }: SessionEntry): boolean => type === "compaction" || type === "reset_boundary"
  const boundaries = path.flatMap((entry, at) => (isBoundary(entry) ? [at] : []))
  const steps: Step[] = []
  const clock = new Clock()
  const ends = [...boundaries.map((at) => at - 1), path.length - 1]
  for (const [index, end] of ends.entries()) {
    const at = index === 0 ? -1 : (boundaries[index - 1] ?? -1)
    const boundary = path[at]
    const isLast = index === ends.length - 1
    if (fromSummary && !isLast) continue
    const last = path[end]
    const context = last ? await session.readContext({ leafId: last.id }) : { messages: [], entries: [] }
    const said = saidIn(context.messages, context.entries, from)
    const before = said.map(({ entry }) => (place.get(entry) ?? 0) <= at).lastIndexOf(true) + 1
    const kept = said.slice(0, before)
    if (boundary && fromSummary) steps.push(...kept.map((one) => clock.timed(one)))
    else if (boundary) {
      const tokensBefore = isEntry(boundary, "compaction") ? boundary.tokensBefore : 0
      const time = clock.at(Date.parse(boundary.timestamp))
      steps.push({
        kind: "compaction",
        entry: boundary.id,
        time,
        tokensBefore,
        context: kept.map((one) => ({ ...one, time })),
      })
    }
    for (const one of said.slice(before)) steps.push(clock.timed(one))
  }
  return steps
}

/** The messages of a context in the roles of models, each with its entry. */
function saidIn(messages: readonly Message[], entries: readonly string[], from: string): SaidStep[] {
  const marked = messages.flatMap((message, at) => {
    const own = message.role === "compactionSummary" ? summaryMessages(message as Json, from) : undefined
    return convertToLlm(own ?? [message]).messages.map(
      (said): Marked => ({ ...said, [ENTRY]: entries[at] ?? "", [STORED]: message }),
    )
  })
  let entry = ""
  let part = 0
  /** The entry of the last answer: the results that were added to it have the same. */
  let answer = ""
  return repairContext(marked, { turns: false }).messages.map((message) => {
    const { [ENTRY]: of = entry, [STORED]: stored = message } = message as Marked
    part = of === entry ? part + 1 : 0
    entry = of
    if (message.role === "assistant") answer = of
    const isAdded = message.role === "toolResult" && of === answer
    const time = typeof message.timestamp === "number" ? message.timestamp : 0
    const said = { message: message as LlmMessage, stored, entry, part, isAdded, isOfProgram: isOfProgram(stored) }
    return { kind: "said", ...said, time }
  })
}

/** Characters. */
const LONGEST_TITLE = 100

/** A line of the first prompt. */
export function firstPrompt(steps: readonly Step[]): string | undefined {
  for (const step of steps) {
    if (step.kind !== "said" || step.stored.role !== "user") continue
    const title = textStart(titleLine(messageText(step.stored)), LONGEST_TITLE)
    if (title !== "") return title
  }
  return undefined
}

/** What the agent of a session sends for a summary, where it is not what any other would. */
function summaryMessages(message: Json, from: string): Message[] | undefined {
  const history = historyMessages(message)
  const isAsSent = from === "claude-code" && message.verbatim !== true
  if (history || !isAsSent) return history
  return convertToLlm([{ ...message, verbatim: true } as unknown as Message]).messages
}

/** Times that never go back. Milliseconds since 1970. */
class Clock {
  #last = 0

  at(time: number): number {
    if (time > this.#last) this.#last = time
    return this.#last
  }

  timed(step: SaidStep): SaidStep {
    return { ...step, time: this.at(step.time) }
  }
}

/** What of a file, a hook or a person Claude Code puts beside a prompt; the rest it says by itself, in each session again. */
const ATTACHED =
  /^(?:file|directory|edited_.*|pdf_reference|mcp_resource|selected_lines_in_ide|opened_file_in_ide|queued_command|hook_.*|diagnostics|compact_file_reference|plan_file_reference|invoked_skills|dynamic_skill|task_status)$/

/** How texts of Codex begin that say what happened, once. */
const REPORTED = /^\s*<(?:subagent_notification|user_shell_command|turn_aborted|skill|hook_prompt)\b/i

/** Whether an agent says it by itself when it goes on with a session: instructions, its environment, reminders. */
function isOfProgram(message: Message): boolean {
  if (message.role === "system" || message.role === "developer") return true
  if (message.role !== "custom") return false
  const { customType, details, content } = message as unknown as Json
  const texts = typeof content === "string" ? [content] : objectsIn(content).map(({ text }) => String(text))
  if (customType === "codex.context") return !texts.some((text) => REPORTED.test(text))
  if (customType === "gemini.context") return true
  return customType === "claude-code.attachment" && isObject(details) && !ATTACHED.test(String(details.type))
}
