// An agent whose conversations outlive it: a loop with tools, compaction, going back, images as blobs, and a history of
// prompts. Type to it; stop it anywhere, and start it again with the same folder: it continues where it was.
//
//   npm run example -- embed-in-an-agent ./agent

import { join } from "node:path"
import { createInterface } from "node:readline"
import { FileBlobStore } from "@treelog/blob-store"
import { SqlitePromptHistory } from "@treelog/history-sqlite"
import { type AssistantMessage, type ContentBlock, isEntry, messageText, SessionManager } from "@treelog/session-core"
import { compact, navigateTo, type Summarizer, shouldCompact } from "@treelog/session-core/compaction"
import { toAnthropicMessages } from "@treelog/session-core/messages"
import { FileSessionStorage } from "@treelog/storage-fs"
import { askFakeModel, type FakeAnswer, WINDOW } from "./fake-model.js"

const agentDir = process.argv[2] ?? "./agent"
const [cwd, now] = [process.cwd(), () => Date.now()]
const settings = { enabled: true, reserveTokens: 4_000, keepRecentTokens: 2_000 }

const storage = new FileSessionStorage({ agentDir })
const blobs = new FileBlobStore(join(agentDir, "blobs")) // pictures and very long texts, each once
const history = new SqlitePromptHistory({ path: join(agentDir, "history.db") }) // leave it out where prompts are not searched
const sessions = new SessionManager({ storage, blobs })
const session = await sessions.continueRecent(cwd) // the one that this terminal left, else the newest, else a new one
console.log(`${session.getEntries().length} entries so far.`)

/** What the tools give is content of a message: text, or a picture as base64. */
const tools: Record<string, () => ContentBlock[]> = {
  look: () => [{ type: "image", mimeType: "image/png", data: Buffer.alloc(30_000, 7).toString("base64") }],
  read: () => [{ type: "text", text: "All work and no play. ".repeat(1_500) }],
}

/** Converts an answer of the provider to a message of the session. `toAnthropicMessages` is the reverse. */
function asMessage({ content, usage }: FakeAnswer): AssistantMessage {
  const blocks = content.map((block) =>
    block.type === "text" ? block : { type: "toolCall", id: block.id, name: block.name, arguments: block.input },
  )
  const spent = { input: usage.input_tokens, output: usage.output_tokens, cacheRead: 0, cacheWrite: 0 }
  return { role: "assistant", provider: "anthropic", model: "fake", content: blocks, usage: spent, timestamp: now() }
}

/** Asks the model until it calls no more tools. Appends cost nothing; what was flushed outlives a crash. */
async function answer(prompt: string): Promise<string> {
  history.add(prompt, { cwd, sessionId: session.getSessionId() }) // never waits, never throws
  session.appendMessage({ role: "user", content: prompt })
  for (;;) {
    if (shouldCompact(session, { contextWindow: WINDOW, settings }))
      console.log((await compact(session, summarizer, { settings })).status)
    const context = await session.readContext() // from the last compaction on, with its images restored
    const reply = asMessage(await askFakeModel(toAnthropicMessages(context)))
    session.appendMessage(reply)
    const calls = reply.content.filter((block) => block.type === "toolCall") as { id: string; name: string }[]
    for (const { id, name } of calls) {
      const content = tools[name]?.() ?? [{ type: "text", text: `There is no tool ${name}.` }]
      session.appendMessage({ role: "toolResult", toolCallId: id, toolName: name, content })
    }
    await session.flush() // on the disk, synced
    if (calls.length === 0) return messageText(reply)
  }
}

/** The summarizer is yours: any model, with the prompt as it comes or another one. */
const summarizer: Summarizer = async ({ systemPrompt, prompt }) => {
  const asked = [{ role: "user" as const, content: [{ type: "text" as const, text: prompt }] }]
  const answer = asMessage(await askFakeModel({ system: systemPrompt, messages: asked }))
  return { text: messageText(answer), usage: answer.usage }
}

/** Back to before the last prompt, as people do who want to say it differently. What is left stays in the tree. */
async function goBack(): Promise<string> {
  const path = session.getBranch().reverse()
  const asked = path.find((entry) => isEntry(entry, "message") && entry.message.role === "user")
  if (!asked) return "There is nothing to go back from."
  const moved = await navigateTo(session, asked.id, { summarize: summarizer })
  return moved.status === "moved" ? `Before "${moved.editorText}".` : moved.status
}

for await (const line of createInterface({ input: process.stdin }))
  console.log(line === "/back" ? await goBack() : await answer(line))
await history.close()
await session.close()
