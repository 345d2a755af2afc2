import type {
  AssistantMessage,
  Message,
  TextContent,
  ThinkingContent,
  ToolCall,
  ToolResultMessage,
} from "../../entry/message.js"
import { signedObject } from "../../entry/thoughts.js"
import { contentText, isJsonObject, type JsonObject, objectsIn, valueText } from "../../entry/values.js"
import { phaseIn, reasoningItem } from "./to-openai-input.js"
import { UI } from "./ui-message.js"
import {
  type BlockForms,
  type Conversation,
  documentText,
  NO_OUTPUT,
  plainText,
  repairedMessages,
  splitInstructions,
  type WireMessage,
  type WireOptions,
  wireIds,
  wireMessages,
  writeBlocks,
} from "./wire-message.js"

/** Data that a provider needs back with a part, keyed by the AI SDK's name of the provider. */
export type ModelProviderOptions = Record<string, Record<string, ModelOption>>

type ModelOption = string | number | boolean | null | ModelOption[] | { [name: string]: ModelOption }

/** A text part of the AI SDK. */
export interface ModelText {
  type: "text"
  text: string
  providerOptions?: ModelProviderOptions
}

/** An image part of the AI SDK. */
export interface ModelImage {
  type: "image"
  /** Base64. */
  image: string
  mediaType: string
}

/** A file part of the AI SDK. */
export interface ModelFile {
  type: "file"
  /** Base64, or an address. */
  data: string
  mediaType: string
  filename?: string
}

/** A reasoning part of the AI SDK, with the data by which its provider recognizes it. */
export interface ModelReasoning {
  type: "reasoning"
  text: string
  providerOptions?: ModelProviderOptions
}

/** A tool call part of the AI SDK. */
export interface ModelToolCall {
  type: "tool-call"
  toolCallId: string
  toolName: string
  input: Record<string, unknown>
  /** Of a tool that the provider ran: its result stands in the same message. */
  providerExecuted?: boolean
  providerOptions?: ModelProviderOptions
}

/** A tool result part of the AI SDK. */
export interface ModelToolResult {
  type: "tool-result"
  toolCallId: string
  toolName: string
  output:
    | { type: "text" | "error-text"; value: string }
    | { type: "json"; value: ModelOption }
    | { type: "content"; value: ModelResultPart[] }
}

/** A part of a tool result of the AI SDK. */
export type ModelResultPart =
  | ModelText
  | { type: "image-data"; data: string; mediaType: string }
  | { type: "file-data"; data: string; mediaType: string; filename?: string }
  | { type: "file-url"; url: string }

/** What of the AI SDK asks the user whether a tool may run. */
interface ModelApprovalRequest {
  type: "tool-approval-request"
  approvalId: string
  toolCallId: string
  signature?: string
}

/** What the user answered, by which the AI SDK runs the tool. */
interface ModelApprovalResponse {
  type: "tool-approval-response"
  approvalId: string
  approved: boolean
  reason?: string
}

/** A `ModelMessage` of the Vercel AI SDK, versions 6 and 7. */
export type ModelMessage =
  | { role: "system"; content: string }
  | { role: "user"; content: (ModelText | ModelImage | ModelFile)[] }
  | {
      role: "assistant"
      content: (ModelText | ModelReasoning | ModelToolCall | ModelToolResult | ModelApprovalRequest)[]
    }
  | { role: "tool"; content: (ModelToolResult | ModelApprovalResponse)[] }

/**
 * Converts a context for the Vercel AI SDK (`ModelMessage`, versions 6 and 7). Adjacent tool results become one message.
 * Instructions at the start become `system`; later ones become user text. Calls at the end that the user approved in a user interface go with
 * the approval, by which the SDK runs them.
 * @param options.target without it, all thinking is sent as reasoning, with the options of its own provider
 */
export function toModelMessages(context: Conversation, options: WireOptions = {}): ModelMessage[] {
  const messages = "messages" in context ? context.messages : context
  const executed = executedCalls(messages, options.target?.provider)
  const ids = wireIds()
  // A provider knows a call that it ran itself by its id.
  const idOf = (id: string): string => (executed.has(id) ? id : ids(id))
  const { instructions, conversation } = splitInstructions(
    wireMessages(repairedMessages(context, options), options.target, idOf),
  )
  const translated: ModelMessage[] = instructions.map((content) => ({ role: "system", content }))
  for (const wire of conversation) {
    const next = modelMessage(wire)
    const last = translated.at(-1)
    if (wire.message.role === "toolResult" && executed.has(wire.message.toolCallId)) {
      addExecuted(translated, wire.message)
      continue
    }
    if (last?.role === "tool" && next.role === "tool") last.content.push(...next.content)
    else if (next.content.length > 0) translated.push(next)
  }
  addApprovals(translated, approvedCalls(messages), idOf)
  return translated
}

