import { createHash } from "node:crypto"
import { type ContentBlock, TreelogError } from "@treelog/session-core"
import {
  type ConvertedRecords,
  callArguments,
  type EntryWriter,
  type HeaderFields,
  isoTime,
  type Json,
  objectIn,
  objectsIn,
  type RecordConverter,
  type RecordOutcome,
  textIn,
  usageFields,
} from "../kit.js"
import { contentOf, modelOf, sumOf, textOf, usageOf } from "./steps.js"

const SUBAGENT = "subagent"

/**
 * The conversion of a trajectory. What treelog wrote itself into the `extra` of a step (the ids of entries, where a branch begins, what a tool is called) is
 * used; of another program's, ids are derived from those of the trajectory and of the step.
 */
export class AtifConverter implements RecordConverter {
  readonly #writer: EntryWriter
  readonly #key: string
  #trajectory: Json | undefined
  #id = ""
  #steps: Steps | undefined
  #startTime: string | undefined

  constructor({ writer, key }: ConvertedRecords) {
    this.#writer = writer
    this.#key = key
  }

  kindOf({ record, source }: Json): string {
    return record === "step" ? String(source) : String(record)
  }

  record(record: Json): RecordOutcome {
    if (record.record === "trajectory") {
      this.#trajectory = record
      this.#id = idOf(record)
      this.#steps = new Steps(this.#writer, { id: this.#id, trajectory: record })
      return "converted"
    }
    this.#startTime ??= textIn(record, "timestamp")
    this.#steps?.add(record)
    return "converted"
  }

