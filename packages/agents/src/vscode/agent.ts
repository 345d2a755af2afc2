import { dirname, join } from "node:path"
import { type AgentDefinition, type AgentPlace, type RecordStore, sessionFiles } from "../kit.js"
import { VsCodeConverter } from "./convert.js"

/** Chats of GitHub Copilot in VS Code: a log of changes to a JSON document, up to 1.108 the document. */
export function vsCodeAgent(place: AgentPlace): AgentDefinition {
  return {
    place,
    conversionVersion: 3,
    store: (options) =>
      withoutOldDocuments(
        sessionFiles(options, {
          paths: ["jsonl", "json"].flatMap((ending) => [
            `workspaceStorage/*/chatSessions/*.${ending}`,
            `globalStorage/emptyWindowChatSessions/*.${ending}`,
          ]),
          beside: (path) => [join(dirname(dirname(path)), "workspace.json")],
          recordsOf: (document, [workspace]) => [{ kind: 0, v: document, workspace }],
        }),
      ),
    converter: (session) => new VsCodeConverter(session, place.name),
  }
}

/** Where there is a log, VS Code leaves the document from which it began, and reads it no more. */
function withoutOldDocuments(store: RecordStore): RecordStore {
  return {
    ...store,
    async *list(filter) {
      const logs = new Set<string>()
      for await (const sessions of store.list(filter)) {
        for (const { key } of sessions) if (key.endsWith(".jsonl")) logs.add(key)
        yield sessions.filter(({ key }) => !logs.has(`${key}l`))
      }
    },
  }
}
