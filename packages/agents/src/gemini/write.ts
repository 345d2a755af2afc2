import { createHash } from "node:crypto"
import { join, resolve } from "node:path"
import type { Session } from "@treelog/session-core"
import { agentFolder, type Json, objectsIn } from "@treelog-internal/agent-files"
import {
  type CopySource,
  type CopyTarget,
  copySession,
  derivedUuid,
  nodeFs,
  type SaidStep,
  type WriteSessionOptions,
  type WrittenSession,
} from "@treelog-internal/agent-files/write"
import { resultIn, typedPrompt, WrittenParts } from "../write/contents.js"
import { LEFT_OUT } from "./messages.js"
import { gemini } from "./place.js"
import { claimProject, projectFolder } from "./project-folder.js"

/** The version of Gemini CLI that written sessions were tried with. */
const TRIED = "0.61.0"

/**
 * Writes a session of any agent as one of Gemini CLI, which Gemini CLI lists, opens and goes on with: what was said, calls with their results, images and
 * compactions of the branch that ends at its leaf, or at `leaf`. A session of Gemini CLI's own is never touched. Repeated, it adds what is new.
 * @returns where it is, and a receipt of what it has and has not
 * @throws EntryNotFoundError for `leaf`; InvalidArgumentError: nothing was said, or Gemini CLI was never used here; StorageError; SessionChangedError
 */
export function writeGemini(session: Session, options: WriteSessionOptions = {}): Promise<WrittenSession> {
  const { env = process.env, fs = nodeFs } = options
  const folder = agentFolder(env, gemini, options.dir)
  const target: CopyTarget = {
    agent: "gemini",
    folder,
    version: TRIED,
    async placeOf({ id, cwd, started }) {
      const minute = started.slice(0, 16).replaceAll(":", "-")
      return join(await projectFolder(fs, folder, cwd), "chats", `session-${minute}-${id.slice(0, 8)}.jsonl`)
    },
    linesOf: (source) => ({ head: [headOf(source)], body: new GeminiRecords(source).lines() }),
    marked: (head, treelog) => ({ ...head, treelog }),
    register: async ({ cwd }) => claimProject(fs, await projectFolder(fs, folder, cwd), cwd),
  }
  return copySession(session, target, options)
}

/** The first line. A session whose last change is 30 days ago is removed when Gemini CLI starts: a copy was changed when it was written. */
function headOf({ id, cwd, started, name }: CopySource): Json {
  const projectHash = createHash("sha256").update(resolve(cwd)).digest("hex")
  const head = { sessionId: id, projectHash, startTime: started, lastUpdated: new Date().toISOString(), kind: "main" }
  return { ...head, ...(name !== undefined && { summary: name }) }
}

/** What stands before it, so that it is sent. */
const WORD = "Prompt: "

/** The records of a session. The results of calls stand with these. */
class GeminiRecords {
  readonly #source: CopySource
  readonly #parts: WrittenParts
  /** The last call with each id. */
  readonly #calls = new Map<unknown, Json>()

  constructor(source: CopySource) {
    this.#source = source
    this.#parts = new WrittenParts(source, "gemini")
  }

  lines(): Json[] {
    const { id, steps, pieces } = this.#source
    const lines: Json[] = []
    for (const step of steps) {
      if (step.kind === "said") {
        const { entry, part, isOfProgram } = step
        if (isOfProgram) pieces.count(entry, "text", "dropped", "what its agent says by itself")
        else this.#add(lines, step, derivedUuid(id, entry, String(part)), true)
        continue
      }
      const messages: Json[] = []
      for (const one of step.context)
        if (!one.isOfProgram) this.#add(messages, one, derivedUuid(id, step.entry, one.entry, String(one.part)), false)
      // Nothing else tells a summary from a prompt that took the place of others.
      if (messages[0]) messages[0].treelog = "summary"
      lines.push({ $set: { messages } })
      pieces.count(step.entry, "compactions", "preserved")
    }
    return lines
  }

  #add(records: Json[], step: SaidStep, id: string, isCounted: boolean): void {
    const { entry, message, time } = step
    const record = { id, timestamp: new Date(time).toISOString() }
    const isPrompt = message.role !== "assistant" && message.role !== "toolResult"
    const [first] = isPrompt ? wordsOf(message.content) : []
    const isLeftOut = first !== undefined && LEFT_OUT.test(first)
    if (isLeftOut && isCounted)
      this.#source.pieces.count(entry, "text", "partial", `begins with "${WORD}": Gemini CLI leaves it out as it was`)
    const parts = this.#parts.of(step, isCounted)
    if (parts.length === 0) return
    if (message.role === "assistant")
      records.push({ ...record, type: "gemini", ...this.#replied(parts, record.timestamp), model: message.model })
    else if (message.role === "toolResult") this.#answer(parts, message.isError === true, record.timestamp)
    else {
      const typed = typedPrompt(step)
      const displayContent = typed !== undefined && { displayContent: [{ text: typed }] }
      // Gemini CLI says something between results and a prompt, but not when it goes on with a session.
      const isBehindResults = objectsIn(records.at(-1)?.toolCalls).length > 0
      const content = isLeftOut ? [{ text: WORD }, ...parts] : parts
      records.push({
        ...record,
        type: "user",
        content,
        ...displayContent,
        ...(isBehindResults && { treelog: "as-sent" }),
      })
    }
  }

  /** Calls stand beside the text, as they do until a session is gone on with, or among it where they have another order or signatures. */
  #replied(parts: readonly Json[], timestamp: string): Json {
    const thoughts = parts
      .filter(({ thought }) => thought)
      .map(({ text }) => ({ subject: "", description: text, timestamp }))
    const said = parts.filter(({ thought }) => !thought)
    const calls = said.filter(({ functionCall }) => functionCall)
    const isPlain = said.slice(said.length - calls.length).every(({ functionCall }) => functionCall)
    const isSigned = calls.some(({ thoughtSignature }) => thoughtSignature)
    const toolCalls = calls.map(({ functionCall }) => ({ ...(functionCall as Json), status: "success", timestamp }))
    for (const call of toolCalls) this.#calls.set((call as Json).id, call)
    return {
      content: isPlain && !isSigned ? said.filter(({ functionCall }) => !functionCall) : said,
      ...(thoughts.length > 0 && { thoughts }),
      ...(toolCalls.length > 0 && { toolCalls }),
    }
  }

  #answer(parts: readonly Json[], isError: boolean, timestamp: string): void {
    const { id, text: resultDisplay } = resultIn(parts)
    const result = { status: isError ? "error" : "success", timestamp, result: parts, resultDisplay }
    Object.assign(this.#calls.get(id) ?? {}, result)
  }
}

function wordsOf(content: SaidStep["message"]["content"]): string[] {
  return typeof content === "string"
    ? [content]
    : objectsIn(content).flatMap(({ text }) => (typeof text === "string" ? [text] : []))
}
