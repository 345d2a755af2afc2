import type { SessionEntry } from "../entry/entry.js"
import { filesOfCall } from "../entry/file-tools.js"
import type { Message } from "../entry/message.js"
import { isJsonObject, type JsonObject, valueText } from "../entry/values.js"
import { estimateTokens } from "./context-tokens.js"

/** What takes room in a context: what was said, as what, and by which tool. */
export type ContextPart = "system" | "prompts" | "replies" | "thinking" | "calls" | "results" | "summaries" | "other"

/** The share of one part of a context, by the estimate of `estimateTokens`. */
export interface ContextShare {
  readonly part: ContextPart
  /** Of calls and results. */
  readonly tool?: string
  /** How many of them are in the context. */
  count: number
  /** Estimated tokens. */
  tokens: number
  /** Of the tokens of results: of files that had been read before. */
  repeated: number
  /** Estimated tokens of what the branch has and the context lacks: compactions, and what else leaves entries out, freed them. */
  freed: number
}

/**
 * Estimates what fills a context, the largest first, and what of its branch it leaves out.
 * @param path the entries of the branch, root first
 * @param messages of the context at its end
 */
export function contextUse(path: readonly SessionEntry[], messages: readonly Message[]): ContextShare[] {
  const shares = new Shares()
  for (const message of messages) shares.add(message)
  const branch = new Shares()
  for (const entry of path) {
    const { message } = entry as unknown as JsonObject
    if (entry.type === "message" && isJsonObject(message)) branch.add(message as unknown as Message)
  }
  for (const share of branch.all()) shares.share(share.part, share.tool).freed = share.tokens
  const all = shares.all()
  for (const share of all) share.freed = Math.max(0, share.freed - share.tokens)
  return all.filter(({ tokens, freed }) => tokens + freed > 0).sort((a, b) => b.tokens - a.tokens || b.freed - a.freed)
}

class Shares {
  readonly #shares = new Map<string, ContextShare>()
  /** By the id of a call, the files that it reads. */
  readonly #reads = new Map<unknown, readonly string[]>()
  readonly #seen = new Set<string>()

  all(): ContextShare[] {
    return [...this.#shares.values()]
  }

  share(part: ContextPart, tool?: string): ContextShare {
    const key = JSON.stringify([part, tool])
    const share = this.#shares.get(key) ?? {
      part,
      ...(tool !== undefined && { tool }),
      ...{ count: 0, tokens: 0, repeated: 0, freed: 0 },
    }
    this.#shares.set(key, share)
    return share
  }

  add(message: Message): void {
    const fields = message as unknown as JsonObject
    if (fields.role === "assistant" && Array.isArray(fields.content)) {
      for (const block of fields.content) if (isJsonObject(block)) this.#addBlock(fields, block)
      return
    }
    const tokens = estimateTokens(message)
    if (fields.role === "toolResult") this.#addResult(fields, tokens)
    else if (fields.role === "bashExecution" || fields.role === "pythonExecution")
      this.#count(this.share("results", fields.role === "bashExecution" ? "bash" : "python"), tokens)
    else this.#count(this.share(PARTS[valueText(fields.role)] ?? "other"), tokens)
  }

  #addBlock(message: JsonObject, block: JsonObject): void {
    const tokens = estimateTokens({ ...message, content: [block] } as unknown as Message)
    if (block.type !== "toolCall") {
      this.#count(this.share(block.type === "thinking" ? "thinking" : "replies"), tokens)
      return
    }
    this.#reads.set(block.id, filesOfCall(block.name, block.arguments)?.read ?? [])
    this.#count(this.share("calls", nameOf(block.name)), tokens)
  }

  #addResult(message: JsonObject, tokens: number): void {
    const share = this.share("results", nameOf(message.toolName))
    this.#count(share, tokens)
    const files = this.#reads.get(message.toolCallId) ?? []
    if (files.length > 0 && files.every((file) => this.#seen.has(file))) share.repeated += tokens
    for (const file of files) this.#seen.add(file)
  }

  #count(share: ContextShare, tokens: number): void {
    share.count += 1
    share.tokens += tokens
  }
}

const PARTS: Readonly<Record<string, ContextPart | undefined>> = {
  system: "system",
  user: "prompts",
  fileMention: "prompts",
  assistant: "replies",
  branchSummary: "summaries",
  compactionSummary: "summaries",
}

function nameOf(name: unknown): string {
  return typeof name === "string" && name !== "" ? name : "unknown"
}
