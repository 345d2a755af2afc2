import { basename, dirname, join, relative, sep } from "node:path"
import {
  type AgentDefinition,
  joinedStores,
  parsedObject,
  type RecordStore,
  sessionFiles,
  textIn,
  withFacts,
} from "../kit.js"
import { chatsOf } from "./chats.js"
import { CursorAgentConverter } from "./convert.js"
import { cursorAgent } from "./place.js"
import { withSdkRuns } from "./sdk-runs.js"

const TRANSCRIPTS = "projects/*/agent-transcripts"
/** What some versions call the file of a session, in a folder that has its id. */
const WHOLE = "transcript"

export const agent: AgentDefinition = {
  place: cursorAgent,
  store: (options) => {
    const files = sessionFiles(options, {
      paths: [`${TRANSCRIPTS}/*/*.jsonl`, `${TRANSCRIPTS}/*.jsonl`, `${TRANSCRIPTS}/*/subagents/*.jsonl`],
      idOf: ([, session, file = session]) => (file === WHOLE ? session : file),
      partOf: ([project, session, file]) =>
        file === undefined || file === session || file === WHOLE
          ? undefined
          : {
              of: [`${session}/${session}`, `${session}/${WHOLE}`, session ?? ""].map(
                (name) => `projects/${project}/agent-transcripts/${name}.jsonl`,
              ),
              role: "subagent",
            },
    })
    const transcripts = withFacts(options, files, async ({ key }, facts) => {
      const [projects = "", project = ""] = relative(options.folder, key).split(sep)
      const trusted = await facts.of(join(options.folder, projects, project, ".workspace-trusted"), projectFolder)
      return (trusted ?? {}) as { cwd?: string }
    })
    return withSdkRuns(options, withoutTranscribed(transcripts, chatsOf(options)))
  },
  converter: (session) => new CursorAgentConverter(session),
}

/** Transcripts, and the chats that have none. */
function withoutTranscribed(transcripts: RecordStore, chats: RecordStore): RecordStore {
  return {
    ...joinedStores([transcripts, chats], (key) => (basename(dirname(key)) === "store.db" ? chats : transcripts)),
    async *list(filter) {
      const transcribed = new Set<string | undefined>()
      for await (const sessions of transcripts.list(filter)) {
        for (const { id } of sessions) transcribed.add(id)
        yield sessions
      }
      for await (const sessions of chats.list(filter)) yield sessions.filter(({ id }) => !transcribed.has(id))
    },
  }
}

/** What Cursor writes when the user trusts a folder. */
function projectFolder(bytes: Uint8Array): { cwd?: string } {
  const cwd = textIn(parsedObject(new TextDecoder().decode(bytes)) ?? {}, "workspacePath")
  return cwd === undefined ? {} : { cwd }
}
