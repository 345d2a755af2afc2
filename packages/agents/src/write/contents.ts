import type { AssistantMessage, ContentBlock } from "@treelog/session-core"
import { isObject, type Json, objectIn, objectsIn, textIn } from "@treelog-internal/agent-files"
import { CallIds, type CopySource, type SaidStep, writtenCall } from "@treelog-internal/agent-files/write"

type Count = CopySource["pieces"]["count"]

/** Makes parts of Gemini's API, which Qwen Code stores too, of what was said, and counts what becomes of it. */
export class WrittenParts {
  readonly #source: CopySource
  readonly #agent: "gemini" | "qwen"
  readonly #ids = new CallIds()
  /** The names of calls, by their ids: results have them, too. */
  readonly #names = new Map<string, string>()

  constructor(source: CopySource, agent: "gemini" | "qwen") {
    this.#source = source
    this.#agent = agent
  }

  /** @param isCounted false for what a compaction keeps, which was counted where it was said */
  of(step: SaidStep, isCounted: boolean): Json[] {
    const { entry, message, stored, isAdded } = step
    const { pieces } = this.#source
    const count: Count = (...args) => isCounted && pieces.count(...args)
    if (message.role === "assistant") return this.#reply(entry, message, count)
    const parts = blocksOf(message.content).flatMap(inputPart)
    count(entry, "images", "preserved", undefined, parts.filter(({ inlineData }) => inlineData).length)
    if (message.role === "toolResult") {
      // One that was added is none of the source's.
      if (!isAdded) count(entry, "results", "preserved")
      return this.#result(message.toolCallId, parts, message.isError === true)
    }
    if (parts.length > 0) {
      const isSaid = stored.role === "user"
      count(entry, "text", isSaid ? "preserved" : "partial", isSaid ? undefined : "as text of the user")
      count(entry, "compactions", "partial", "its summary as text")
    }
    return parts
  }

  #reply(entry: string, { content, provider }: AssistantMessage, count: Count): Json[] {
    return blocksOf(content).flatMap((block): Json[] => {
      const { type, text, thinking, textSignature } = block as Json
      if (type === "toolCall") return [this.#call(entry, block as Json, count)]
      if (type === "text" && typeof text === "string") {
        count(entry, "text", "preserved")
        return [{ text, ...this.#signature(textSignature) }]
      }
      return type === "thinking" ? this.#thought(entry, String(thinking), block as Json, provider, count) : []
    })
  }

  /** Gemini CLI shows thoughts, and sends none. Qwen Code sends them as what its model thought. */
  #thought(entry: string, text: string, { thinkingSignature }: Json, provider: string, count: Count): Json[] {
    const thought = { text, thought: true, ...this.#signature(thinkingSignature) }
    if (text === "") count(entry, "thinking", "dropped", `sealed for ${provider}`)
    else if (this.#agent === "gemini") {
      count(entry, "thinking", "evidence", "shown, and not sent")
      return [thought]
    } else if (this.#source.from === "qwen") {
      count(entry, "thinking", "preserved")
      return [thought]
    } else count(entry, "thinking", "dropped", `signed for ${provider}`)
    return []
  }

  #call(entry: string, block: Json, count: Count): Json {
    const id = this.#ids.ofCall(entry, String(block.id))
    const { name, args } = writtenCall(this.#source, this.#agent, entry, block, count)
    this.#names.set(id, name)
    return { functionCall: { id, name, args }, ...this.#signature(block.thoughtSignature) }
  }

  #result(call: string, parts: readonly Json[], isError: boolean): Json[] {
    const id = this.#ids.ofResult(call)
    const texts = parts.flatMap((part) => textIn(part, "text") ?? [])
    const others = parts.filter(({ text }) => text === undefined)
    const response = {
      id,
      name: this.#names.get(id) ?? "unknown",
      response: { [isError ? "error" : "output"]: texts.join("\n") },
    }
    // Models before Gemini 3 take what is no text only behind a result.
    if (this.#agent === "gemini") return [{ functionResponse: response }, ...others]
    return [{ functionResponse: { ...response, ...(others.length > 0 && { parts: others }) } }]
  }

  /** A signature is for the model of its agent alone. */
  #signature(signature: unknown): Json {
    return typeof signature === "string" && this.#source.from === this.#agent ? { thoughtSignature: signature } : {}
  }
}

/** Of the parts of a result, the id of its call, and its text, as it is shown. */
export function resultIn([first = {}]: readonly Json[]): { readonly id: string; readonly text: string } {
  const { id, response } = objectIn(first, "functionResponse") ?? {}
  const { output, error } = isObject(response) ? response : {}
  return { id: String(id), text: String(error ?? output) }
}

function blocksOf(content: unknown): ContentBlock[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : (objectsIn(content) as ContentBlock[])
}

function inputPart(block: ContentBlock): Json[] {
  const { type, text, data, mimeType, source, url } = block as Json
  if (type === "text" && typeof text === "string") return [{ text }]
  if (type === "image") return [{ inlineData: { mimeType, data } }]
  if (type === "document" && isObject(source) && source.type === "base64")
    return [{ inlineData: { mimeType: source.media_type, data: source.data } }]
  return type === "file" ? [{ fileData: { mimeType, fileUri: url } }] : []
}
