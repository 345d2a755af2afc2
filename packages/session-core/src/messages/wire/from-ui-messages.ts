import { jsonText } from "../../entry/json-text.js"
import type {
  AssistantMessage,
  ContentBlock,
  Message,
  TextContent,
  ThinkingContent,
  Usage,
} from "../../entry/message.js"
import { isJsonObject, type JsonObject, objectsIn, valueText } from "../../entry/values.js"
import { callOptions, reasoningOptions, textOptions } from "./to-model-messages.js"
import { UI, UI_PART, type UIMessageLike } from "./ui-message.js"

/** What a `UIMessage` does not say of its answers. */
export interface UIMessageOptions {
  /** For example `anthropic`. */
  readonly provider: string
  readonly model: string
  readonly api?: string
  /** Of all steps together; it is stored with the last one. */
  readonly usage?: Usage
  /**
   * How the last step ended, if that is known: `aborted` where the stream was stopped. Default: `aborted` where a part of it is still
   * streaming, else `toolUse` or `stop`.
   */
  readonly stopReason?: AssistantMessage["stopReason"]
  /** Milliseconds since 1970. */
  readonly timestamp: number
}

/**
 * Converts `UIMessage`s of the Vercel AI SDK (versions 6 and 7) to messages to append: each step of an answer becomes a message of
 * the assistant, and each output of a tool a result behind it. Nothing is lost: what the format has no place for (ids, metadata,
 * data parts, states) is kept beside it, and `toUIMessages` gives equal messages back; a call without input has an empty one then.
 */
export function fromUIMessages(messages: readonly UIMessageLike[], options: UIMessageOptions): Message[] {
  return messages.flatMap((message) =>
    message.role === "assistant" ? answered(message, options) : said(message, options.timestamp),
  )
}

function said({ id, role, metadata, parts }: UIMessageLike, timestamp: number, steering?: JsonObject): Message {
  const content = parts.map((part) => textBlock(part) ?? imageBlock(part) ?? otherBlock(part))
  return { role, content, timestamp, ...kept({ id, metadata, steering }) } as Message
}

function answered({ id, metadata, parts }: UIMessageLike, options: UIMessageOptions): Message[] {
  const { provider, model, api, usage, stopReason, timestamp } = options
  const steps = stepsOf(parts)
  const last = steps.filter(({ steering }) => !steering).at(-1)
  return steps.flatMap((step, index) => {
    const { isStep, steering, parts: own } = step
    if (steering)
      return [said({ id, role: "user", parts: own as unknown as UIMessageLike["parts"] }, timestamp, steering)]
    const isLast = step === last
    const answer = { role: "assistant" as const, provider, model, ...(api !== undefined && { api }), timestamp }
    const content = own.map(
      (part) =>
        answeredText(part, answer) ??
        thinkingBlock(part, answer) ??
        callBlock(part) ??
        imageBlock(part) ??
        otherBlock(part),
    )
    const message = {
      ...answer,
      content,
      stopReason: (isLast && stopReason) || stopReasonOf(own),
      ...(isLast && usage && { usage }),
      ...kept({ id, ...(index === 0 && { metadata }), ...(!isStep && { isStep }) }),
    }
    return [message, ...own.flatMap((part) => result(part, timestamp) ?? [])]
  })
}

function stopReasonOf(parts: readonly JsonObject[]): AssistantMessage["stopReason"] {
  if (parts.some(({ state }) => state === "streaming" || state === "input-streaming")) return "aborted"
  return parts.some((part) => toolName(part) !== undefined) ? "toolUse" : "stop"
}

interface Step {
  /** Whether a part marks its start. */
  readonly isStep: boolean
  readonly parts: JsonObject[]
  /** What the user said meanwhile, but for its parts: no step of the answer. */
  readonly steering?: JsonObject
}

function stepsOf(parts: UIMessageLike["parts"]): Step[] {
  const steps: Step[] = []
  for (const part of parts as unknown as readonly JsonObject[]) {
    const step = steps.at(-1)
    if (part.type === "step-start") steps.push({ isStep: true, parts: [] })
    else if (part.type === "steering-message" && Array.isArray(part.parts)) {
      const { parts: said, ...steering } = part
      if (!step) steps.push({ isStep: false, parts: [] })
      steps.push({ isStep: false, parts: objectsIn(said), steering })
    } else if (!step || step.steering) steps.push({ isStep: false, parts: [part] })
    else step.parts.push(part)
  }
  return steps.length > 0 ? steps : [{ isStep: false, parts: [] }]
}

/** The field for what the format has no place for, if there is anything. */
function kept(fields: JsonObject): JsonObject {
  const present = Object.entries(fields).filter(([, value]) => value !== undefined)
  return present.length > 0 ? { [UI]: Object.fromEntries(present) } : {}
}

function textBlock(part: object): ContentBlock | undefined {
  const { type, text, ...rest } = part as JsonObject
  return type === "text" && typeof text === "string" ? { type, text, ...kept(rest) } : undefined
}

/** A text of an answer, with the signature that its provider knows it by. */
function answeredText(part: JsonObject, answer: Pick<AssistantMessage, "api" | "provider">): ContentBlock | undefined {
  const { type, text, providerMetadata, ...rest } = part
  if (type !== "text" || typeof text !== "string") return undefined
  const textSignature = thoughtSignatureIn(providerMetadata) ?? itemSignatureIn(providerMetadata)
  const block: TextContent = { type, text, ...(textSignature !== undefined && { textSignature }) }
  return { ...block, ...kept({ ...rest, providerMetadata: unsaid(providerMetadata, textOptions(block, answer)) }) }
}

