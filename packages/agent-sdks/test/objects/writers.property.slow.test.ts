import { ClaudeSessionStore } from "@treelog/agent-sdks/claude"
import { CopilotSessionFs } from "@treelog/agent-sdks/copilot"
import { OpenAISession } from "@treelog/agent-sdks/openai"
import type { SessionStorage } from "@treelog/session-core"
import { tries } from "@treelog-internal/test-kit"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { removeFoldersAfterAll, reopened, STORAGES } from "../storages.js"

removeFoldersAfterAll()

/** What a writer appends in one call. */
interface Batch {
  readonly writer: number
  readonly texts: readonly string[]
}

/** An adapter, opened by one of several writers. */
interface Opened {
  append(batch: Batch): Promise<void>
  /** All batches that are stored, in order. */
  read(): Promise<Batch[]>
}

const KEY = { projectKey: "p", sessionId: "s" }

const ADAPTERS: Readonly<Record<string, (storage: SessionStorage) => Opened>> = {
  claude: (storage) => {
    const store = new ClaudeSessionStore({ storage })
    return {
      append: (batch) => store.append(KEY, [{ type: "batch", batch }]),
      read: async () => ((await store.load(KEY)) ?? []).map(({ batch }) => batch as Batch),
    }
  },
  openai: (storage) => {
    const session = new OpenAISession<Batch>({ storage, sessionId: "s" })
    return { append: (batch) => session.addItems([batch]), read: () => session.getItems() }
  },
  copilot: (storage) => {
    const files = new CopilotSessionFs({ storage, sessionId: "s" })
    return {
      append: (batch) => files.appendFile("/events.jsonl", `${JSON.stringify(batch)}\n`),
      read: async () =>
        (await files.readFile("/events.jsonl")).split("\n").flatMap((line) => (line === "" ? [] : JSON.parse(line))),
    }
  },
}

const text = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.constantFrom("\0", "\ud800", "\u2028\n\r", "\ufeff", "日本 \u{1F600}"),
)
const batches = fc.array(fc.array(text, { maxLength: 3 }), { minLength: 1, maxLength: 5 })

describe.each(STORAGES)("several writers %s", (kind) => {
  test.each(Object.entries(ADAPTERS))(
    "lose nothing, and the batches of each stay in its order: %s",
    async (_, open) => {
      const runs = tries(kind === "in memory" ? 6 : 2)
      await fc.assert(
        fc.asyncProperty(fc.array(batches, { minLength: 1, maxLength: 4 }), async (writers) => {
          const storage = reopened(kind)
          const appended = writers.map((texts, writer) => texts.map((texts) => ({ writer, texts })))
          await Promise.all(
            appended.map((own) => {
              const opened = open(storage())
              return Promise.all(own.map((batch) => opened.append(batch)))
            }),
          )
          const stored = await open(storage()).read()
          expect(writers.map((_, writer) => stored.filter((batch) => batch.writer === writer))).toEqual(appended)
          expect(stored).toHaveLength(appended.flat().length)
        }),
        { numRuns: runs },
      )
    },
  )

  test.each(Object.entries(ADAPTERS))("read what they store, also megabytes at once: %s", async (_, open) => {
    const storage = reopened(kind)
    const batch = { writer: 0, texts: ["x\u{1F600}\0".repeat(200_000)] }
    await open(storage()).append(batch)
    await open(storage()).append(batch)
    expect(await open(storage()).read()).toEqual([batch, batch])
  })

  test("read whole files while another writer replaces them", async () => {
    const storage = reopened(kind)
    const files = new CopilotSessionFs({ storage: storage(), sessionId: "s" })
    const other = new CopilotSessionFs({ storage: storage(), sessionId: "s" })
    const contents = Array.from({ length: 30 }, (_, index) => String(index).repeat(1 + (index % 7)))
    await files.writeFile("/plan.md", contents[0] ?? "")
    const written = contents.reduce(
      (last, content) => last.then(() => files.writeFile("/plan.md", content)),
      Promise.resolve(),
    )
    let isWritten = false
    const end = written.finally(() => (isWritten = true))
    const read: string[] = []
    while (!isWritten) read.push(await other.readFile("/plan.md"))
    await end
    expect(read.filter((content) => !contents.includes(content))).toEqual([])
    expect(await other.readFile("/plan.md")).toBe(contents.at(-1))
  })
})