  /** @throws UnsupportedVersionError */
  end(): HeaderFields | undefined {
    const steps = this.#steps
    if (!this.#trajectory || !steps) return undefined
    const { schema_version: version } = this.#trajectory
    if (!/^ATIF-v1\.\d+$/.test(String(version))) {
      const message = `The trajectory is of version ${version}; this release reads ATIF-v1.0 to ATIF-v1.8.`
      throw new TreelogError("UnsupportedVersionError", message, { key: this.#key, version })
    }
    steps.addOtherParts()
    const extra = objectIn(this.#trajectory, "extra") ?? {}
    const [agent, title] = [textIn(objectIn(this.#trajectory, "agent") ?? {}, "name"), textIn(extra, "name")]
    steps.addSum()
    return {
      id: this.#id,
      timestamp: isoTime(Date.parse(this.#startTime ?? "")),
      cwd: textIn(extra, "cwd"),
      title,
      source: { agent: agent ?? "atif" },
    }
  }
}

/** Not that of the session that was exported: what is imported may lack what was redacted. */
function idOf(trajectory: Json): string {
  const id = textIn(trajectory, "trajectory_id") ?? textIn(trajectory, "session_id")
  return `atif-${id ?? createHash("sha256").update(JSON.stringify(trajectory)).digest("hex").slice(0, 16)}`
}

interface StepsOf {
  /** Begins the ids of entries whose steps have none. */
  readonly id: string
  readonly trajectory: Json
  /** Of a sub-agent: the writer of its session, where what it used counts. */
  readonly session?: EntryWriter
}

/** Adds the steps of one trajectory. */
class Steps {
  readonly #writer: EntryWriter
  readonly #of: StepsOf
  readonly #parts: Map<string, Json>
  /** Where the conversation goes on behind a step, by the id of its entry. */
  readonly #ends = new Map<string, string | null>()
  #level: string | undefined
  /** Whether a step says what it used. */
  #isCounted = false
  /** What sub-agents cost. */
  #costOfParts = 0
  /** What was counted of it and of its sub-agents cost. */
  cost = 0

  constructor(writer: EntryWriter, of: StepsOf) {
    this.#writer = writer
    this.#of = of
    const parts = objectsIn(of.trajectory.subagent_trajectories)
    this.#parts = new Map(parts.map((part, at) => [textIn(part, "trajectory_id") ?? String(at), part]))
  }

  add(step: Json): void {
    const extra = objectIn(step, "extra") ?? {}
    const id = textIn(extra, "entry_id") ?? `${this.#of.id}:${step.step_id}`
    if ("parent_entry_id" in extra) this.#writer.leaf = this.#ends.get(String(extra.parent_entry_id)) ?? null
    const time = Date.parse(String(step.timestamp))
    const place = { id, ...(!Number.isNaN(time) && { time }) }
    if (step.source === "agent") this.#agentStep(step, extra, place)
    else this.#otherStep(step, extra, place)
    this.#ends.set(id, this.#writer.leaf)
  }

  /** Sub-agents that no step names. */
  addOtherParts(): void {
    for (const id of [...this.#parts.keys()]) this.#addPart(id, { id: `part:${id}` }, undefined)
  }

  /** Where no step says what it used, their sum does: of its cost, that of sub-agents is a part. */
  addSum(): void {
    const { id, trajectory, session } = this.#of
    const usage = this.#isCounted ? undefined : sumOf(trajectory)
    if (!usage) return
    const total = Math.max(0, (usage.cost?.total ?? 0) - this.#costOfParts)
    this.cost += total
    const model = modelOf({}, textIn(objectIn(trajectory, "agent") ?? {}, "model_name"))
    const used = { ...usage, ...(usage.cost && { cost: { ...usage.cost, total } }) }
    const writer = session ?? this.#writer
    writer.add("usage", { id: `${id}:usage` }, { ...model, usage: used, ...(session && { role: SUBAGENT }) })
  }

  #otherStep(step: Json, extra: Json, place: Place): void {
    const observed = objectsIn(objectIn(step, "observation")?.results)
    const content = [...contentOf(step.message), ...observed.flatMap((result) => contentOf(result.content))]
    const context = objectIn(extra, "context_management")
    if (context?.type === "compaction") {
      const firstKeptEntryId = this.#writer.entries.find((entry) => entry.id === context.first_kept_entry_id)?.id
      const kept = firstKeptEntryId !== undefined && { firstKeptEntryId }
      const summary = textOf(content)
      this.#writer.add("compaction", place, { summary, verbatim: true, ...kept, tokensBefore: 0 })
    } else if (context?.boundary === "truncate") this.#writer.add("reset_boundary", place, {})
    else if (typeof context?.target_entry_id === "string") {
      const replacement = content.length > 0 ? { content } : null
      this.#writer.add("context_edit", place, { targetId: context.target_entry_id, replacement })
    } else if (content.length > 0 || observed.length === 0)
      this.#writer.message(place, { role: step.source === "user" ? "user" : "system", content } as never)
    for (const result of observed) this.#addParts(result, place, undefined)
  }

  #agentStep(step: Json, extra: Json, place: Place): void {
    const calls = objectsIn(step.tool_calls)
    const content = contentOf(step.message)
    const thinking = textIn(step, "reasoning_content")
    const usage = usageOf(step)
    if (usage?.totalTokens || usage?.cost?.total) this.#isCounted = true
    this.cost += usage?.cost?.total ?? 0
    const model = modelOf(step, textIn(objectIn(this.#of.trajectory, "agent") ?? {}, "model_name"))
    const isSaid = content.length > 0 || calls.length > 0 || thinking !== undefined
    const isReply = isSaid || extra.kind === "assistant" || (!usage && step.llm_call_count !== 0)
    if (isReply) this.#reply(step, { extra, place, content, thinking, calls, model, usage: usage ?? usageFields() })
    else if (usage) this.#writer.add("usage", place, { ...model, usage })
    if (usage && this.#of.session)
      this.#of.session.add("usage", { ...place, id: `usage:${place.id}` }, { ...model, usage, role: SUBAGENT })
    const names = new Map(calls.map(({ tool_call_id: id, function_name: name }) => [id, String(name)]))
    for (const [at, result] of objectsIn(objectIn(step, "observation")?.results).entries())
      this.#result(result, { id: `${place.id}:result-${at + 1}`, time: place.time }, names)
  }

  #reply(step: Json, { extra, place, content, thinking, calls, model, usage }: ReplyParts): void {
    const level = step.reasoning_effort === undefined ? this.#level : String(step.reasoning_effort)
    if (level !== this.#level)
      this.#writer.add("thinking_level_change", { ...place, id: `${place.id}:level` }, { thinkingLevel: level })
    this.#level = level
    const [errorMessage, responseId] = [textIn(extra, "error_message"), textIn(extra, "response_id")]
    this.#writer.message(place, {
      role: "assistant",
      content: [
        ...(thinking === undefined ? [] : [{ type: "thinking", thinking }]),
        ...content,
        ...calls.map(({ tool_call_id: id, function_name: name, arguments: values }) => ({
          ...{ type: "toolCall", id: String(id), name: String(name) },
          arguments: callArguments(values),
        })),
      ] as ContentBlock[],
      ...model,
      usage,
      stopReason: textIn(extra, "stop_reason") ?? (calls.length > 0 ? "toolUse" : "stop"),
      ...(errorMessage !== undefined && { errorMessage }),
      ...(responseId !== undefined && { responseId }),
    })
  }

  /** One of a sub-agent alone, whose call has no result, has no content. */
  #result(result: Json, place: Place, names: ReadonlyMap<unknown, string>): void {
    const extra = objectIn(result, "extra") ?? {}
    const toolCallId = textIn(result, "source_call_id") ?? textIn(extra, "call_id") ?? place.id
    const id = textIn(extra, "entry_id") ?? place.id
    const toolName = textIn(extra, "tool_name") ?? names.get(toolCallId) ?? "unknown"
    const isOfCall = result.content !== undefined && result.content !== null
    if (isOfCall || result.subagent_trajectory_ref === undefined) {
      const content = contentOf(result.content)
      const isError = extra.is_error === true
      this.#writer.message({ ...place, id }, { role: "toolResult", toolCallId, toolName, content, isError })
    }
    this.#addParts(result, place, toolCallId)
  }

  #addParts(result: Json, place: Place, call: string | undefined): void {
    for (const { trajectory_id: id } of objectsIn(result.subagent_trajectory_ref))
      this.#addPart(String(id), { ...place, id: `part:${id}` }, call)
  }

  /** A sub-agent stands where it is named first. */
  #addPart(id: string, place: Place, call: string | undefined): void {
    const trajectory = this.#parts.get(id)
    if (!trajectory) return
    this.#parts.delete(id)
    const name = `${id.replace(/\.jsonl$/, "").replace(/[^\p{L}\p{N}._-]/gu, "-")}.jsonl`
    const writer = this.#writer.transcript(place, { name, role: SUBAGENT, ...(call !== undefined && { call }) })
    const steps = new Steps(writer, {
      id: `${this.#of.id}:${id}`,
      trajectory,
      session: this.#of.session ?? this.#writer,
    })
    for (const step of objectsIn(trajectory.steps)) steps.add(step)
    steps.addOtherParts()
    steps.addSum()
    this.#costOfParts += steps.cost
    this.cost += steps.cost
  }
}

interface Place {
  readonly id: string
  /** Milliseconds since 1970. */
  readonly time?: number | undefined
}

interface ReplyParts {
  readonly extra: Json
  readonly place: Place
  readonly content: readonly ContentBlock[]
  readonly thinking: string | undefined
  readonly calls: readonly Json[]
  readonly model: { readonly provider: string; readonly model: string }
  readonly usage: ReturnType<typeof usageFields>
}
