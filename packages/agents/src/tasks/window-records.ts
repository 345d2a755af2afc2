import type { Usage } from "@treelog/session-core"
import { countIn, type Json, objectIn, parsedObject, type RecordOutcome, textIn, usageFields } from "../kit.js"
import { entryPlace } from "./message-fields.js"

/** A request, or another call to a model. */
interface UsedAt {
  readonly time: number | undefined
  readonly usage: Usage
}

/** What the window of a task shows (`ui_messages.json`): only usage, errors and the last cut are nowhere else. */
export class WindowRecords {
  readonly #agent: string
  /** In their order, of which the messages have neither usage nor, in Cline, time and model. */
  readonly #requests: UsedAt[] = []
  /** What calls used that no message is the reply to. */
  readonly #others: (UsedAt & { readonly role?: string })[] = []
  /** Of requests that failed, until the message behind it. */
  readonly #errors: { readonly time: number | undefined; readonly error: string }[] = []
  /** The last message that Cline no longer sends: it leaves out those between the first two and the next. */
  #cutTo = -1

  constructor(agent: string) {
    this.#agent = agent
  }

  get cutTo(): number {
    return this.#cutTo
  }

  /** The time of the request of the next reply. */
  get nextTime(): number | undefined {
    return this.#requests[0]?.time
  }

  /** The request of the next reply. */
  nextRequest(): UsedAt | undefined {
    return this.#requests.shift()
  }

  /** What was used beside the replies: requests without one count too. */
  get unanswered(): readonly (UsedAt & { readonly role?: string })[] {
    return [...this.#requests, ...this.#others]
  }

  /** The errors that were shown before a time: each is given once. */
  errorsBefore(time: number): { readonly time: number | undefined; readonly error: string }[] {
    const later = this.#errors.findIndex((error) => (error.time ?? 0) >= time)
    return this.#errors.splice(0, later < 0 ? this.#errors.length : later)
  }

  /** @param kind `say:` or `ask:`, and what is said or asked */
  record(record: Json, kind: string): RecordOutcome {
    const [, cutTo] = Array.isArray(record.conversationHistoryDeletedRange)
      ? record.conversationHistoryDeletedRange
      : []
    this.#cutTo = Number.isInteger(cutTo) ? cutTo : -1
    const shortened = objectIn(record, "contextCondense") ?? objectIn(record, "contextTruncation")
    const { time } = entryPlace(record, "")
    const cost = countIn(shortened ?? {}, "cost")
    // Of what shortened the context, the cost alone is there.
    if (cost > 0) this.#others.push({ time, role: "compaction", usage: usageFields({ cost }) })
    const isError = ERRORS.has(kind)
    if (!isError && !COUNTED.has(kind))
      return cost > 0 ? "converted" : { skipped: "what the window shows of the messages" }
    const request = parsedObject(String(record.text)) ?? {}
    const error = isError ? (textIn(request, "message") ?? textIn(record, "text")) : errorOf(request)
    if (error !== undefined && error !== this.#errors.at(-1)?.error) this.#errors.push({ time, error })
    if (isError) return "converted"
    // As long as there is no answer, it has none.
    if (request.tokensIn === undefined) return { skipped: "a request without usage" }
    const usage = this.usageOf(request)
    if (REQUESTS.has(kind)) this.#requests.push({ time, usage })
    else this.#others.push({ time, ...(kind === "say:subagent_usage" && { role: "subagent" }), usage })
    return "converted"
  }

  /** Of a request, or of a task in a list of all. */
  usageOf(request: Json): Usage {
    const [all, output] = [countIn(request, "tokensIn"), countIn(request, "tokensOut")]
    const [cacheRead, cacheWrite] = [countIn(request, "cacheReads"), countIn(request, "cacheWrites")]
    // Roo Code and Kilo count what the cache has as input too; Cline does not.
    const cached = this.#agent.startsWith("cline") || all < cacheRead + cacheWrite ? 0 : cacheRead + cacheWrite
    return usageFields({ input: all - cached, output, cacheRead, cacheWrite, cost: countIn(request, "cost") })
  }
}

/** What the window shows where something failed. */
const ERRORS: ReadonlySet<string> = new Set(["ask:api_req_failed", "say:error", "say:condense_context_error"])

/** Why the answer to a request broke off, which Cline writes as JSON. */
function errorOf(request: Json): string | undefined {
  const error = textIn(request, "streamingFailedMessage")
  return error && (textIn(parsedObject(error) ?? {}, "message") ?? error)
}

/** Versions of 2024 note what a request used when it is finished. */
const REQUESTS: ReadonlySet<string> = new Set(["say:api_req_started", "say:api_req_finished"])
/** What the window shows of usage. */
const COUNTED: ReadonlySet<string> = new Set([
  ...[...REQUESTS, "say:subagent_usage"],
  // The sum of requests that were taken back: in Cline, and in Roo Code and Kilo.
  ...["say:deleted_api_reqs", "say:api_req_deleted"],
])
