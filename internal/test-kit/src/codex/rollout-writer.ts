import type { Random } from "../generator/random.js"
import type { TextSource } from "../generator/text-source.js"

type Json = Record<string, unknown>

/** Characters of long texts; of outputs on average. */
const INSTRUCTIONS = 15_000
const OUTPUT = 6_000

/** Writes the lines of one rollout, as versions up to 0.98 do (`legacy`), or as 0.144 and newer do (`paginated`). */
export class RolloutWriter {
  readonly lines: string[] = []
  readonly #random: Random
  readonly #isPaginated: boolean
  #time: number
  #ordinal = 0
  #ids = 0
  #total = 0
  #input = 0

  readonly #texts: TextSource | undefined

  /** @param texts of instructions and outputs as long as real ones; otherwise they have a few words */
  constructor(random: Random, mode: "legacy" | "paginated", start: number, texts?: TextSource) {
    this.#random = random
    this.#texts = texts
    this.#isPaginated = mode === "paginated"
    this.#time = start
  }

  /** Bytes so far. */
  get size(): number {
    return new TextEncoder().encode(this.text).length
  }

  /** Input tokens that it recorded. */
  get input(): number {
    return this.#input
  }

  get text(): string {
    return this.lines.map((line) => `${line}\n`).join("")
  }

  line(type: string, payload: Json): void {
    this.#time += this.#random.between(1, 900)
    // Some versions have used an ordinal twice.
    if (this.#ordinal > 0 && this.#random.chance(0.05)) this.#ordinal--
    const ordinal = this.#isPaginated ? { ordinal: this.#ordinal++ } : {}
    this.lines.push(JSON.stringify({ timestamp: new Date(this.#time).toISOString(), ...ordinal, type, payload }))
  }

  /** The lines of another rollout, as a legacy fork copies them: its totals continue from there. */
  copy(original: RolloutWriter): void {
    this.#total = original.#total
    for (const line of original.lines) {
      const { type, payload } = JSON.parse(line)
      this.lines.push(JSON.stringify({ timestamp: new Date(this.#time).toISOString(), type, payload }))
    }
    this.#time += 5_000
  }

  meta(id: string, fields: Json): void {
    this.line("session_meta", {
      id,
      timestamp: new Date(this.#time).toISOString(),
      cwd: "/home/ada/shop",
      originator: "codex_exec",
      cli_version: this.#isPaginated ? "0.169.0" : "0.98.0",
      source: "exec",
      model_provider: "openai",
      base_instructions: { text: `You are a coding agent.${this.#texts?.prose(INSTRUCTIONS) ?? ""}` },
      ...(this.#isPaginated && { history_mode: "paginated" }),
      ...fields,
    })
  }

  /** The instructions that come before the first prompt. */
  instructions(): void {
    this.item({
      type: "message",
      role: "developer",
      content: [{ type: "input_text", text: "<permissions>all</permissions>" }],
    })
  }

  item(payload: Json): void {
    const id = this.#isPaginated ? { id: `item_${this.#random.hex(8)}_${this.#ids++}` } : {}
    this.line("response_item", { ...payload, ...id })
  }

  event(type: string, fields: Json = {}): void {
    this.line("event_msg", { type, ...fields })
  }

  /** A prompt with its answer, and sometimes a call, a compaction, or an end by the user. */
  turn(): void {
    const random = this.#random
    if (this.#isPaginated) this.event("task_started", { turn_id: random.hex(8) })
    this.prompt(`${random.pick(PROMPTS)} ${random.between(1, 3)}`)
    this.line("turn_context", { cwd: "/home/ada/shop", model: random.pick(["gpt-5", "gpt-5.1"]), effort: "medium" })
    if (random.chance(0.5)) this.call()
    if (random.chance(0.2)) this.compaction(random.chance(0.5) || this.#isPaginated)
    this.reasoning()
    if (random.chance(0.1)) this.event("turn_aborted", { reason: "interrupted" })
    else {
      this.item({ type: "message", role: "assistant", content: [{ type: "output_text", text: random.pick(ANSWERS) }] })
      this.usage()
    }
    if (random.chance(0.1)) this.line("kind_of_tomorrow", { value: random.between(0, 9) })
    if (this.#isPaginated) this.event("task_complete", {})
    else if (random.chance(0.15)) this.event("thread_rolled_back", { num_turns: random.between(1, 2) })
  }

  prompt(text: string): void {
    this.item({ type: "message", role: "user", content: [{ type: "input_text", text }] })
    if (this.#isPaginated) this.event("item_completed", { item: { type: "UserMessage", id: "u", content: [] } })
    else this.event("user_message", { message: text })
  }

  reasoning(): void {
    const summary = [{ type: "summary_text", text: "Thinking" }]
    this.item({ type: "reasoning", summary, content: null, encrypted_content: this.#random.hex(24) })
  }

  call(): void {
    const call_id = `call_${this.#random.hex(8)}`
    const isCustom = this.#random.chance(0.3)
    this.item(
      isCustom
        ? { type: "custom_tool_call", call_id, name: "apply_patch", input: "*** Begin Patch\n*** End Patch\n" }
        : { type: "function_call", call_id, name: "exec_command", arguments: '{"cmd":"ls"}' },
    )
    this.usage()
    if (this.#isPaginated)
      this.event("item_completed", {
        item: { type: "CommandExecution", id: call_id, exit_code: this.#random.between(0, 1) },
      })
    this.item({
      type: isCustom ? "custom_tool_call_output" : "function_call_output",
      call_id,
      output: `cart.py\n${this.#output()}`,
    })
  }

  #output(): string {
    return this.#texts?.code(this.#random.size(OUTPUT)) ?? ""
  }

  compaction(hasHistory: boolean): void {
    const message = `Another language model started to solve this problem and produced a summary: ${this.lines.length} lines.`
    const content = [{ type: "input_text", text: message }]
    const replacement_history = [{ type: "message", role: "user", content }]
    this.line("compacted", { message, ...(hasHistory && { replacement_history }) })
  }

  usage(): void {
    const used = this.#random.between(10, 900)
    this.#total += used
    this.#input += used
    const counts = (count: number): Json => ({ input_tokens: count, output_tokens: 1, total_tokens: count + 1 })
    if (this.#isPaginated) this.line("token_usage_record", { response_id: this.#random.hex(8), usage: counts(used) })
    this.event("token_count", { info: { total_token_usage: counts(this.#total), last_token_usage: counts(used) } })
  }
}

const PROMPTS = ["Add a test", "三杯茶 🍵", "Explain the cart", "Round the total"]
const ANSWERS = ["Done.", "The total is in cents now.", "四个 worker 🙂"]
