import { basename, dirname, join } from "node:path"
import { type AgentDefinition, isObject, type Json, type RecordStore, sessionFiles } from "../kit.js"
import { CopilotConverter } from "./convert.js"
import { copilot } from "./place.js"

export const agent: AgentDefinition = {
  place: copilot,
  holdsTranscripts: true,
  lostResult: {
    text: "Tool execution was interrupted before a result was recorded. Its effects may be absent, partial, or already complete, and other tools may have completed successfully. Check the current state before retrying; do not assume success or replay this operation blindly.",
    isError: true,
  },
  store: (options) =>
    withoutFormer(
      sessionFiles(options, {
        paths: ["session-state/*/events.jsonl", "session-state/*.jsonl", "history-session-state/session_*_*.json"],
        idOf: ([id]) => id,
        beside: (path) => (basename(path) === "events.jsonl" ? [join(dirname(path), "workspace.yaml")] : []),
        recordsOf: legacyEvents,
      }),
    ),
  converter: ({ writer, id, beside: [workspace] }) =>
    new CopilotConverter(writer, { id, ...(isObject(workspace) && { workspace }) }),
}

/** A session of a version that wrote no events, as later ones take it over. */
function legacyEvents(document: unknown): Json[] {
  if (!isObject(document) || !Array.isArray(document.chatMessages)) return []
  const { sessionId, startTime, selectedModel } = document
  return [
    { type: "session.start", id: "start", timestamp: startTime, data: { sessionId, startTime, selectedModel } },
    { type: "session.import_legacy", id: "message", data: { legacySession: document } },
  ]
}

/** What a later version has taken over is read where it put it. */
function withoutFormer(store: RecordStore): RecordStore {
  return {
    ...store,
    async *list(filter) {
      const ids = new Set<string>()
      for await (const sessions of store.list(filter)) {
        yield sessions.filter(({ id, error }) => error || id === undefined || !ids.has(id))
        for (const { id } of sessions) if (id !== undefined) ids.add(id)
      }
    },
  }
}
