import { countIn, type Json, objectIn, objectsIn, type Tokens, textIn } from "@treelog-internal/agent-files"

/** Tokens of one response, as the provider counted them. */
export interface ResponseUsage extends Readonly<Tokens> {
  /** Empty where none is named. */
  readonly model: string
}

/** Which response of a model a line has, and what that used: nothing of what the client made itself. */
export interface ResponseHead {
  /** The lines of one response have the same. Completed where another line of the same message names its request. */
  key?: string | undefined
  /** The id of the message. One line of a response may not name the request that another names. */
  readonly message?: string | undefined
  /** Whether other responses of the file have this id, too. */
  hasSharedId?: boolean
  readonly usage?: ResponseUsage
  /** Tokens beside those of the response: of an advisor, or of a compaction by the provider; or what a printed result has beyond those of its messages. */
  sideUsages?: readonly ResponseUsage[]
}

/** The model of messages that the client made itself. */
export const SYNTHETIC = "<synthetic>"

/** Iterations that the usage of the message does not include. */
const SIDE_ITERATIONS: ReadonlySet<unknown> = /* @__PURE__ */ new Set(["advisor_message", "compaction"])
/** Those that are billed other than the standard. */
const PRICED_TIERS: ReadonlySet<unknown> = /* @__PURE__ */ new Set(["priority", "batch"])

/** One response of a model has one message and one request, however many lines it has. Without them, a line is one. */
function responseKeys(record: Json, message: Json): Pick<ResponseHead, "key" | "message"> {
  const id = textIn(message, "id")
  const request = textIn(record, "requestId")
  const key = id === undefined ? textIn(record, "uuid") : request === undefined ? id : `${id}:${request}`
  return { key, message: id }
}

export function responseIn(record: Json, message: Json): ResponseHead {
  const names = responseKeys(record, message)
  const usage = objectIn(message, "usage")
  if (!usage || names.key === undefined || message.model === SYNTHETIC) return names
  const iterations = objectsIn(usage.iterations)
  // Of a response that fell back, the model that answered.
  const fallback = iterations.filter(({ type }) => type === "fallback_message").at(-1) ?? {}
  const named = textIn(message, "model") ?? ""
  const sides = iterations.filter(({ type }) => SIDE_ITERATIONS.has(type))
  return {
    ...names,
    // Versions before 1.0.9 say what it cost.
    usage: { model: textIn(fallback, "model") ?? named, ...tokensOf(usage), cost: countIn(record, "costUSD") },
    ...(sides.length > 0 && {
      sideUsages: sides.map((side) => ({
        model: textIn(side, "model") ?? named,
        ...tokensOf(side, usage.inference_geo),
      })),
    }),
  }
}

/** @param region where it was computed */
function tokensOf(usage: Json, region = usage.inference_geo): Tokens {
  const { speed, service_tier: tier } = usage
  const served = speed === "fast" ? "fast" : PRICED_TIERS.has(tier) ? String(tier) : ""
  const written = objectIn(usage, "cache_creation") ?? {}
  const cacheWrite1h = countIn(written, "ephemeral_1h_input_tokens")
  return {
    input: countIn(usage, "input_tokens"),
    output: countIn(usage, "output_tokens"),
    cacheRead: countIn(usage, "cache_read_input_tokens"),
    // Some providers say only when it will be forgotten.
    cacheWrite:
      countIn(usage, "cache_creation_input_tokens") || countIn(written, "ephemeral_5m_input_tokens") + cacheWrite1h,
    cacheWrite1h,
    webSearches: countIn(objectIn(usage, "server_tool_use") ?? {}, "web_search_requests"),
    serviceTier: region === "us" ? [served, "us"].filter(Boolean).join("-") : served,
  }
}
