import { sep } from "node:path"
import { batchName } from "@treelog/storage-fs"
import type { CommandContext } from "../io/command-context.js"
import type { Sessions } from "../sessions/compose-sessions.js"

/** The command that restores what was just deleted: all of it by its time, or, what lies in no store, by its path. */
export function restoreHint(
  { startedAt, options }: CommandContext,
  { agentDir }: Sessions,
  paths: readonly string[],
): string {
  const { store, agentDir: givenDir, sessionDir } = options
  const where = [
    ...(store === undefined ? [] : ["--store", store]),
    ...(givenDir === undefined ? [] : ["--agent-dir", quoted(givenDir)]),
    ...(sessionDir === undefined ? [] : ["--session-dir", quoted(sessionDir)]),
  ]
  const isInStore = sessionDir !== undefined || paths.every((path) => path.startsWith(agentDir + sep))
  const what = isInStore ? [...where, batchName(startedAt)] : paths.map(quoted)
  return `\`treelog restore ${what.join(" ")}\` restores ${paths.length === 1 ? "it" : "them"}.`
}

/** As a shell takes it for one word. */
function quoted(word: string): string {
  return /^[\w@%+=:,./~-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
