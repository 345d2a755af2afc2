import { basename, dirname, join } from "node:path"
import { isTreelogError } from "@treelog/session-core"
import { linesOf } from "@treelog/session-core/adapter"
import {
  FileFacts,
  type Json,
  objectIn,
  objectsIn,
  type RecordStore,
  recordsIn,
  type SourceRecord,
  type StoreOptions,
  sessionFiles,
  sessionsOfRows,
  unreadable,
  wholeFile,
} from "../kit.js"
import { conversationsOf, DOCUMENTS, recordsOf, rowsOf, timeOf } from "./conversations.js"

/** The commits of a store. What has no commit there is not stored; documents are in files beside it. */
const MAIN = "main.jsonl"

/** The conversations in folders with JSONL. */
export function jsonlSessions(options: StoreOptions): RecordStore {
  const files = sessionFiles(options, { paths: [`${options.sessions}/${MAIN}`, `${options.sessions}/*/${MAIN}`] })
  const facts = new FileFacts(options)
  const storeOf = (path: string, bytes: Uint8Array) => storeIn(bytes, (name) => documentIn(join(dirname(path), name)))

  async function sessionsAt(path: string) {
    const found = await facts.of(path, (bytes) => ({ rows: rowsOf(storeOf(path, bytes)) }))
    return sessionsOfRows(path, (found as { rows?: [] } | undefined)?.rows ?? [])
  }

  /** The present value of a document. */
  function documentIn(path: string): unknown {
    try {
      const lines = [...recordsOfLines(wholeFile(options.fs, path).bytes)]
      const payloads = lines.map((line) => ("value" in line && objectIn(line.value, "payload")) || {})
      const contents = payloads.map((payload) => objectIn(payload, "content"))
      return contents.filter((content) => content?.kind === "base").at(-1)?.value
    } catch (error) {
      if (isTreelogError(error, "SessionNotFoundError")) return undefined
      throw error
    }
  }

  return {
    async *list(filter) {
      for await (const found of files.list(filter))
        for (const file of found) {
          const [sessions] = await Promise.allSettled([file.error ? new Map([[file.key, file]]) : sessionsAt(file.key)])
          yield sessions.status === "fulfilled" ? [...sessions.value.values()] : [unreadable(file.key, sessions.reason)]
        }
    },
    find: async (key) => (await sessionsAt(dirname(key))).get(key),
    async *records({ key, id = "" }) {
      const store = storeOf(dirname(key), wholeFile(options.fs, dirname(key)).bytes)
      const entriesOf = (one: unknown): Json[] => store.entries.filter(({ conversationId }) => conversationId === one)
      for (const value of recordsOf(store, id, entriesOf)) yield { value }
      yield* store.faults
    },
    files: () => [],
    watched: ({ key }) => dirname(key),
    isKey: (key) => basename(dirname(key)) === MAIN,
  }
}

/** What else commits write: tasks and submissions say how the agent works, and nothing that its model gets. */
const OTHERS = /^(?:submission|task(?:\.sidecar)?|document\.(?:create|change|retire))$/

/** What the lines of a store say; a write of an unknown kind counts to the first conversation. */
function storeIn(bytes: Uint8Array, documentIn: (name: string) => unknown) {
  const conversations: Json[] = []
  const entries: Json[] = []
  const faults: SourceRecord[] = []
  const documents = new Map<unknown, Json>()
  for (const line of recordsOfLines(bytes)) {
    if (!("value" in line)) faults.push(line)
    for (const write of "value" in line ? objectsIn(line.value.writes) : []) {
      const [type, value, record] = [write.type, objectIn(write, "value"), objectIn(write, "record") ?? {}]
      if (type === "conversation" && value) conversations.push(value)
      else if (type === "entry" && value) entries.push({ ...value, record: "entry" })
      else if (!OTHERS.test(String(type)))
        entries.push({ ...write, record: "write", conversationId: conversations[0]?.id })
      if (type !== "document.create" || !DOCUMENTS.includes(record.kind)) continue
      const owner = objectIn(record, "scope")?.conversationId
      const stored = documentIn(`doc-${Number(record.id)}.jsonl`)
      documents.set(owner, { ...documents.get(owner), [String(record.kind)]: stored })
    }
  }
  const listed = entries.map((entry) => {
    return { conversation: entry.conversationId, size: JSON.stringify(entry).length, time: timeOf(entry) }
  })
  return { conversations: conversationsOf(conversations, listed), documents, entries, faults }
}

function* recordsOfLines(bytes: Uint8Array): Generator<SourceRecord> {
  for (const line of linesOf(bytes)) yield* recordsIn(line)
}
