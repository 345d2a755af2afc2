import { webDigest } from "@treelog/session-core/adapter"
import type { ExportEntries } from "./export-entries.js"
import { interchangeJson } from "./interchange-json.js"
import {
  type Attributes,
  attributeList,
  callAttributes,
  inputMessages,
  modelAttributes,
  replyAttributes,
  resultMessage,
  usageAttributes,
} from "./otel-attributes.js"
import type { PartName, Step, StepCall, StepResult } from "./step.js"

/**
 * Spans in OTLP JSON, with the names of OpenTelemetry's conventions for generative AI: `invoke_agent` for the session and each sub-agent, in it `chat`
 * for each call of a model and `execute_tool` for each of a tool. All are one trace. Ids are derived: two exports of a session have the same.
 */
export async function* otel(entries: ExportEntries): AsyncGenerator<string> {
  const { sessionId, name, cwd } = entries.head()
  const attributes = { "service.name": entries.agent, "process.working_directory": cwd, "treelog.session.name": name }
  const resource = interchangeJson({ attributes: attributeList(attributes) })
  yield `{"resourceSpans":[{"resource":${resource},"scopeSpans":[{"scope":{"name":"treelog"},"spans":[`
  let before = "\n"
  for await (const span of new Trace(sessionId).spans(entries)) {
    yield before + interchangeJson(span)
    before = ",\n"
  }
  yield "\n]}]}]}\n"
}

interface SpanParts {
  /** What its id is derived from. */
  readonly of: string
  /** What the id of the span is derived from in which it is; undefined for that of the session. */
  readonly within: string | undefined
  readonly operation: "invoke_agent" | "chat" | "execute_tool"
  /** The name of the agent, model or tool. */
  readonly on: string | undefined
  /** Milliseconds since 1970; those of the span before where there are none. */
  readonly from: number | undefined
  readonly to: number | undefined
  readonly attributes: Attributes
  /** Why it failed. */
  readonly error?: { readonly type: string; readonly message: string } | undefined
}

class Trace {
  readonly #sessionId: string
  /** What the spans of the calls are derived from for which sub-agents work. */
  readonly #callers = new Map<PartName, string>()
  /** Milliseconds since 1970. */
  #lastTime = 0

  constructor(sessionId: string) {
    this.#sessionId = sessionId
  }

  async *spans(entries: ExportEntries): AsyncGenerator<object> {
    yield* this.#transcript(entries, "session", undefined, entries.agent)
    for await (const { name, role, entries: part } of entries.parts())
      yield* this.#transcript(part, `part ${entries.partId(name)}`, this.#callers.get(name) ?? "session", role)
  }

  /** @param agent what the span of the agent is derived from, and those in it */
  async *#transcript(entries: ExportEntries, agent: string, within: string | undefined, name: string) {
    let input: object[] = []
    let last: string | null = null
    let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
    for await (const step of entries.steps()) {
      // What was said on another branch is no input of a reply on this one.
      if (step.parentId !== last) input = []
      last = step.id
      const calls = step.reply?.calls ?? []
      const results = calls.flatMap(({ results }) => results)
      for (const { time } of [step, ...results]) {
        from = Math.min(from, time ?? from)
        to = Math.max(to, time ?? to)
      }
      const of = `${agent}\n${step.id}`
      yield* this.#calls(step, of, agent, input)
      for (const [at, call] of [...calls, ...step.results.map(callOf)].entries())
        yield* this.#tool(step, call, `${of}\ncall ${at}`, agent)
      input = [...(step.reply ? [] : input), ...results.map(resultMessage), ...inputMessages(step)]
    }
    const isTimed = from <= to
    yield this.#span({
      ...{ of: agent, within, operation: "invoke_agent", on: name },
      ...{ from: isTimed ? from : undefined, to: isTimed ? to : undefined },
      attributes: { "gen_ai.agent.name": name },
    })
  }

  /** The calls of models of a step: the reply, and those of which only the usage is known. */
  async *#calls(step: Step, of: string, within: string, input: readonly object[]) {
    const { reply, time: to, timeBefore: from, otherUsages } = step
    const call = { within, operation: "chat", from, to } as const
    if (reply) {
      const isFailed = reply.stopReason === "error" || reply.stopReason === "aborted"
      const error = isFailed ? { type: reply.stopReason ?? "", message: reply.errorMessage ?? "" } : undefined
      yield this.#span({ ...call, of, on: reply.model, attributes: replyAttributes(step, reply, input), error })
    }
    for (const [at, usage] of otherUsages.entries()) {
      const [, provider, model] = /^(?:([^/]*)\/)?(.*)$/s.exec(usage.model) ?? []
      const attributes = { ...modelAttributes(provider, model), ...usageAttributes(usage) }
      yield this.#span({ ...call, of: `${of}\nusage ${at}`, on: model, attributes })
    }
  }

  async *#tool({ time: from }: Step, call: StepCall, of: string, within: string) {
    for (const name of call.parts) this.#callers.set(name, of)
    const none = { type: "no_result", message: "No result was stored." }
    for (const [at, result] of (call.results.length > 0 ? call.results : [undefined]).entries()) {
      const error = result ? (result.isError ? { type: "tool_error", message: "" } : undefined) : none
      const attributes = callAttributes(call, result)
      const id = at === 0 ? of : `${of}\n${at}`
      const span = { of: id, within, operation: "execute_tool", on: call.name } as const
      yield this.#span({ ...span, from, to: result?.time, attributes, error })
    }
  }

  async #span({ of, within, operation, on, from, to, attributes, error }: SpanParts): Promise<object> {
    const end = to ?? from ?? this.#lastTime
    this.#lastTime = end
    return {
      traceId: await this.#idOf("trace", 32),
      spanId: await this.#idOf(of, 16),
      parentSpanId: within === undefined ? undefined : await this.#idOf(within, 16),
      name: on ? `${operation} ${on}` : operation,
      kind: operation === "chat" ? CLIENT : INTERNAL,
      startTimeUnixNano: nanoseconds(Math.min(from ?? end, end)),
      endTimeUnixNano: nanoseconds(end),
      attributes: attributeList({
        "gen_ai.operation.name": operation,
        "gen_ai.conversation.id": this.#sessionId,
        ...attributes,
        "error.type": error?.type,
      }),
      status: error && { code: ERROR, message: error.message },
    }
  }

  /** @param digits of hex */
  async #idOf(of: string, digits: number): Promise<string> {
    return (await webDigest.sha256(encoder.encode(`${this.#sessionId}\n${of}`))).slice(0, digits)
  }
}

/** The call of a result, of which nothing else is there. */
function callOf(result: StepResult): StepCall {
  return { id: result.callId, name: result.toolName, arguments: {}, results: [result], parts: [] }
}

const encoder = new TextEncoder()

/** Kinds of spans, and the code of a status. */
const INTERNAL = 1
const CLIENT = 3
const ERROR = 2

/** OTLP knows no time before 1970. */
function nanoseconds(time: number): string {
  return time > 0 ? `${time}000000` : "0"
}
