import type { ContentBlock } from "@treelog/session-core"
import { filesOfCall } from "@treelog/session-core/search"
import { callArguments, isObject, type Json, objectIn, objectsIn, parsedObject, textIn } from "../kit.js"

/** A call of a tool, with its result where the session has it. */
interface Call {
  readonly id: string
  readonly name: string
  readonly args: Json
  readonly result?: { readonly content: ContentBlock[]; readonly isError: boolean }
}

/** What a model said in one go, and the calls that it made. */
export interface Said {
  readonly content: ContentBlock[]
  readonly calls: Call[]
  /** The id of the round, by which a summary names it. */
  readonly round?: string | undefined
  readonly time?: unknown
}

/** Parts of a response that only show what happens, or what is in calls and in the request. */
const SHOWN = new Set([
  ...["progressMessage", "progressTask", "progressTaskSerialized", "command", "warning", "info", "confirmation"],
  ...["textEditGroup", "notebookEditGroup", "workspaceEdit", "multiDiffData", "codeblockUri", "undoStop", "treeData"],
  ...["extensions", "pullRequest", "elicitation", "elicitationSerialized", "questionCarousel", "mcpServersStarting"],
  ...["prepareToolInvocation", "clearToPreviousToolInvocation", "hook", "disabledClaudeHooks", "planReview"],
  ...["systemNotification", "autoModeResolution", "externalEdit", "references", "codeCitation", "usage"],
])

const READ = new Set(["markdownContent", "markdownVuln", "thinking", "inlineReference", "toolInvocationSerialized"])

/** What VS Code says to the person among the parts of a response. */
export function noticesIn(response: unknown): { readonly kind: unknown; readonly text: string }[] {
  return objectsIn(response).flatMap(({ kind, content }) => {
    const text = isObject(content) ? textIn(content, "value") : undefined
    return (kind === "warning" || kind === "info") && text !== undefined ? [{ kind, text }] : []
  })
}

/** The files that a response changes without a call that names them, as where a person asks for edits, each with its new texts. */
export function editsIn(response: unknown, said: readonly Said[]): { readonly path: string; readonly text: string }[] {
  const named = new Set(
    said.flatMap(({ calls }) => calls.flatMap(({ name, args }) => filesOfCall(name, args)?.changed ?? [])),
  )
  const texts = new Map<string, string[]>()
  for (const { kind, uri, edits } of objectsIn(response)) {
    const path = (kind === "textEditGroup" || kind === "notebookEditGroup") && isObject(uri) ? pathOf(uri) : undefined
    if (path === undefined || named.has(path)) continue
    const added = [edits].flat(2).flatMap((edit) => (isObject(edit) ? (textIn(edit, "text") ?? []) : []))
    texts.set(path, [...(texts.get(path) ?? []), ...added])
  }
  return [...texts].map(([path, added]) => ({ path, text: added.join("\n") }))
}

function pathOf(uri: Json): string | undefined {
  return textIn(uri, "fsPath") ?? textIn(uri, "path")
}

/** Kinds of parts of a response whose meaning is unknown. */
export function unknownParts(response: unknown): Json[] {
  return objectsIn(response).filter(
    ({ kind }) => kind !== undefined && !SHOWN.has(String(kind)) && !READ.has(String(kind)),
  )
}

/** What a model was sent of a prompt: as it was rendered, or else what was typed and attached. */
export function promptBlocks(text: string, request: Json, rendered: unknown): ContentBlock[] {
  const variables = objectsIn(objectIn(request, "variableData")?.variables)
  const sent = objectsIn(rendered).flatMap(renderedBlocks)
  const isImage = ({ kind }: Json): boolean => kind === "image"
  if (sent.length === 0) return [...textBlocks(text), ...variables.flatMap(attachedBlocks)]
  return sent.some(({ type }) => type === "image")
    ? sent
    : [...sent, ...variables.filter(isImage).flatMap(attachedBlocks)]
}

