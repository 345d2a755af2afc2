import type { Session, SessionManager, SessionStorage } from "@treelog/session-core"
import { inflateSession, migrateSession, moveSession, repairSession } from "@treelog/session-core/maintenance"
import fc from "fast-check"
import { assistantMessage, toolResultMessage, userMessage } from "./messages.js"
import { bytesOf } from "./session-text.js"

/** Few words, so that texts share them, in several scripts. */
const WORDS = [
  "retry",
  "flaky",
  "retryPolicy",
  "Café",
  "test",
  "修复重试",
  "テスト",
  "clock",
  "x",
  "src/retry.ts",
] as const

const phrase = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 5 }).map((words) => words.join(" "))

/** What happens to a store: to one of its sessions, counted round, or to the store. */
export interface StoreStep {
  readonly act: (typeof ACTS)[number]
  readonly at: number
  readonly text: string
}

const ACTS = [
  "create",
  "create old",
  "append",
  "branch",
  "compact",
  "fork",
  "rename",
  "label",
  "move",
  "delete",
  "migrate",
  "repair",
  "slim",
  "append elsewhere",
  "tear",
  "break",
] as const

export const storeSteps: fc.Arbitrary<StoreStep[]> = fc.array(
  fc.record({ act: fc.constantFrom(...ACTS), at: fc.nat(20), text: phrase }),
  { minLength: 1, maxLength: 14 },
)

/** Queries of which many find something in such a store. */
export const storeQueries: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      fc.constantFrom(...WORDS),
      phrase.map((text) => `"${text}"`),
      fc.constantFrom(...WORDS).map((word) => `-${word}`),
      fc.constantFrom(...WORDS).map((word) => word.slice(0, 3)),
      fc.constantFrom(...WORDS).map((word) => word.slice(1)),
      fc.constantFrom(...WORDS).map((word) => `${word.slice(0, 2)}*`),
      fc.constantFrom(
        "role:user",
        "role:tool",
        "role:summary",
        "tool:edit",
        "file:retry.ts",
        "name:flaky",
        "model:claude",
      ),
      fc.constantFrom("since:2026-03-05", "until:2026-03-10", "project:shop", "label:test", "->", '"'),
    ),
    { minLength: 1, maxLength: 3 },
  )
  .map((parts) => parts.join(" "))

const FOLDERS = ["/home/dev/shop", "/home/dev/blog"] as const

/** Does to a store what people, agents and accidents do. */
export class StoreProgram {
  readonly #sessions: SessionManager
  readonly #storage: SessionStorage
  #count: number

  /** @param count where the numbers in its ids begin, which are others in each of several stores */
  constructor(sessions: SessionManager, storage: SessionStorage, count = 0) {
    this.#sessions = sessions
    this.#storage = storage
    this.#count = count
  }

  async run({ act, at, text }: StoreStep): Promise<void> {
    if (act === "create") return this.#create(text, at)
    if (act === "create old") return this.#createOld(text)
    const keys = await this.#keys()
    const key = keys[at % keys.length]
    if (key === undefined) return this.#create(text, at)
    if (act === "append elsewhere") return this.#appendRaw(key, `\n${lineOf(text, this.#count++)}`)
    if (act === "tear") return this.#appendRaw(key, lineOf(text, this.#count++).slice(0, 20 + at * 3))
    if (act === "break") return this.#appendRaw(key, `\n{"type":"message","id":"broken${this.#count++}"{\n`)
    if (act === "delete") return this.#sessions.delete(key)
    if (act === "migrate") return void (await migrateSession(this.#sessions, key))
    if (act === "repair") return void (await repairSession(this.#sessions, key))
    if (act === "slim") return void (await inflateSession(this.#sessions, key))
    if (act === "move") return void (await moveSession(this.#sessions, key, FOLDERS[at % 2] as string))
    if (act === "fork") return (await this.#sessions.forkFrom(key, FOLDERS[at % 2] as string)).close()
    const session = await this.#sessions.open(key)
    await this.#change(session, act, at, text)
    await session.close()
  }

  async #create(text: string, at: number): Promise<void> {
    const session = await this.#sessions.create(FOLDERS[at % 2] as string)
    await this.#change(session, "append", at, text)
    await session.close()
  }

  async #createOld(text: string): Promise<void> {
    const id = `old-${this.#count++}`
    const timestamp = "2026-03-01T08:00:00.000Z"
    const message = { role: "user", content: text, timestamp: 0 }
    const lines = [
      { type: "session", id, timestamp, cwd: FOLDERS[0] },
      { type: "message", timestamp, message },
    ]
    const key = this.#storage.keyFor({ cwd: FOLDERS[0], id, timestamp })
    const lease = await this.#storage.lease(key, { access: "exclusive", waitMs: 1000 })
    await lease.create([bytesOf(lines.map((line) => `${JSON.stringify(line)}\n`).join(""))])
    await lease.sync()
    await lease.release()
  }

  async #change(session: Session, act: StoreStep["act"], at: number, text: string): Promise<void> {
    const entries = session.getEntries()
    const entry = entries[at % Math.max(1, entries.length)]
    if (act === "rename") session.appendSessionInfo(text)
    else if (act === "label" && entry) session.appendLabelChange(entry.id, text)
    else if (act === "branch" && entry) session.branch(entry.id)
    else if (act === "compact" && entry)
      session.append({ type: "compaction", summary: text, tokensBefore: 10, firstKeptEntryId: entry.id })
    const cost = { input: 0, output: 0.25, cacheRead: 0, cacheWrite: 0, total: 0.25 }
    const usage = { input: 2, output: 1, cacheRead: 0, cacheWrite: 0, totalTokens: 3, cost }
    const call = { type: "toolCall", id: `call-${at}`, name: "edit", arguments: { path: text.split(" ")[0] ?? "" } }
    session.appendMessage(userMessage(text))
    const [content, responseId] = [[{ type: "text", text }, call], `resp_${String(this.#count++).padStart(8, "0")}`]
    session.appendMessage(assistantMessage(`${text} done`, { usage, content, responseId }))
    session.appendMessage(toolResultMessage(text, { toolName: "edit" }))
  }

  async #appendRaw(key: string, text: string): Promise<void> {
    const stat = await this.#storage.stat(key)
    if (!stat) return
    const lease = await this.#storage.lease(key, { access: "exclusive", waitMs: 1000 })
    await lease.append(bytesOf(text), stat)
    await lease.sync()
    await lease.release()
  }

  async #keys(): Promise<string[]> {
    const keys: string[] = []
    for await (const { key, error } of this.#storage.list()) if (!error) keys.push(key)
    return keys.sort()
  }
}

function lineOf(text: string, count: number): string {
  const message = { role: "user", content: text, timestamp: 0 }
  const entry = { type: "message", id: `raw${count}`, parentId: null, timestamp: "2026-03-07T08:00:00.000Z", message }
  return `${JSON.stringify(entry)}\n`
}
