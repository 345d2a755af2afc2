import { basename, dirname, join } from "node:path"
import { contentText, type Session } from "@treelog/session-core"
import { agentFolder, type Json } from "@treelog-internal/agent-files"
import {
  type CopyLines,
  type CopySource,
  type CopyTarget,
  copySession,
  derivedUuid,
  isThere,
  nodeFs,
  subAgentId,
  subAgentsIn,
  type WriteSessionOptions,
  type WrittenResult,
  type WrittenSaid,
  type WrittenSession,
  type WrittenStep,
  type WrittenSubAgent,
} from "@treelog-internal/agent-files/write"
import { WrittenParts } from "../write/contents.js"
import { qwen } from "./place.js"

/** The version of Qwen Code that written sessions were tried with. */
const TRIED = "0.24.4"

/**
 * Writes a session of any agent as one of Qwen Code, which Qwen Code lists, opens and goes on with: what was said, calls with their results, images and
 * compactions of the branch that ends at its leaf, or at `leaf`. A session of Qwen Code's own is never touched. Repeated, it adds what is new.
 * @returns where it is, and a receipt of what it has and has not
 * @throws EntryNotFoundError for `leaf`; InvalidArgumentError: nothing was said, or Qwen Code was never used here; StorageError; SessionChangedError
 */
export function writeQwen(session: Session, options: WriteSessionOptions = {}): Promise<WrittenSession> {
  const { env = process.env, fs = nodeFs } = options
  const folder = agentFolder(env, qwen, options.dir)
  const target: CopyTarget = {
    agent: "qwen",
    rules: {
      thought({ thinking }, _, from) {
        if (thinking === "") return ["dropped", "sealed for its own model"]
        return from === "qwen" ? ["preserved"] : ["dropped", "signed for its own model"]
      },
    },
    folder,
    version: TRIED,
    async placeOf({ id, cwd }) {
      const chats = join(folder, "projects", projectOf(cwd), "chats")
      const archived = join(chats, "archive", `${id}.jsonl`)
      return (await isThere(fs, archived)) ? archived : join(chats, `${id}.jsonl`)
    },
    linesOf(source, place) {
      const [head = {}, ...body] = new QwenRecords(source, undefined).of(source.steps)
      const project = basename(dirname(place)) === "archive" ? "../.." : ".."
      return {
        head: [head],
        body,
        parts: subAgentsIn(source.steps).map((subAgent) => ({
          path: `${project}/subagents/${source.id}/agent-${agentId(subAgent)}.jsonl`,
          ...subAgentLines(source, subAgent),
        })),
      }
    },
    marked: (head, treelog) => ({ ...head, treelog }),
  }
  return copySession(session, target, options)
}

/** How Qwen Code names the folder of a project. */
function projectOf(cwd: string): string {
  return (process.platform === "win32" ? cwd.toLowerCase() : cwd).replaceAll(/[^a-zA-Z0-9]/g, "-")
}

/** What Qwen Code calls a sub-agent that is of no special kind. */
const SUB_AGENT = "general-purpose"

function agentId({ call }: WrittenSubAgent): string {
  return `${SUB_AGENT}-${call}`
}

function subAgentLines(source: CopySource, subAgent: WrittenSubAgent): CopyLines {
  const [head = {}, ...body] = new QwenRecords(source, subAgent).of(subAgent.steps)
  return { head: [head], body }
}

/** The records of a session. Each hangs on the one before; the first has its title. */
class QwenRecords {
  readonly #source: CopySource
  /** The sub-agent whose records they are. */
  readonly #subAgent: WrittenSubAgent | undefined
  /** Of the session, or of the sub-agent. */
  readonly #id: string
  readonly #parts: WrittenParts
  readonly #records: Json[] = []
  #last: string | null = null

  constructor(source: CopySource, subAgent: WrittenSubAgent | undefined) {
    this.#source = source
    this.#subAgent = subAgent
    this.#id = subAgent ? subAgentId(source, subAgent) : source.id
    this.#parts = new WrittenParts(source.from, "qwen")
  }