function renderedBlocks(part: Json): ContentBlock[] {
  const url = textIn(objectIn(part, "imageUrl") ?? {}, "url")
  if (url === undefined) return textBlocks(textIn(part, "text") ?? "")
  const [, mimeType = "", data = ""] = /^data:([^;,]+);base64,(.*)$/s.exec(url) ?? []
  return data === "" ? [{ type: "file", url }] : [{ type: "image", data, mimeType }]
}

function attachedBlocks(variable: Json): ContentBlock[] {
  const { kind, value } = variable
  const name = textIn(variable, "name") ?? textIn(variable, "id") ?? ""
  const data = kind === "image" ? base64Of(value) : undefined
  if (data !== undefined) return [{ type: "image", data, mimeType: textIn(variable, "mimeType") ?? "image/png" }]
  if (typeof value === "string") return textBlocks(`<attachment id="${name}">\n${value}\n</attachment>`)
  const uri = isObject(value) ? uriOf(objectIn(value, "uri") ?? value) : undefined
  return uri === undefined ? [] : [{ type: "file", title: name, url: uri }]
}

/** The rounds of a request as the model had them; where there are none, as they were shown. */
export function saidIn(request: Json, metadata: Json): Said[] {
  const rounds = objectsIn(metadata.toolCallRounds)
  const results = objectIn(metadata, "toolCallResults") ?? {}
  return rounds.length > 0 ? rounds.map((round) => roundOf(round, results)) : shownIn(request.response)
}

/** A sub-agent, as the response of the one that started it shows it: what it thought and used is not there. */
export interface SubAgent {
  /** Of the call, as it is shown: models name their calls otherwise. */
  readonly call: string
  readonly prompt: string
  readonly title: string | undefined
  readonly model: string | undefined
  readonly said: Said[]
}

export function subAgentsIn(response: unknown): SubAgent[] {
  return objectsIn(response).flatMap((part) => {
    const data = objectIn(part, "toolSpecificData") ?? {}
    if (part.kind !== "toolInvocationSerialized" || data.kind !== "subagent") return []
    const call = String(part.toolCallId)
    const result = textBlocks(data.result)
    const said = [...shownIn(response, call), ...(result.length > 0 ? [{ content: result, calls: [] }] : [])]
    const prompt = textIn(data, "prompt") ?? ""
    return [{ call, prompt, title: textIn(data, "description"), model: textIn(data, "modelName"), said }]
  })
}

function roundOf(round: Json, results: Json): Said {
  const thought = objectIn(round, "thinking")
  const calls = objectsIn(round.toolCalls).map((call): Call => {
    const id = String(call.id)
    const result = objectIn(results, id)
    const content = objectsIn(result?.content).flatMap(resultBlocks)
    return {
      id,
      name: String(call.name),
      args: callArguments(call.arguments),
      ...(result && { result: { content, isError: result.hasError === true } }),
    }
  })
  const content = [...(thought ? thinkingBlocks(thought.text, thought.encrypted) : []), ...textBlocks(round.response)]
  return { content, calls, round: textIn(round, "id"), time: round.timestamp }
}

/** What a sub-agent calls is shown among the calls of the one that started it. @param agent the call that started it */
function shownIn(response: unknown, agent?: string): Said[] {
  const said: Said[] = []
  const parts: unknown[] = Array.isArray(response) ? response : [response]
  for (const part of parts) {
    const call = isObject(part) && part.kind === "toolInvocationSerialized" ? part : undefined
    if (call?.subAgentInvocationId !== agent || (agent !== undefined && !call)) continue
    const blocks = call ? [] : shownBlocks(part)
    let last = said.at(-1)
    if (!last || (blocks.length > 0 && last.calls.length > 0)) {
      if (!call && blocks.length === 0) continue
      last = { content: [], calls: [] }
      said.push(last)
    }
    if (call) last.calls.push(shownCall(call))
    for (const block of blocks) {
      const before = last.content.at(-1)
      const isMore = before?.type === "text" && block.type === "text"
      if (isMore) last.content.splice(-1, 1, { ...before, text: blockText(before) + blockText(block) })
      else last.content.push(block)
    }
  }
  return said
}

