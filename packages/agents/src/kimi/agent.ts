import { basename, dirname, join } from "node:path"
import { type AgentDefinition, parsedObject, sessionFiles, textIn, withFacts } from "../kit.js"
import { INTERRUPTED } from "./blocks.js"
import { KimiConverter } from "./convert.js"
import { withMedia } from "./media.js"
import { kimi } from "./place.js"

export const agent: AgentDefinition = {
  place: kimi,
  lostResult: { text: INTERRUPTED, isError: true },
  store: (options) => {
    const files = sessionFiles(options, {
      paths: ["sessions/*/*/agents/*/wire.jsonl"],
      idOf: ([folder, session, agent]) =>
        session === undefined ? folder : agent === "main" ? session : `${session}-${agent}`,
      partOf: ([folder, session, agent]) =>
        agent === undefined || agent === "main"
          ? undefined
          : { of: `sessions/${folder}/${session}/agents/main/wire.jsonl`, role: "subagent", name: `${agent}.jsonl` },
      // The second is where early versions of its present engine kept it.
      beside: (path) => ["state.json", "session-meta/state.json"].map((name) => join(dirname(path), "..", "..", name)),
    })
    return withFacts(options, withMedia(options, files), async ({ key }, facts) => {
      const folders = (await facts.of(join(options.folder, INDEX), foldersIn)) as Folders | undefined
      return { cwd: folders?.[basename(dirname(dirname(dirname(key))))] }
    })
  },
  converter: (session) => new KimiConverter(session),
}

/** The list of all sessions, which alone has the folders of those of versions before 0.23. */
const INDEX = "session_index.jsonl"

/** By the id of a session. */
type Folders = Readonly<Record<string, string>>

function foldersIn(bytes: Uint8Array): object {
  const folders: Record<string, string> = Object.create(null)
  for (const line of new TextDecoder().decode(bytes).split("\n")) {
    const session = parsedObject(line) ?? {}
    const [id, folder] = [textIn(session, "sessionId"), textIn(session, "workDir")]
    if (id !== undefined && folder !== undefined) folders[id] = folder
  }
  return { ...folders }
}
