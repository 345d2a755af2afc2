import { randomUUID } from "node:crypto"
import { closeSync, fdatasyncSync, openSync, writeSync } from "node:fs"
import { join } from "node:path"
import type { Message } from "@treelog/session-core"
import { type ByPiCalls, besidePeers } from "../contenders/peers.js"
import { loadTreelog } from "../contenders/treelog.js"
import { sessionIn } from "../data/case-files.js"
import { MANY_MESSAGES, realMessages, smallMessages } from "../data/messages.js"
import { storedMessages } from "../data/stored-messages.js"
import type { Case, Contender, Question } from "../question.js"
import { work } from "../work.js"

/** What is appended. It is made before the measuring. */
type Messages = (folder: string) => object[]

const real =
  (count: number): Messages =>
  (folder) =>
    realMessages(sessionIn(folder), count)

const small =
  (count: number): Messages =>
  () =>
    smallMessages(count)

/** Appends one after the other; after every group of so many, and at the end, all of it has to be stored. */
function treelog(
  messages: Messages,
  persist: "message" | "synced" | "unsynced",
  group = Number.POSITIVE_INFINITY,
): Contender {
  return async (folder, scratch) => {
    const all = messages(folder) as Message[]
    const sessions = await loadTreelog(scratch)
    const session = await sessions.create("/home/dev/shop", { persist })
    return work(
      async () => {
        for (const [index, message] of all.entries()) {
          session.appendMessage(message)
          if ((index + 1) % group === 0) await session.flush()
        }
        await session.flush()
      },
      () => storedMessages(session.getSessionFile() ?? ""),
    )
  }
}

/** Writes each entry when it is appended, and syncs nothing. */
function byPi(messages: Messages): ByPiCalls {
  return async (managers, folder, scratch) => {
    const all = messages(folder)
    const session = managers.create("/home/dev/shop", scratch)
    return work(
      () => {
        for (const message of all) session.appendMessage(message)
      },
      () => storedMessages(session.getSessionFile()),
    )
  }
}

/** The least that stores the same lines in the same batches: one write and one fdatasync for each. */
function bare(messages: Messages, group = Number.POSITIVE_INFINITY): Contender {
  return async (folder, scratch) => {
    const all = messages(folder)
    const path = join(scratch, "bare.jsonl")
    return work(
      () => {
        const file = openSync(path, "a", 0o600)
        let batch = ""
        let parentId: string | null = null
        for (const [index, message] of all.entries()) {
          const id = randomUUID().slice(0, 8)
          const head = { type: "message", id, parentId, timestamp: new Date().toISOString() }
          batch += `${JSON.stringify({ ...head, message })}\n`
          parentId = id
          if ((index + 1) % group > 0 && index + 1 < all.length) continue
          writeSync(file, batch)
          fdatasyncSync(file)
          batch = ""
        }
        closeSync(file)
      },
      () => storedMessages(path),
    )
  }
}

function flushCase(name: string, messages: Messages): Case {
  const own: Case = {
    name: `10k ${name} messages, then flush`,
    size: 10_000,
    data: { "session.jsonl": MANY_MESSAGES },
    contenders: {
      treelog: treelog(messages, "message"),
      "treelog, none": treelog(messages, "unsynced"),
    },
    probes: { "one write, fdatasync": bare(messages) },
    bars: [
      { contender: "treelog", beside: "pi", atLeast: 1.5 },
      { contender: "treelog, none", beside: "pi", atLeast: 2 },
    ],
  }
  return besidePeers(own, byPi(messages))
}

function alwaysCase(name: string, count: number, messages: Messages, group: number): Case {
  return {
    name: `${name}, always synced`,
    size: count,
    data: { "session.jsonl": MANY_MESSAGES },
    contenders: { "treelog, always": treelog(messages, "synced", group), bare: bare(messages, group) },
    bars: [{ contender: "treelog, always", beside: "bare", atMost: 1.3 }],
  }
}

export const append: Question = {
  name: "append",
  asks: "How long does it take to append to a new session, entry by entry?",
  rounds: 7,
  cases: [
    flushCase("real", real(10_000)),
    flushCase("small", small(10_000)),
    alwaysCase("10k real messages in groups of 64", 10_000, real(10_000), 64),
    alwaysCase("10k small messages in groups of 64", 10_000, small(10_000), 64),
    alwaysCase("1k small messages one by one", 1_000, small(1_000), 1),
  ],
}