/** The calls with a result that the provider ran by itself, as a user interface says. For another provider they are calls like others. */
function executedCalls(messages: readonly Message[], provider: string | undefined): Set<string> {
  const all = objectsIn(messages)
  const ended = new Set(all.flatMap(({ role, toolCallId }) => (role === "toolResult" ? [toolCallId] : [])))
  const answers = all.filter((one) => one.role === "assistant" && (provider === undefined || one.provider === provider))
  const calls = answers
    .flatMap(({ content }) => objectsIn(content))
    .filter(({ type, id, [UI]: ui }) => {
      return type === "toolCall" && isJsonObject(ui) && ui.providerExecuted === true && ended.has(id)
    })
  return new Set(calls.map(({ id }) => valueText(id)))
}

/** Puts the result of a call that the provider ran behind it, as the tool returned it. */
function addExecuted(
  messages: readonly ModelMessage[],
  { toolCallId, toolName, details, ...result }: ToolResultMessage,
) {
  const answer = messages.filter((message) => message.role === "assistant").at(-1)
  const at = answer?.content.findIndex((part) => part.type === "tool-call" && part.toolCallId === toolCallId) ?? -1
  const call = answer?.content[at]
  if (!answer || call?.type !== "tool-call") return
  call.providerExecuted = true
  const kept = isJsonObject(details) && isJsonObject(details[UI]) ? details[UI] : {}
  const output: ModelToolResult["output"] =
    "output" in kept
      ? { type: "json", value: kept.output as ModelOption }
      : { type: result.isError === true ? "error-text" : "text", value: contentText(result.content) }
  answer.content.splice(at + 1, 0, { type: "tool-result", toolCallId, toolName, output })
}

/** The approvals of calls of the last answer that have no result yet, by the ids of the calls. */
function approvedCalls(messages: readonly Message[]): Map<string, JsonObject> {
  let last = messages.length - 1
  while (messages[last]?.role === "toolResult") last -= 1
  const answer = messages[last]
  const content: unknown = isJsonObject(answer) && answer.role === "assistant" ? answer.content : undefined
  const ended = new Set(
    messages.slice(last + 1).map((result) => ("toolCallId" in result ? result.toolCallId : undefined)),
  )
  const approvals = new Map<string, JsonObject>()
  for (const { type, id, [UI]: ui } of objectsIn(content)) {
    const { state, approval, providerExecuted } = isJsonObject(ui) ? ui : {}
    const isApproved = state === "approval-responded" && isJsonObject(approval) && approval.approved === true
    if (type === "toolCall" && isApproved && providerExecuted !== true && !ended.has(valueText(id)))
      approvals.set(valueText(id), approval)
  }
  return approvals
}

/** Puts approvals in the place of the results that say that the calls were interrupted. */
function addApprovals(
  messages: ModelMessage[],
  approvals: ReadonlyMap<string, JsonObject>,
  idOf: (id: string) => string,
): void {
  const answer = messages.filter((message) => message.role === "assistant").at(-1)
  if (!answer || approvals.size === 0) return
  const calls = new Set([...approvals.keys()].map(idOf))
  const last = messages.at(-1)
  const results = last?.role === "tool" ? last.content : []
  if (last?.role !== "tool") messages.push({ role: "tool", content: results })
  const others = results.filter((one) => one.type !== "tool-result" || !calls.has(one.toolCallId))
  results.splice(0, results.length, ...others)
  for (const [call, { id, reason, signature }] of approvals) {
    const approvalId = valueText(id)
    const signed = typeof signature === "string" && { signature }
    answer.content.push({ type: "tool-approval-request", approvalId, toolCallId: idOf(call), ...signed })
    const why = typeof reason === "string" && { reason }
    results.push({ type: "tool-approval-response", approvalId, approved: true, ...why })
  }
}

function modelMessage({ message, blocks, text, files }: WireMessage): Exclude<ModelMessage, { role: "system" }> {
  if (message.role === "assistant") return { role: "assistant", content: writeBlocks(blocks, answerForms(message)) }
  if (message.role !== "toolResult") return { role: "user", content: writeBlocks(blocks, SAID) }
  const { toolCallId, toolName, isError } = message
  // The SDK has no failed results with files: those are sent as normal results, and only their text says that they failed.
  const output: ModelToolResult["output"] =
    files.length > 0
      ? { type: "content", value: writeBlocks(blocks, RESULT) }
      : { type: isError === true ? "error-text" : "text", value: text || NO_OUTPUT }
  return { role: "tool", content: [{ type: "tool-result", toolCallId, toolName, output }] }
}

