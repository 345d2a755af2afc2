import { dirname, join } from "node:path"
import type { Session } from "@treelog/session-core"
import { agentFolder } from "@treelog-internal/agent-files"
import {
  type CopyTarget,
  copySession,
  type FsPort,
  isThere,
  nodeFs,
  removeCopy,
  type WriteSessionOptions,
  type WrittenSession,
  writeOnce,
} from "@treelog-internal/agent-files/write"
import { copilot } from "./place.js"
import { COPILOT_RULES, sessionEvents, startEvent } from "./write-events.js"

/** The version of Copilot CLI that written sessions were tried with. */
const TRIED = "1.0.102"
const WORKSPACE = "workspace.yaml"

/** Writes a session of any agent as one of GitHub Copilot CLI: `writeAgentSession` says more. */
export function writeCopilot(session: Session, options: WriteSessionOptions = {}): Promise<WrittenSession> {
  const { env = process.env, fs = nodeFs } = options
  const folder = agentFolder(env, copilot, options.dir)
  const target: CopyTarget = {
    agent: "copilot",
    folder,
    version: TRIED,
    rules: COPILOT_RULES,
    placeOf: async ({ id }) => join(folder, "session-state", id, "events.jsonl"),
    linesOf: (source) => ({ head: [startEvent(source)], body: sessionEvents(source) }),
    marked: (head, treelog) => ({ ...head, treelog }),
    register: async ({ id, name, title, cwd, started }) => {
      // Its list has names and folders of this file.
      const fields = {
        id,
        cwd: JSON.stringify(cwd),
        client_name: "github/cli",
        name: JSON.stringify(title),
        user_named: String(name !== undefined),
        created_at: started,
        updated_at: started,
      }
      const lines = Object.entries(fields).map(([field, value]) => `${field}: ${value}\n`)
      await writeOnce(fs, join(folder, "session-state", id, WORKSPACE), lines.join(""))
    },
  }
  return copySession(session, target, options)
}

/** Removes a copy that Copilot CLI did not go on with, and its name. @returns false for any other session @throws StorageError */
export async function removeCopilot(fs: FsPort, path: string, dryRun = false): Promise<boolean> {
  const isCopy = await removeCopy(fs, path, dryRun)
  if (!isCopy || dryRun) return isCopy
  const workspace = join(dirname(path), WORKSPACE)
  if (await isThere(fs, workspace)) await fs.unlink(workspace)
  // Copilot CLI makes more in it once it was opened.
  if ((await fs.readdir(dirname(path))).length === 0) await fs.rmdir(dirname(path))
  return true
}
