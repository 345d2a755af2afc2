import { join } from "node:path"
import type { Session } from "@treelog/session-core"
import { agentFolder, type Json } from "@treelog-internal/agent-files"
import {
  type CopySource,
  type CopyTarget,
  copySession,
  removeCopy,
  subAgentId,
  subAgentsIn,
  type WriteSessionOptions,
  type WrittenSession,
} from "@treelog-internal/agent-files/write"
import { nodeFs, withStorageErrors } from "@treelog-internal/fs"
import { codex } from "../place.js"
import { rolloutName } from "../rollout/rollout-name.js"
import { findRollouts } from "../source/find-rollouts.js"
import { chosenProvider } from "./chosen-provider.js"
import { CODEX_RULES, rolloutLines } from "./rollout-lines.js"
import { addTitle, removeTitles } from "./titles.js"

/** The version of Codex that written sessions were tried with. */
const TRIED = "0.171.0"

/**
 * Writes a session of any agent as one of Codex, which Codex lists, opens and goes on with: what was said, calls with their results, images and compactions
 * of the branch that ends at its leaf, or at `leaf`. A session of Codex's own is never touched. Repeated, it adds what is new.
 * @returns where it is, and a receipt of what it has and has not
 * @throws EntryNotFoundError for `leaf`; InvalidArgumentError: nothing was said, or Codex was never used here; StorageError; SessionChangedError
 */
export async function writeCodex(session: Session, options: WriteSessionOptions = {}): Promise<WrittenSession> {
  const { env = process.env, fs = nodeFs } = options
  const folder = agentFolder(env, codex, options.dir)
  const provider = await withStorageErrors(folder, "read", () => chosenProvider(fs, folder))
  const target: CopyTarget = {
    agent: "codex",
    rules: CODEX_RULES,
    folder,
    version: TRIED,
    async placeOf({ id, started }) {
      const { rollouts, errors } = await findRollouts(fs, folder)
      // The copy may be in a folder that cannot be read.
      for (const { error } of errors) if (error) throw error
      const there = rollouts.find(({ threadId }) => threadId === id)
      if (there) return there.name
      const [day = ""] = started.split("T")
      return join(folder, "sessions", ...day.split("-"), fileOf(started, id))
    },
    linesOf: (source) => ({
      head: [headOf(source, provider)],
      body: rolloutLines(source, source.id, source.steps),
      parts: subAgentsIn(source.steps).map((subAgent) => {
        const id = subAgentId(source, subAgent)
        const { parents, title } = subAgent
        const parent = parents.at(-1)
        const parent_thread_id = parent === undefined ? source.id : subAgentId(source, { name: parent })
        const of = { parent_thread_id, depth: parents.length + 1, agent_path: null, agent_nickname: title }
        const thread_spawn = { ...of, agent_role: null }
        return {
          path: fileOf(source.started, id),
          head: [
            headOf({ ...source, id }, provider, {
              parent_thread_id,
              source: { subagent: { thread_spawn } },
              thread_source: "subagent",
            }),
          ],
          body: rolloutLines(source, id, subAgent.steps),
        }
      }),
    }),
    marked: (head, treelog) => ({ ...head, payload: { ...(head.payload as object), treelog } }),
    // Codex would name it after the first prompt that it gets itself.
    register: (source) => addTitle(fs, folder, source.id, source.title),
  }
  return copySession(session, target, options)
}

function fileOf(started: string, id: string): string {
  return `rollout-${started.slice(0, 19).replaceAll(":", "-")}-${id}.jsonl`
}

/**
 * Removes a copy that `writeCodex` has made, and Codex did not go on with, and its name.
 * @param path of its file
 * @param options.dryRun whether to write nothing, and say only whether it would go
 * @returns false for any other, which stays
 * @throws StorageError
 */
export async function removeCodexCopy(
  path: string,
  { fs = nodeFs, dryRun }: Pick<WriteSessionOptions, "fs" | "dryRun"> = {},
): Promise<boolean> {
  const isCopy = await removeCopy(fs, path, true)
  if (!isCopy || dryRun) return isCopy
  const [, home] = /^(.*)[/\\](?:archived_)?sessions[/\\]/.exec(path) ?? []
  const id = rolloutName(path)?.threadId
  if (home !== undefined && id !== undefined) await removeTitles(fs, home, id)
  return removeCopy(fs, path)
}

function headOf({ id, started, cwd, version }: CopySource, model_provider: string, more: Json = {}): Json {
  const program = { originator: "treelog", cli_version: version, source: "cli", model_provider }
  const payload = { id, timestamp: started, cwd, ...program, ...more }
  return { timestamp: started, type: "session_meta", payload }
}
