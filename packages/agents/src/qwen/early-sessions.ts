import { geminiSessions } from "../gemini/store.js"
import type { RecordStore, StoreOptions } from "../kit.js"

// Versions before 0.2 wrote documents as Gemini CLI did then, of which only the type of replies has another name.

/** Whether a session is one of those. */
export function isEarly(key: string): boolean {
  return /[/\\]tmp[/\\][^/\\]+[/\\]chats[/\\]session-[^/\\]*\.json$/.test(key)
}

export function earlySessions(options: StoreOptions): RecordStore {
  const documents = geminiSessions(options)
  return {
    ...documents,
    async *records(session) {
      for await (const record of documents.records(session))
        yield "value" in record && record.value.type === "qwen"
          ? { ...record, value: { ...record.value, type: "gemini" } }
          : record
    },
  }
}
