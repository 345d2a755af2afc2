import { createHash } from "node:crypto"
import { join, resolve } from "node:path"
import { contentText, type Session } from "@treelog/session-core"
import { agentFolder, type Json, objectsIn } from "@treelog-internal/agent-files"
import {
  type CopySource,
  type CopyTarget,
  copySession,
  derivedUuid,
  nodeFs,
  subAgentId,
  subAgentsIn,
  type WriteSessionOptions,
  type WrittenBlock,
  type WrittenResult,
  type WrittenSaid,
  type WrittenSession,
  type WrittenStep,
} from "@treelog-internal/agent-files/write"
import { WrittenParts } from "../write/contents.js"
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
    rules: {
      thought: ({ thinking }) =>
        thinking === "" ? ["dropped", "sealed for its own model"] : ["evidence", "shown, and not sent"],
      promptReason: (blocks) =>
        isLeftOut(blocks) ? `begins with "${WORD}": Gemini CLI leaves it out as it was` : undefined,
    },
    folder,
    version: TRIED,
    async placeOf({ id, cwd, started }) {
      const minute = started.slice(0, 16).replaceAll(":", "-")
      return join(await projectFolder(fs, folder, cwd), "chats", `session-${minute}-${id.slice(0, 8)}.jsonl`)
    },
    linesOf: (source) => ({
      head: [headOf(source, source.id, "main")],
      body: new GeminiRecords(source, source.id).of(source.steps),
      parts: subAgentsIn(source.steps).map((subAgent) => {
        const id = subAgentId(source, subAgent)
        const body = new GeminiRecords(source, id).of(subAgent.steps)
        return {
          path: `${source.id}/${id}.jsonl`,
          head: [headOf(source, id, "subagent")],
          body,
        }
      }),
    }),
    marked: (head, treelog) => ({ ...head, treelog }),
    register: async ({ cwd }) => claimProject(fs, await projectFolder(fs, folder, cwd), cwd),
  }
  return copySession(session, target, options)
}

/** The first line. A session whose last change is 30 days ago is removed when Gemini CLI starts: a copy was changed when it was written. */
function headOf({ cwd, started, title }: CopySource, sessionId: string, kind: "main" | "subagent"): Json {
  const projectHash = createHash("sha256").update(resolve(cwd)).digest("hex")
  const head = { sessionId, projectHash, startTime: started, lastUpdated: new Date().toISOString(), kind }
  return { ...head, ...(kind === "main" && { summary: title }) }
}

/** What stands before it, so that it is sent. */
const WORD = "Prompt: "

function isLeftOut(blocks: readonly WrittenBlock[]): boolean {
  const text = blocks.find(({ type }) => type === "text")
  return text?.type === "text" && LEFT_OUT.test(text.text)
}

/** The records of a session. The results of calls stand with these. */
class GeminiRecords {
  readonly #source: CopySource
  readonly #id: string
  readonly #parts: WrittenParts
  /** The last call with each id. */
  readonly #calls = new Map<unknown, Json>()

  /** @param id of the session, or of the sub-agent */
  constructor(source: CopySource, id: string) {
    this.#source = source
    this.#id = id
    this.#parts = new WrittenParts(source.from, "gemini")
  }

  of(steps: readonly WrittenStep[]): Json[] {
    const lines: Json[] = []
    for (const step of steps) {
      if (step.kind !== "compaction") {
        const { entry, part } = step.step
        this.#add(lines, step, derivedUuid(this.#id, entry, String(part)))
        continue
      }
      const messages: Json[] = []
      for (const one of step.kept)
        this.#add(messages, one, derivedUuid(this.#id, step.entry, one.step.entry, String(one.step.part)))
      // Nothing else distinguishes a summary from a prompt that took the place of others.
      if (messages[0]) messages[0].treelog = "summary"
      lines.push({ $set: { messages } })
    }
    return lines
  }

  #add(records: Json[], said: WrittenSaid, id: string): void {
    const timestamp = new Date(said.step.time).toISOString()
    const record = { id, timestamp }
    const parts = this.#parts.of(said)
    if (parts.length === 0) return
    if (said.kind === "reply")
      records.push({ ...record, type: "gemini", ...this.#replied(parts, timestamp), model: said.message.model })
    else if (said.kind === "result") this.#answer(said, parts, timestamp)
    else {
      const displayContent = said.typed !== undefined && { displayContent: [{ text: said.typed }] }
      // Gemini CLI says something between results and a prompt, but not when it goes on with a session.
      const isBehindResults = objectsIn(records.at(-1)?.toolCalls).length > 0
      const content = isLeftOut(said.blocks) ? [{ text: WORD }, ...parts] : parts
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

  #answer({ call, blocks, isFailed, subAgent }: WrittenResult, parts: readonly Json[], timestamp: string): void {
    const text = contentText(blocks)
    const started = subAgent && {
      agentId: subAgentId(this.#source, subAgent),
      resultDisplay: { isSubagentProgress: true, agentName: subAgent.title, recentActivity: [], state: "completed" },
    }
    const result = { status: isFailed ? "error" : "success", timestamp, result: parts, resultDisplay: text, ...started }
    Object.assign(this.#calls.get(call) ?? {}, result)
  }
}
