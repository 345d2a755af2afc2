import { type AssistantMessage, type ContentBlock, contentText, messageText } from "@treelog/session-core"
import { type Json, objectsIn, parsedObject, textIn } from "@treelog-internal/agent-files"
import {
  CallIds,
  type CopySource,
  derivedUuid,
  type SaidStep,
  type Step,
  writtenCall,
} from "@treelog-internal/agent-files/write"

/** The lines of a rollout behind the first. Each message is there twice: as an item for the model, and as an event for the list and the screen. */
export function rolloutLines(source: CopySource): Json[] {
  const writer = new RolloutLines(source)
  for (const step of source.steps) writer.add(step)
  return writer.end()
}

class RolloutLines {
  readonly #source: CopySource
  readonly #lines: Json[] = []
  readonly #ids = new CallIds()
  /** The ids of calls of custom tools: their results are of another type. */
  readonly #custom = new Set<string>()
  #turn: string | undefined
  #answer = ""
  #time = 0

  constructor(source: CopySource) {
    this.#source = source
  }

  add(step: Step): void {
    if (step.kind === "said") this.#said(step)
    else {
      this.#time = step.time
      const kept = step.context.filter(({ isOfProgram }) => !isOfProgram)
      const history = kept.flatMap((one) => this.#itemsOf(one))
      this.#line("compacted", { message: contentText(textOf(kept[0])), replacement_history: history })
      this.#event({ type: "context_compacted" })
      this.#source.pieces.count(step.entry, "compactions", "preserved")
    }
  }

  end(): Json[] {
    this.#endTurn()
    return this.#lines
  }

  #said(step: SaidStep): void {
    const { entry, message, stored, isOfProgram } = step
    const { pieces } = this.#source
    if (isOfProgram) {
      pieces.count(entry, "text", "dropped", "what its agent says by itself")
      return
    }
    const items = this.#itemsOf(step, true)
    const prompt = stored.role === "user" ? messageText(stored) : ""
    if (prompt !== "" || !this.#turn) this.#beginTurn(step)
    this.#time = step.time
    for (const item of items) {
      if (item.type !== "reasoning_text") this.#line("response_item", item)
      this.#shown(item)
    }
    if (prompt !== "") this.#event({ type: "user_message", message: prompt })
    if (message.role === "user" && items.length > 0) {
      const isSaid = stored.role === "user"
      pieces.count(entry, "text", isSaid ? "preserved" : "partial", isSaid ? undefined : "as text of the user")
      pieces.count(entry, "compactions", "partial", "its summary as text")
    }
  }

  #beginTurn({ entry, part, time }: SaidStep): void {
    // It ends when it did, whatever follows: a copy is continued where its lines are the beginning of the new ones.
    this.#endTurn()
    this.#time = time
    this.#turn = derivedUuid(this.#source.id, "turn", entry, String(part))
    this.#event({ type: "task_started", turn_id: this.#turn, model_context_window: null })
  }

  #endTurn(): void {
    if (this.#turn !== undefined)
      this.#event({ type: "task_complete", turn_id: this.#turn, last_agent_message: this.#answer || null })
    this.#turn = undefined
    this.#answer = ""
  }

  /** What the screen shows of an item of an answer. */
  #shown({ type, role, content }: Json): void {
    if (type === "reasoning_text") this.#event({ type: "agent_reasoning", text: content })
    if (type !== "message" || role !== "assistant") return
    this.#answer = objectsIn(content)
      .map(({ text }) => text)
      .join("\n")
    this.#event({ type: "agent_message", message: this.#answer })
  }

  /** @param isCounted whether its pieces are counted here, and what no model gets is among the items, as `reasoning_text` */
  #itemsOf({ entry, message, isAdded }: SaidStep, isCounted = false): Json[] {
    const count: CopySource["pieces"]["count"] = (...args) => isCounted && this.#source.pieces.count(...args)
    if (message.role === "assistant") return this.#answered(entry, message, isCounted, count)
    const blocks = blocksOf(message.content)
    const parts = blocks.map(inputPart).filter((part) => part !== undefined)
    for (const { type } of blocks) if (type === "image") count(entry, "images", "preserved")
    if (message.role !== "toolResult")
      return parts.length === 0 ? [] : [{ type: "message", role: "user", content: parts }]
    const id = this.#ids.ofResult(message.toolCallId)
    const isText = parts.every(({ type }) => type === "input_text")
    const output = isText ? parts.map(({ text }) => text).join("\n") : parts
    // One that was added is none of the source's.
    if (message.isError && !isAdded)
      count(entry, "results", "partial", "Codex has no mark for a failure: its text says so")
    else if (!isAdded) count(entry, "results", "preserved")
    return [{ type: this.#custom.has(id) ? "custom_tool_call_output" : "function_call_output", call_id: id, output }]
  }

  #answered(
    entry: string,
    { content, provider }: AssistantMessage,
    isCounted: boolean,
    count: CopySource["pieces"]["count"],
  ): Json[] {
    const items: Json[] = []
    for (const block of blocksOf(content)) {
      const { type, text, thinking, thinkingSignature } = block as Json
      if (type === "text" && typeof text === "string") {
        items.push({ type: "message", role: "assistant", content: [{ type: "output_text", text }] })
        count(entry, "text", "preserved")
      } else if (type === "toolCall") items.push(this.#call(entry, block as Json, count))
      else if (type === "thinking") {
        const item = this.#source.from === "codex" ? reasoningItem(thinkingSignature) : undefined
        if (item) items.push(item)
        if (item) count(entry, "thinking", "preserved")
        else if (typeof thinking === "string" && thinking !== "") {
          count(entry, "thinking", "evidence", `signed for ${provider}: shown, and not sent`)
          if (isCounted) items.push({ type: "reasoning_text", content: thinking })
        } else count(entry, "thinking", "dropped", `sealed for ${provider}`)
      }
    }
    return items
  }

  #call(entry: string, block: Json, count: CopySource["pieces"]["count"]): Json {
    const id = this.#ids.ofCall(entry, String(block.id))
    const { type, namespace } = signature(block.thoughtSignature)
    const { name, args } = writtenCall(this.#source, "codex", entry, block, count)
    if (type === "custom_tool_call" && typeof args.input === "string") {
      this.#custom.add(id)
      return { type, name, input: args.input, call_id: id }
    }
    const of = typeof namespace === "string" && { namespace }
    return { type: "function_call", name, ...of, arguments: JSON.stringify(args), call_id: id }
  }

  #line(type: string, payload: Json): void {
    this.#lines.push({ timestamp: new Date(this.#time).toISOString(), type, payload })
  }

  #event(payload: Json): void {
    this.#line("event_msg", payload)
  }
}

function blocksOf(content: unknown): ContentBlock[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : (objectsIn(content) as ContentBlock[])
}

function textOf(step: SaidStep | undefined): string | ContentBlock[] {
  return step ? (step.message.content as string | ContentBlock[]) : ""
}

function inputPart(block: ContentBlock): Json | undefined {
  const { type, text, data, mimeType } = block as Json
  if (type === "text" && typeof text === "string") return { type: "input_text", text }
  if (type === "image") return { type: "input_image", image_url: `data:${mimeType};base64,${data}` }
  return undefined
}

/** The item in a signature, as a reader of Codex's sessions puts it there. */
function reasoningItem(text: unknown): Json | undefined {
  const item = signature(text)
  return item.type === "reasoning" && textIn(item, "encrypted_content") !== undefined ? item : undefined
}

function signature(text: unknown): Json {
  return typeof text === "string" ? (parsedObject(text) ?? {}) : {}
}
