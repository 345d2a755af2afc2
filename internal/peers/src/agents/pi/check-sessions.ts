import { isDeepStrictEqual } from "node:util"
import { SessionManager } from "@treelog/session-core"
import { kindOf } from "@treelog/session-core/adapter"
import { verifySession } from "@treelog/session-core/maintenance"
import { toAnthropicMessages } from "@treelog/session-core/messages"
import { MemorySessionIndex } from "@treelog/session-core/search"
import { FileSessionStorage } from "@treelog/storage-fs"
import { sentBlocks } from "../claude-code/sent-blocks.js"
import type { Findings } from "../frame/agent.js"
import { compareBlocks } from "../frame/compare-blocks.js"
import { collected } from "../frame/run-agent.js"
import type { Json } from "../model/blocks.js"
import type { ModelServer } from "../model/model-server.js"
import type { Pi } from "./pi.js"

/** What the server says of each answer. */
const ANSWER_TOKENS = 5

/** The kind of all entries that treelog does not know. */
const UNKNOWN = kindOf({ type: "no kind", id: "", parentId: null, timestamp: "" })

/**
 * Compares the context of each session with the last request for it, and sums with the responses of the model.
 * @param asStored a message that was sent without what is only sent
 */
export async function checkSessions(
  pi: Pi,
  model: ModelServer,
  prompts: readonly string[],
  asStored: (message: Json) => Json,
): Promise<Findings> {
  const storage = new FileSessionStorage({ agentDir: pi.folder, preset: pi.program, cacheDir: null })
  const sessions = new SessionManager({ storage })
  const differences: string[] = []
  const unknown = new Set<string>()
  const listed = await collected(sessions.listAll())
  const found = listed.map(({ firstMessage }) => firstMessage)
  if (!isDeepStrictEqual(found, prompts)) differences.push(`listed are ${JSON.stringify(found)}`)
  for (const { id, path } of listed) {
    const add = (fault: string): void => void differences.push(`${listed.length > 1 ? `${id} ` : ""}${fault}`)
    for (const { message } of (await verifySession(sessions, path)).diagnostics) add(message)
    const session = await sessions.open(path, { access: "read" })
    for (const entry of session.getEntries()) if (kindOf(entry) === UNKNOWN) unknown.add(entry.type)
    const { messages } = await sessions.readContext(path)
    const read = toAnthropicMessages(messages, { repair: false, target: { provider: "local", model: "local-1" } })
      .messages as unknown as Json[]
    // The last answer was not sent yet.
    const last = read.map(({ role }) => role).lastIndexOf("assistant")
    const sent = ((pi.sent.get(id)?.messages ?? []) as Json[]).map(asStored)
    for (const fault of compareBlocks(sentBlocks(sent), sentBlocks(read.slice(0, last)))) add(fault)
  }
  const index = new MemorySessionIndex(storage)
  for (const { message } of (await index.update()).failed) differences.push(message)
  // A compaction can take two requests, whose usage pi adds up and omp does not store.
  const stored = model.requests.filter(({ tools }) => pi.program === "pi" || (tools as Json[] | undefined)?.length)
  const tokens = (await index.usage({})).reduce((sum, { totals }) => sum + totals.output, 0)
  const expected = stored.length * ANSWER_TOKENS
  if (tokens !== expected) differences.push(`${tokens} tokens of answers are counted, not ${expected}`)
  return { differences, unknown: [...unknown] }
}
