import { contentText } from "@treelog/session-core"
import { type Json, parsedObject, textIn } from "@treelog-internal/agent-files"
import {
  type CopySource,
  type CopyTarget,
  derivedUuid,
  type InputBlock,
  subAgentId,
  type WrittenCall,
  type WrittenReply,
  type WrittenResult,
  type WrittenSaid,
  type WrittenStep,
} from "@treelog-internal/agent-files/write"

/** What Codex keeps otherwise than others. */
export const CODEX_RULES: CopyTarget["rules"] = {
  thought({ thinking, thinkingSignature }, _, from) {
    if (from === "codex" && reasoningItem(thinkingSignature)) return ["preserved"]
    if (thinking !== "") return ["evidence", "signed for its own model: shown, and not sent"]
    return ["dropped", "sealed for its own model"]
  },
  hasNestedSubAgents: true,
  failureReason: "Codex has no mark for a failure: its text says so",
}

/**
 * The lines of a rollout behind the first. Each message is there twice: as an item for the model, and as an event for the list and the screen.
 * @param thread the id of the thread
 */
export function rolloutLines(source: CopySource, thread: string, steps: readonly WrittenStep[]): Json[] {
  const writer = new RolloutLines(source, thread)
  for (const step of steps) writer.add(step)
  return writer.end()
}

class RolloutLines {
  readonly #source: CopySource
  readonly #thread: string
  readonly #lines: Json[] = []
  /** The ids of calls of custom tools: their results are of another type. */
  readonly #custom = new Set<string>()
  #turn: string | undefined
  #answer = ""
  #time = 0

  constructor(source: CopySource, thread: string) {
    this.#source = source
    this.#thread = thread
  }

  add(step: WrittenStep): void {
    if (step.kind !== "compaction") this.#said(step)
    else {
      this.#time = step.time
      const history = step.kept.flatMap((one) => this.#itemsOf(one))
      this.#line("compacted", { message: contentText(step.kept[0]?.blocks), replacement_history: history })
      this.#event({ type: "context_compacted" })
    }
  }

  end(): Json[] {
    this.#endTurn()
    return this.#lines
  }

  #said(said: WrittenSaid): void {
    const { step } = said
    const prompt = said.kind === "prompt" && said.isSaid ? (said.typed ?? contentText(said.blocks)) : ""
    if (prompt !== "" || !this.#turn) this.#beginTurn(step)
    this.#time = step.time
    if (said.kind === "reply") this.#replied(said)
    else for (const item of this.#itemsOf(said)) this.#line("response_item", item)
    if (prompt !== "") this.#event({ type: "user_message", message: prompt })
  }

  #beginTurn({ entry, part, time }: WrittenSaid["step"]): void {
    // It ends when it did, whatever follows: a copy is continued where its lines are the beginning of the new ones.
    this.#endTurn()
    this.#time = time
    this.#turn = derivedUuid(this.#thread, "turn", entry, String(part))
    this.#event({ type: "task_started", turn_id: this.#turn, model_context_window: null })
  }

  #endTurn(): void {
    if (this.#turn !== undefined)
      this.#event({ type: "task_complete", turn_id: this.#turn, last_agent_message: this.#answer || null })
    this.#turn = undefined
    this.#answer = ""
  }

  /** The items of a reply, and what the screen shows of them. */
  #replied({ blocks }: WrittenReply): void {
    for (const block of blocks) {
      for (const item of this.#replyItems(block)) this.#line("response_item", item)
      if (block.type === "thinking" && !block.isSent) this.#event({ type: "agent_reasoning", text: block.thinking })
      if (block.type === "text") {
        this.#answer = block.text
        this.#event({ type: "agent_message", message: this.#answer })
      } else if (block.type === "toolCall") this.#addSubAgent(block)
    }
  }

  /** What Codex says when a call has started a thread. */
  #addSubAgent({ id: call_id, subAgent }: WrittenCall): void {
    if (!subAgent) return
    const { title } = subAgent
    const of = { call_id, sender_thread_id: this.#thread, completed_at_ms: this.#time }
    const agent = { new_thread_id: subAgentId(this.#source, subAgent), new_agent_nickname: title, new_agent_role: null }
    const run = { prompt: title, model: "", reasoning_effort: "medium", status: { completed: null } }
    this.#event({ type: "collab_agent_spawn_end", ...of, ...agent, ...run })
  }

  #itemsOf(said: WrittenSaid): Json[] {
    if (said.kind === "reply") return said.blocks.flatMap((block) => this.#replyItems(block))
    const parts = said.blocks.flatMap(inputPart)
    if (said.kind === "result") return [this.#output(said, parts)]
    return parts.length === 0 ? [] : [{ type: "message", role: "user", content: parts }]
  }

  #output({ call }: WrittenResult, parts: readonly Json[]): Json {
    const isText = parts.every(({ type }) => type === "input_text")
    const output = isText ? parts.map(({ text }) => text).join("\n") : parts
    return { type: this.#custom.has(call) ? "custom_tool_call_output" : "function_call_output", call_id: call, output }
  }

  /** What no model gets is no item. */
  #replyItems(block: WrittenReply["blocks"][number]): Json[] {
    if (block.type === "text")
      return [{ type: "message", role: "assistant", content: [{ type: "output_text", text: block.text }] }]
    if (block.type === "toolCall") return [this.#call(block)]
    const item = block.type === "thinking" && block.isSent ? reasoningItem(block.thinkingSignature) : undefined
    return item ? [item] : []
  }

  #call({ id, name, arguments: args, thoughtSignature }: WrittenCall): Json {
    const { type, namespace } = signature(thoughtSignature)
    if ((type === "custom_tool_call" || name === PATCH) && typeof args.input === "string") {
      this.#custom.add(id)
      return { type: "custom_tool_call", name, input: args.input, call_id: id }
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

/** A custom tool, also where the call was one of another agent. */
const PATCH = "apply_patch"

function inputPart(block: InputBlock): Json[] {
  if (block.type === "text") return [{ type: "input_text", text: block.text }]
  return block.type === "image"
    ? [{ type: "input_image", image_url: `data:${block.mimeType};base64,${block.data}` }]
    : []
}

/** The item in a signature, as a reader of Codex's sessions puts it there. */
function reasoningItem(text: unknown): Json | undefined {
  const item = signature(text)
  return item.type === "reasoning" && textIn(item, "encrypted_content") !== undefined ? item : undefined
}

function signature(text: unknown): Json {
  return typeof text === "string" ? (parsedObject(text) ?? {}) : {}
}
