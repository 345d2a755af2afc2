import type { ContentBlock, Usage } from "@treelog/session-core"
import { callArguments, countIn, isObject, type Json, objectIn, objectsIn, textIn, usageFields } from "../kit.js"

// The parts of which contents are made in Gemini's API, which Qwen Code stores too, whatever its model.

/** The parts of a content that is a text, a part, or a list of both. */
export function partsOf(content: unknown): Json[] {
  const list = Array.isArray(content) ? content : [content]
  return list.flatMap((part) => (typeof part === "string" ? [{ text: part }] : isObject(part) ? [part] : []))
}

export function textOf(parts: readonly Json[]): string {
  return parts.flatMap(({ text, thought }) => (typeof text === "string" && thought !== true ? [text] : [])).join("")
}

/** What a model gets: texts, images and documents. */
export function inputBlocks(parts: readonly Json[]): ContentBlock[] {
  return parts.flatMap((part): ContentBlock[] => {
    const text = textIn(part, "text")
    if (text !== undefined) return [{ type: "text", text }]
    const inline = objectIn(part, "inlineData")
    const file = objectIn(part, "fileData")
    const title = textIn(inline ?? file ?? {}, "displayName")
    const named = title !== undefined && { title }
    if (inline) {
      const [mimeType, data] = [String(inline.mimeType), String(inline.data)]
      if (mimeType.startsWith("image/")) return [{ type: "image", data, mimeType }]
      return [{ type: "document", source: { type: "base64", media_type: mimeType, data }, ...named }]
    }
    return file ? [{ type: "file", mimeType: file.mimeType, url: file.fileUri, ...named }] : []
  })
}

/** What a model says: thinking, texts and calls. */
export function replyBlocks(parts: readonly Json[]): ContentBlock[] {
  return parts.flatMap((part): ContentBlock[] => {
    const text = textIn(part, "text")
    const signature = textIn(part, "thoughtSignature")
    const call = objectIn(part, "functionCall")
    if (part.thought === true)
      return [{ type: "thinking", thinking: text ?? "", ...(signature && { thinkingSignature: signature }) }]
    if (text !== undefined) return [{ type: "text", text, ...(signature && { textSignature: signature }) }]
    if (!call) return inputBlocks([part])
    const called = { id: String(call.id ?? ""), name: String(call.name), arguments: callArguments(call.args) }
    return [{ type: "toolCall", ...called, ...(signature && { thoughtSignature: signature }) }]
  })
}

/** The result of a call. */
export interface Response {
  readonly id: string
  readonly name: string
  readonly content: ContentBlock[]
  readonly isError: boolean
}

/** The results of calls in a content: what stands behind one up to the next text, such as an image, belongs to it. The rest belongs to none. */
export function splitParts(parts: readonly Json[]): { readonly responses: Response[]; readonly rest: Json[] } {
  const responses: Response[] = []
  const rest: Json[] = []
  let last: Response | undefined
  for (const part of parts) {
    const response = objectIn(part, "functionResponse")
    if (response) {
      last = responseOf(response)
      responses.push(last)
    } else if (last && typeof part.text !== "string") last.content.push(...inputBlocks([part]))
    else {
      last = undefined
      rest.push(part)
    }
  }
  return { responses, rest }
}

export function responsesIn(parts: readonly Json[]): Response[] {
  return splitParts(parts).responses
}

function responseOf(response: Json): Response {
  const { output, error } = objectIn(response, "response") ?? {}
  const said = error ?? output ?? response.response
  const text = typeof said === "string" ? said : (JSON.stringify(said) ?? "")
  return {
    id: String(response.id ?? ""),
    name: String(response.name),
    content: [{ type: "text", text }, ...inputBlocks(objectsIn(response.parts))],
    isError: error !== undefined,
  }
}

/** Counts of tokens, of which `prompt` has the cached ones. Some programs count thoughts with the output: the total says so. */
export function tokensOf(
  counts: Readonly<Record<"prompt" | "cached" | "output" | "thoughts" | "tool" | "total", number>>,
): Usage {
  const { prompt, cached, output, thoughts, tool, total } = counts
  const hasThoughts = total > 0 && total < prompt + output + thoughts
  const tokens = { input: Math.max(0, prompt - cached) + tool, output: hasThoughts ? output : output + thoughts }
  const usage = usageFields({ ...tokens, cacheRead: cached, cacheWrite: 0 })
  return { ...usage, ...(thoughts > 0 && { reasoning: thoughts }) }
}

/** The tokens of Gemini's API. */
export function apiTokens(usage: Json): Usage {
  return tokensOf({
    prompt: countIn(usage, "promptTokenCount"),
    cached: countIn(usage, "cachedContentTokenCount"),
    output: countIn(usage, "candidatesTokenCount"),
    thoughts: countIn(usage, "thoughtsTokenCount"),
    tool: countIn(usage, "toolUsePromptTokenCount"),
    total: countIn(usage, "totalTokenCount"),
  })
}
