import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { type AgentDefinition, openAgentStorage } from "@treelog/agents/kit"
import { loadDriver } from "@treelog/index-sqlite"
import { SessionManager } from "@treelog/session-core"
import { MemorySessionIndex, parseQuery } from "@treelog/session-core/search"
import { onTestFinished } from "vitest"

type Fields = Readonly<Record<string, unknown>>

/** The folder of an agent with these files: texts, or records, of which each gets a line. */
export async function inFolder(agent: AgentDefinition, files: Readonly<Record<string, string | readonly Fields[]>>) {
  const dir = await mkdtemp(join(tmpdir(), `treelog-${agent.place.name}-`))
  onTestFinished(() => rm(dir, { recursive: true }))
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(dir, path)), { recursive: true })
    await writeFile(join(dir, path), typeof content === "string" ? content : linesOf(content))
  }
  const storage = openAgentStorage(agent, { dir, cacheDir: null, env: {}, loadDriver })
  const sessions = new SessionManager({ storage })
  return {
    dir,
    storage,
    sessions,
    contextOf: async (path: string) => (await sessions.readContext(join(dir, path))).messages,
    async listed() {
      const infos = []
      for await (const info of sessions.listAll()) infos.push(info)
      return infos
    },
    /** The names of the parts of a session, as its copies have them. */
    async copiedParts(path: string) {
      const names: string[] = []
      for await (const { name, chunks = [] } of storage.artifacts(join(dir, path))) {
        for await (const _ of chunks);
        names.push(name)
      }
      return names
    },
    /** How many messages of a search have these words. */
    async found(words: string) {
      const index = new MemorySessionIndex(storage)
      await index.update()
      return (await index.search(parseQuery(words, 0))).sessions.flatMap(({ hits }) => hits).length
    },
    async usage() {
      const index = new MemorySessionIndex(storage)
      await index.update()
      return (await index.usage({}))[0]?.totals
    },
  }
}

export function linesOf(records: readonly Fields[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join("")
}

/** What each message of a context says, in short. */
export function shortly(messages: readonly object[]): string[] {
  return messages.map((message) => {
    const { role, content, summary } = message as { role: string; content?: { text?: string }[]; summary?: string }
    return `${role}: ${summary ?? content?.map(({ text }) => text ?? "").join("") ?? ""}`
  })
}