  of(steps: readonly WrittenStep[]): readonly Json[] {
    const { started, name, title: ofSession } = this.#source
    const { title: customTitle } = this.#subAgent ?? { title: ofSession }
    const titleSource = this.#subAgent || name !== undefined ? "manual" : "auto"
    const systemPayload = { customTitle, titleSource }
    const title = { type: "system", subtype: "custom_title", systemPayload }
    this.#add(derivedUuid(this.#id, "title"), Date.parse(started), title)
    for (const step of inOrderOfCalls(steps)) {
      if (step.kind === "compaction") {
        const compressedHistory = inOrderOfCalls(step.kept)
          .map((one) => ({ role: roleOf(one), parts: this.#parts.of(one) }))
          .filter(({ parts }) => parts.length > 0)
        const info = { originalTokenCount: step.tokensBefore, newTokenCount: 0, compressionStatus: 1 }
        const systemPayload = { info, compressedHistory }
        const compression = { type: "system", subtype: "chat_compression", systemPayload }
        this.#add(derivedUuid(this.#id, step.entry), step.time, compression)
      } else this.#said(step)
    }
    return this.#records
  }

  #said(one: WrittenSaid): void {
    const { entry, part, time } = one.step
    const parts = this.#parts.of(one)
    if (parts.length === 0) return
    const uuid = derivedUuid(this.#id, entry, String(part))
    const said = { message: { role: roleOf(one), parts } }
    if (one.kind === "reply") this.#add(uuid, time, { type: "assistant", model: one.message.model, ...said })
    else if (one.kind === "result") this.#add(uuid, time, { type: "tool_result", ...said, toolCallResult: shown(one) })
    else {
      const displayText = one.typed
      this.#add(uuid, time, { type: "user", ...said, ...(displayText && { systemPayload: { displayText } }) })
    }
  }

  #add(uuid: string, time: number, fields: Json): void {
    const { id: sessionId, cwd, version } = this.#source
    const timestamp = new Date(time).toISOString()
    const of = this.#subAgent && { agentId: agentId(this.#subAgent), agentName: SUB_AGENT, isSidechain: true }
    this.#records.push({ uuid, parentUuid: this.#last, sessionId, timestamp, ...fields, cwd, version, ...of })
    this.#last = uuid
  }
}

/** Steps in which the results of a reply have the order of its calls: Qwen Code brings others into an order that is neither theirs nor that of the calls. */
function inOrderOfCalls<One extends WrittenStep>(steps: readonly One[]): One[] {
  const places = new Map<string, number>()
  const ordered: One[] = []
  let results: Extract<One, WrittenResult>[] = []
  const endResults = (): void => {
    const times = results.map(({ step }) => step.time)
    results.sort((one, other) => (places.get(one.call) ?? -1) - (places.get(other.call) ?? -1))
    ordered.push(...results.map((one, at) => ({ ...one, step: { ...one.step, time: times[at] ?? one.step.time } })))
    results = []
  }
  for (const one of steps) {
    if (one.kind === "result") {
      results.push(one as Extract<One, WrittenResult>)
      continue
    }
    endResults()
    ordered.push(one)
    if (one.kind === "reply")
      for (const block of one.blocks) if (block.type === "toolCall") places.set(block.id, places.size)
  }
  endResults()
  return ordered
}

/** What the screen has of a result. */
function shown({ call: callId, blocks, isFailed, subAgent }: WrittenResult): Json {
  const [status, text] = [isFailed ? "error" : "success", contentText(blocks)]
  if (!subAgent) return { callId, status, resultDisplay: text }
  const task = { type: "task_execution", subagentName: SUB_AGENT, taskDescription: subAgent.title }
  return { callId, status, resultDisplay: { ...task, status: isFailed ? "failed" : "completed", result: text } }
}

function roleOf({ kind }: WrittenSaid): "model" | "user" {
  return kind === "reply" ? "model" : "user"
}