const SAID: BlockForms<ModelText | ModelImage | ModelFile> = {
  text: plainText,
  document: (document) => {
    const { name, text, mimeType = "application/pdf", data, url = "" } = document
    if (text !== undefined) return plainText(documentText(document))
    return { type: "file", data: data ?? url, mediaType: mimeType, ...(name !== undefined && { filename: name }) }
  },
  image: ({ data, mimeType }) => ({ type: "image", image: data, mediaType: mimeType }),
}

const RESULT: BlockForms<ModelResultPart> = {
  text: plainText,
  document: (document) => {
    const { name, text, mimeType = "application/pdf", data, url = "" } = document
    if (text !== undefined) return plainText(documentText(document))
    if (data === undefined) return { type: "file-url", url }
    return { type: "file-data", data, mediaType: mimeType, ...(name !== undefined && { filename: name }) }
  },
  image: ({ data, mimeType }) => ({ type: "image-data", data, mediaType: mimeType }),
}

function answerForms(message: AssistantMessage): BlockForms<ModelText | ModelReasoning | ModelToolCall> {
  return {
    text: (block) => ({ ...plainText(block), ...withKept(textOptions(block, message), block, "providerMetadata") }),
    thinking: (block) => {
      const options = withKept(reasoningOptions(block, message), block, "providerMetadata")
      return block.thinking === "" && !options.providerOptions
        ? undefined
        : { type: "reasoning", text: block.thinking, ...options }
    },
    toolCall: (block) => {
      const { id: toolCallId, name: toolName, arguments: input } = block
      const options = withKept(callOptions(block), block, "callProviderMetadata")
      return { type: "tool-call", toolCallId, toolName, input, ...options }
    },
  }
}

/**
 * With what other providers said of a part of a user interface, such as OpenRouter: the SDK sends it back unchanged. What OpenAI only knows by an id,
 * it may not have stored.
 */
function withKept({ providerOptions }: Options, block: object, field: string): Options {
  const kept = UI in block && isJsonObject(block[UI]) ? block[UI][field] : undefined
  const others = Object.entries(isJsonObject(kept) ? kept : {}).filter(
    ([name, said]) => !/^(?:openai|azure)/.test(name) && isJsonObject(said),
  )
  const options = { ...(Object.fromEntries(others) as ModelProviderOptions), ...providerOptions }
  return Object.keys(options).length > 0 ? { providerOptions: options } : {}
}

/** Gemini 3 rejects a call of its own without its signature. Signatures of OpenAI are JSON, and name the kind of the call. */
export function callOptions({ thoughtSignature }: Pick<ToolCall, "thoughtSignature">): Options {
  return typeof thoughtSignature === "string" && thoughtSignature !== "" && !signedObject(thoughtSignature)
    ? { providerOptions: { google: { thoughtSignature } } }
    : {}
}

/** What a provider knows a text by: the signature of Gemini's, and the phase of OpenAI's. */
export function textOptions(
  { textSignature }: Pick<TextContent, "textSignature">,
  { api, provider }: Speaker,
): Options {
  if (typeof textSignature !== "string" || textSignature === "") return {}
  const phase = phaseIn(textSignature)
  if (phase.phase !== undefined) return { providerOptions: { openai: { phase: phase.phase } } }
  const isGoogle = /^google/.test(valueText(api ?? provider)) && !signedObject(textSignature)
  return isGoogle ? { providerOptions: { google: { thoughtSignature: textSignature } } } : {}
}

type Options = { providerOptions?: ModelProviderOptions }
type Speaker = Pick<AssistantMessage, "api" | "provider">

/** The provider options that the AI SDK needs for a model to accept its thinking back. */
export function reasoningOptions(
  { thinkingSignature: signature, redacted }: ThinkingContent,
  { api, provider }: Speaker,
): Options {
  if (!signature) return {}
  const item = reasoningItem(signature)
  if (item) {
    const id = typeof item.id === "string" ? { itemId: item.id } : {}
    return { providerOptions: { openai: { ...id, reasoningEncryptedContent: item.encrypted_content } } }
  }
  if (signedObject(signature)) return {}
  const spoken = valueText(api ?? provider)
  const field = redacted ? "redactedData" : "signature"
  if (/bedrock/.test(spoken)) return { providerOptions: { bedrock: { [field]: signature } } }
  if (/^anthropic/.test(spoken)) return { providerOptions: { anthropic: { [field]: signature } } }
  return /^google/.test(spoken) ? { providerOptions: { google: { thoughtSignature: signature } } } : {}
}