function shownBlocks(part: unknown): ContentBlock[] {
  if (!isObject(part)) return textBlocks(part)
  const { kind, value, content } = part
  if (kind === "thinking") return thinkingBlocks(value, undefined)
  if (kind === "inlineReference") {
    const reference = objectIn(part, "inlineReference") ?? {}
    const uri = uriOf(objectIn(reference, "uri") ?? objectIn(objectIn(reference, "location") ?? {}, "uri") ?? reference)
    return textBlocks(textIn(part, "name") ?? textIn(reference, "name") ?? uri?.split("/").at(-1))
  }
  if (kind !== undefined && !READ.has(String(kind))) return []
  return textBlocks(isObject(content) ? content.value : (content ?? value))
}

/** What is shown of a call has its arguments and its result for some tools only. */
function shownCall(part: Json): Call {
  const details = objectIn(part, "resultDetails") ?? {}
  const data = objectIn(part, "toolSpecificData") ?? {}
  const command = textIn(objectIn(data, "commandLine") ?? {}, "original") ?? textIn(data, "command")
  const input = parsedObject(String(details.input)) ?? objectIn(data, "rawInput")
  const output = textIn(objectIn(data, "terminalCommandOutput") ?? {}, "text") ?? details.output ?? data.result
  const content = typeof output === "string" ? textBlocks(output) : objectsIn(output).flatMap(embeddedBlocks)
  return {
    id: String(part.toolCallId),
    name: String(part.toolId),
    args: input ?? (command === undefined ? {} : { command }),
    ...(output !== undefined && { result: { content, isError: details.isError === true } }),
  }
}

function embeddedBlocks(part: Json): ContentBlock[] {
  const { value, isText } = part
  const mimeType = textIn(part, "mimeType") ?? ""
  if (isText !== true && typeof value === "string" && mimeType.startsWith("image/"))
    return [{ type: "image", data: value, mimeType }]
  return textBlocks(value)
}

/** The result of a tool: texts, trees of texts, and bytes. */
function resultBlocks(part: Json): ContentBlock[] {
  const mimeType = textIn(part, "mimeType")
  const data = mimeType === undefined ? undefined : base64Of(part.data)
  if (mimeType?.startsWith("image/") && data !== undefined) return [{ type: "image", data, mimeType }]
  if (data !== undefined && /^text\/|json$/.test(mimeType ?? ""))
    return textBlocks(Buffer.from(data, "base64").toString())
  if (data !== undefined) return [{ type: "document", source: { type: "base64", media_type: mimeType, data } }]
  return textBlocks(isObject(part.value) ? treeText(objectIn(part.value, "node") ?? {}) : part.value)
}

function treeText({ text, lineBreakBefore, children }: Json): string {
  const own = typeof text === "string" ? text : ""
  return (lineBreakBefore ? "\n" : "") + own + objectsIn(children).map(treeText).join("")
}

function blockText(block: ContentBlock): string {
  return String((block as Json).text)
}

function textBlocks(text: unknown): ContentBlock[] {
  return typeof text === "string" && text !== "" ? [{ type: "text", text }] : []
}

function thinkingBlocks(text: unknown, encrypted: unknown): ContentBlock[] {
  const thinking = Array.isArray(text) ? text.join("") : typeof text === "string" ? text : ""
  const signed = typeof encrypted === "string" && { thinkingSignature: encrypted }
  return thinking === "" && !signed ? [] : [{ type: "thinking", thinking, ...signed }]
}

/** Bytes as any version of VS Code stores them, in Base64. */
function base64Of(value: unknown): string | undefined {
  if (typeof value === "string") return /^(?:data:[^,]*;base64,)?([\w+/]+=*)$/.exec(value)?.[1]
  if (isObject(value) && typeof value.$base64 === "string") return value.$base64
  const bytes = isObject(value) && Array.isArray(value.data) ? value.data : Object.values(value ?? {})
  return bytes.length > 0 && bytes.every(Number.isInteger) ? Buffer.from(bytes).toString("base64") : undefined
}

function uriOf(uri: Json): string | undefined {
  const path = textIn(uri, "path")
  if (path === undefined) return textIn(uri, "external")
  return textIn(uri, "external") ?? `${textIn(uri, "scheme") ?? "file"}://${textIn(uri, "authority") ?? ""}${path}`
}
