import { join } from "node:path"
import type { Session } from "@treelog/session-core"
import { agentFolder, type Json } from "@treelog-internal/agent-files"
import {
  type CopySource,
  type CopyTarget,
  copySession,
  derivedUuid,
  isThere,
  nodeFs,
  type SaidStep,
  type Step,
  typedPrompt,
  type WriteSessionOptions,
  type WrittenSession,
} from "@treelog-internal/agent-files/write"
import { resultIn, WrittenParts } from "../write/contents.js"
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
    folder,
    version: TRIED,
    async placeOf({ id, cwd }) {
      const chats = join(folder, "projects", projectOf(cwd), "chats")
      const archived = join(chats, "archive", `${id}.jsonl`)
      return (await isThere(fs, archived)) ? archived : join(chats, `${id}.jsonl`)
    },
    linesOf: (source) => new QwenRecords(source).lines(),
    marked: (head, treelog) => ({ ...head, treelog }),
  }
  return copySession(session, target, options)
}

/** How Qwen Code names the folder of a project. */
function projectOf(cwd: string): string {
  return (process.platform === "win32" ? cwd.toLowerCase() : cwd).replaceAll(/[^a-zA-Z0-9]/g, "-")
}

/** The records of a session. Each hangs on the one before; the first has its title. */
class QwenRecords {
  readonly #source: CopySource
  readonly #parts: WrittenParts
  readonly #records: Json[] = []
  #last: string | null = null

  constructor(source: CopySource) {
    this.#source = source
    this.#parts = new WrittenParts(source, "qwen")
  }

  lines(): ReturnType<CopyTarget["linesOf"]> {
    const { id, started, name, title: customTitle, steps } = this.#source
    const systemPayload = { customTitle, titleSource: name === undefined ? "auto" : "manual" }
    const title = { type: "system", subtype: "custom_title", systemPayload }
    this.#add(derivedUuid(id, "title"), Date.parse(started), title)
    for (const step of inOrderOfCalls(steps)) this.#step(step)
    const [head = {}, ...body] = this.#records
    return { head: [head], body }
  }

  #step(step: Step): void {
    const { id, pieces } = this.#source
    if (step.kind === "compaction") {
      const compressedHistory = inOrderOfCalls(step.context)
        .filter(({ isOfProgram }) => !isOfProgram)
        .map((one) => ({ role: roleOf(one), parts: this.#parts.of(one, false) }))
        .filter(({ parts }) => parts.length > 0)
      const info = { originalTokenCount: step.tokensBefore, newTokenCount: 0, compressionStatus: 1 }
      const systemPayload = { info, compressedHistory }
      pieces.count(step.entry, "compactions", "preserved")
      this.#add(derivedUuid(id, step.entry), step.time, { type: "system", subtype: "chat_compression", systemPayload })
    } else if (step.isOfProgram) pieces.count(step.entry, "text", "dropped", "what its agent says by itself")
    else this.#said(step)
  }

  #said(step: SaidStep): void {
    const { entry, part, message, time } = step
    const parts = this.#parts.of(step, true)
    if (parts.length === 0) return
    const uuid = derivedUuid(this.#source.id, entry, String(part))
    const said = { message: { role: roleOf(step), parts } }
    if (message.role === "assistant") this.#add(uuid, time, { type: "assistant", model: message.model, ...said })
    else if (message.role === "toolResult") {
      const { id: callId, text: resultDisplay } = resultIn(parts)
      const toolCallResult = { callId, status: message.isError ? "error" : "success", resultDisplay }
      this.#add(uuid, time, { type: "tool_result", ...said, toolCallResult })
    } else {
      const displayText = typedPrompt(step)
      this.#add(uuid, time, { type: "user", ...said, ...(displayText && { systemPayload: { displayText } }) })
    }
  }

  #add(uuid: string, time: number, fields: Json): void {
    const { id: sessionId, cwd, version } = this.#source
    const timestamp = new Date(time).toISOString()
    this.#records.push({ uuid, parentUuid: this.#last, sessionId, timestamp, ...fields, cwd, version })
    this.#last = uuid
  }
}

/** Steps in which the results of a reply have the order of its calls: Qwen Code brings others into an order that is neither theirs nor that of the calls. */
function inOrderOfCalls<One extends Step>(steps: readonly One[]): One[] {
  const places = new Map<string, number>()
  let place = 0
  const placeOf = (step: Step): number | undefined =>
    step.kind === "said" && step.message.role === "toolResult" ? (places.get(step.message.toolCallId) ?? -1) : undefined
  const ordered: One[] = []
  let results: One[] = []
  const endResults = (): void => {
    const times = results.map(({ time }) => time)
    results.sort((one, other) => (placeOf(one) ?? 0) - (placeOf(other) ?? 0))
    ordered.push(...results.map((step, at) => ({ ...step, time: times[at] ?? step.time })))
    results = []
  }
  for (const step of steps) {
    if (placeOf(step) !== undefined) {
      results.push(step)
      continue
    }
    endResults()
    ordered.push(step)
    if (step.kind === "said" && step.message.role === "assistant")
      for (const block of step.message.content)
        if (block.type === "toolCall") places.set(String((block as Json).id), place++)
  }
  endResults()
  return ordered
}

function roleOf({ message }: SaidStep): "model" | "user" {
  return message.role === "assistant" ? "model" : "user"
}
