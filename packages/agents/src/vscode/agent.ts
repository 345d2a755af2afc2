import { join, sep } from "node:path"
import { CopilotConverter } from "../copilot/convert.js"
import { type AgentDefinition, type AgentPlace, type RecordStore, sessionFiles, withFacts } from "../kit.js"
import { folderIn, VsCodeConverter } from "./convert.js"
import { archivedChats } from "./window.js"

/** Events of Copilot, as its command line writes them. */
const TRANSCRIPTS = join("GitHub.copilot-chat", "transcripts") + sep

/** Chats of GitHub Copilot in VS Code: a log of changes to a JSON document, up to 1.108 the document; of its agent, a transcript. */
export function vsCodeAgent(place: AgentPlace): AgentDefinition {
  return {
    place,
    holdsTranscripts: true,
    store: (options) => {
      const isArchived = archivedChats(options)
      const files = withoutCopies(
        sessionFiles(options, {
          paths: [
            ...["jsonl", "json"].flatMap((ending) => [
              `workspaceStorage/*/chatSessions/*.${ending}`,
              `globalStorage/emptyWindowChatSessions/*.${ending}`,
            ]),
            "workspaceStorage/*/GitHub.copilot-chat/transcripts/*.jsonl",
          ],
          beside: (path) => [join(path, isTranscript(path) ? "../../.." : "../..", "workspace.json")],
          recordsOf: (document, [workspace]) => [{ kind: 0, v: document, workspace }],
        }),
      )
      return withFacts(options, files, async ({ key, id = "" }) => {
        return (await isArchived(key, id)) ? { facts: { archived: true } } : {}
      })
    },
    converter: (session) => {
      const { key, id, writer, facts, beside } = session
      if (!isTranscript(key)) return new VsCodeConverter(session, place.name)
      return new CopilotConverter(writer, { id, cwd: folderIn(beside[0]), source: facts })
    },
  }
}

function isTranscript(path: string): boolean {
  return path.includes(TRANSCRIPTS)
}

/**
 * Where there is a log, VS Code leaves the document from which it began, and reads it no more; of a chat that has both, the transcript
 * repeats what the log has.
 */
function withoutCopies(store: RecordStore): RecordStore {
  return {
    ...store,
    async *list(filter) {
      const chats = new Set<string | undefined>()
      const logs = new Set<string>()
      for await (const sessions of store.list(filter)) {
        for (const { key } of sessions) if (key.endsWith(".jsonl")) logs.add(key)
        const own = sessions.filter(({ key, id }) => !logs.has(`${key}l`) && !(isTranscript(key) && chats.has(id)))
        for (const { id } of own) chats.add(id)
        yield own
      }
    },
  }
}