/** The item and the phase of a text of OpenAI's. */
function itemSignatureIn(metadata: unknown): string | undefined {
  const own = isJsonObject(metadata) ? Object.values(metadata).filter(isJsonObject) : []
  const [item] = own.filter(({ phase }) => typeof phase === "string")
  return item && JSON.stringify({ v: 1, id: item.itemId, phase: item.phase })
}

function thoughtSignatureIn(metadata: unknown): string | undefined {
  const own = isJsonObject(metadata) ? Object.values(metadata).filter(isJsonObject) : []
  return own.map(({ thoughtSignature }) => thoughtSignature).find((one) => typeof one === "string")
}

/** What the provider said of a part, unless it is what the options of its block say. */
function unsaid(metadata: unknown, { providerOptions }: ReturnType<typeof reasoningOptions>): unknown {
  return metadata === undefined || jsonText(metadata) === jsonText(providerOptions) ? undefined : metadata
}

const DATA_URL = /^data:([^;,]+);base64,(.*)$/s

function imageBlock(part: object): ContentBlock | undefined {
  const { type, mediaType, url, ...rest } = part as JsonObject
  const [, mimeType, data] = (type === "file" && typeof url === "string" && DATA_URL.exec(url)) || []
  if (!mimeType?.startsWith("image/") || mimeType !== mediaType || data === undefined) return undefined
  return { type: "image", data, mimeType, ...kept(rest) }
}

function otherBlock(part: object): ContentBlock {
  return { type: UI_PART, part }
}

function thinkingBlock(part: JsonObject, answer: Pick<AssistantMessage, "api" | "provider">): ContentBlock | undefined {
  const { type, text, providerMetadata, ...rest } = part
  if (type !== "reasoning" || typeof text !== "string") return undefined
  const block: ThinkingContent = { type: "thinking", thinking: text, ...signature(text, providerMetadata) }
  return { ...block, ...kept({ ...rest, providerMetadata: unsaid(providerMetadata, reasoningOptions(block, answer)) }) }
}

/** What the provider recognizes its thinking by, as the format has it. */
function signature(text: string, metadata: unknown): Pick<ThinkingContent, "thinkingSignature" | "redacted"> {
  for (const own of isJsonObject(metadata) ? Object.values(metadata).filter(isJsonObject) : []) {
    const { signature: signed = own.thoughtSignature, redactedData, itemId, reasoningEncryptedContent } = own
    if (typeof signed === "string") return { thinkingSignature: signed }
    if (typeof redactedData === "string") return { thinkingSignature: redactedData, redacted: true }
    if (typeof itemId !== "string") continue
    const summary = text === "" ? [] : [{ type: "summary_text", text }]
    const encrypted = typeof reasoningEncryptedContent === "string" && { encrypted_content: reasoningEncryptedContent }
    return { thinkingSignature: JSON.stringify({ type: "reasoning", id: itemId, summary, ...encrypted }) }
  }
  return {}
}

/** The name of the tool that a part calls; undefined for other parts. */
function toolName(part: JsonObject): string | undefined {
  const { type, toolName: name, toolCallId } = part
  if (typeof toolCallId !== "string" || typeof type !== "string") return undefined
  if (type === "dynamic-tool") return typeof name === "string" ? name : undefined
  return type.startsWith("tool-") ? type.slice("tool-".length) : undefined
}

/** States that the presence of a result says. */
const SAID_BY_RESULT: ReadonlySet<unknown> = new Set(["input-available", "output-available", "output-error"])

function callBlock(part: JsonObject): ContentBlock | undefined {
  const name = toolName(part)
  if (name === undefined) return undefined
  const { type, toolCallId, input, state, output: _, errorText: __, callProviderMetadata, ...rest } = part
  const thoughtSignature = thoughtSignatureIn(callProviderMetadata)
  const signed = thoughtSignature === undefined ? {} : { thoughtSignature }
  const own = {
    ...rest,
    callProviderMetadata: unsaid(callProviderMetadata, callOptions(signed)),
    ...(type !== `tool-${name}` && { type }),
    ...(!SAID_BY_RESULT.has(state) && !isDenied(part) && { state }),
    ...(!isJsonObject(input) && { input: input ?? null }),
  }
  // What the model called the tool with, where that did not fit the tool, as the SDK sends it.
  const given = [input, part.rawInput].find(isJsonObject) ?? {}
  const call = { id: valueText(toolCallId), name, arguments: given }
  return { type: "toolCall", ...call, ...signed, ...kept(own) }
}

/** Whether the user did not allow the call: that is its result, without which a model would try again. */
function isDenied({ state, approval }: JsonObject): boolean {
  if (state === "output-denied") return true
  return state === "approval-responded" && isJsonObject(approval) && approval.approved === false
}

/** The text that a model gets for a call that was denied. */
function denial({ approval }: JsonObject): string {
  const reason = isJsonObject(approval) && typeof approval.reason === "string" ? approval.reason : ""
  return reason === "" ? "Tool call execution denied." : `Tool call execution denied: ${reason}`
}

function result(part: JsonObject, timestamp: number): Message | undefined {
  const name = toolName(part)
  const { toolCallId, state, output, errorText } = part
  const denied = isDenied(part)
  if (name === undefined || !(denied || state === "output-available" || state === "output-error")) return undefined
  const isError = denied || state === "output-error"
  const said = denied ? denial(part) : state === "output-error" ? valueText(errorText) : output
  const text = typeof said === "string" ? said : jsonText(said ?? null)
  const details = denied
    ? { details: kept({ state }) }
    : text === said
      ? {}
      : { details: kept({ output: output ?? null }) }
  return {
    role: "toolResult",
    toolCallId: valueText(toolCallId),
    toolName: name,
    content: [{ type: "text", text }],
    isError,
    ...details,
    timestamp,
  }
}
