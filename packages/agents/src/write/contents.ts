import { contentText } from "@treelog/session-core"
import { isObject, type Json } from "@treelog-internal/agent-files"
import type { WrittenBlock, WrittenResult, WrittenSaid } from "@treelog-internal/agent-files/write"

/** Makes parts of Gemini's API, which Qwen Code stores too, of what was said. */
export class WrittenParts {
  readonly #from: string
  readonly #agent: "gemini" | "qwen"
  /** The names of calls, by their ids: results have them, too. */
  readonly #names = new Map<string, string>()

  /** @param from the agent of the source */
  constructor(from: string, agent: "gemini" | "qwen") {
    this.#from = from
    this.#agent = agent
  }

  of(said: WrittenSaid): Json[] {
    return said.kind === "result" ? this.#result(said) : said.blocks.flatMap((block) => this.#part(block))
  }

  #part(block: WrittenBlock): Json[] {
    switch (block.type) {
      case "text":
        return [{ text: block.text, ...this.#signature(block.textSignature) }]
      case "thinking":
        return [{ text: block.thinking, thought: true, ...this.#signature(block.thinkingSignature) }]
      case "image":
        return [{ inlineData: { mimeType: block.mimeType, data: block.data } }]
      case "toolCall": {
        const { id, name, arguments: args } = block
        this.#names.set(id, name)
        return [{ functionCall: { id, name, args }, ...this.#signature(block.thoughtSignature) }]
      }
      default: {
        const { source, mimeType, url } = block.value
        if (block.type === "file") return [{ fileData: { mimeType, fileUri: url } }]
        if (!isObject(source) || source.type !== "base64") return []
        return [{ inlineData: { mimeType: source.media_type, data: source.data } }]
      }
    }
  }

  #result({ call: id, blocks, isFailed }: WrittenResult): Json[] {
    const others = blocks.filter(({ type }) => type !== "text").flatMap((block) => this.#part(block))
    const response = {
      id,
      name: this.#names.get(id) ?? "unknown",
      response: { [isFailed ? "error" : "output"]: contentText(blocks) },
    }
    // Models before Gemini 3 take what is no text only behind a result.
    if (this.#agent === "gemini") return [{ functionResponse: response }, ...others]
    return [{ functionResponse: { ...response, ...(others.length > 0 && { parts: others }) } }]
  }

  /** A signature is for the model of its agent alone. */
  #signature(signature: unknown): Json {
    return typeof signature === "string" && this.#from === this.#agent ? { thoughtSignature: signature } : {}
  }
}
