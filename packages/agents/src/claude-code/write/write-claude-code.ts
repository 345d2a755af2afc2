import { join } from "node:path"
import { type Session, TreelogError } from "@treelog/session-core"
import { agentFolder } from "@treelog-internal/agent-files"
import {
  type CopyTarget,
  copySession,
  removeCopy,
  type WriteSessionOptions,
  type WrittenSession,
} from "@treelog-internal/agent-files/write"
import { entriesIn, type FsPort, nodeFs, statIfThere } from "@treelog-internal/fs"
import { claudeCode } from "../place.js"
import { mayBeOf, projectFolderOf } from "../store/project-folders.js"
import { linesOfClaudeCode, TRIED } from "./session-lines.js"

/**
 * Writes a session of any agent as one of Claude Code, which Claude Code lists, opens and goes on with: what was said, calls with their results, images and
 * compactions of the branch that ends at its leaf, or at `leaf`. A session of Claude Code's own is never touched. Repeated, it adds what is new.
 * @returns where it is, and a receipt of what it has and has not
 * @throws EntryNotFoundError for `leaf`; InvalidArgumentError: nothing was said, or Claude Code was never used here; StorageError; SessionChangedError
 */
export function writeClaudeCode(session: Session, options: WriteSessionOptions = {}): Promise<WrittenSession> {
  const { fs = nodeFs } = options
  const folder = agentFolder(options.env ?? process.env, claudeCode, options.dir)
  const target: CopyTarget = {
    agent: "claude-code",
    folder,
    version: TRIED,
    placeOf: async ({ id, cwd }) => join(folder, "projects", await projectFolder(fs, folder, cwd), `${id}.jsonl`),
    ...linesOfClaudeCode,
  }
  return copySession(session, target, options)
}

/** @throws InvalidArgumentError for a long name, which has a hash that only Claude Code knows, unless it has the folder already */
async function projectFolder(fs: FsPort, home: string, cwd: string): Promise<string> {
  const short = projectFolderOf(cwd)
  if (short !== undefined) return short
  const projects = join(home, "projects")
  const there = (await statIfThere(fs, projects)) ? await entriesIn(fs, projects) : []
  const found = there.find(({ name }) => mayBeOf(name, cwd))
  if (found) return found.name
  const message = `Claude Code has no folder for ${cwd} yet, and the name is too long to know: start claude there once.`
  throw new TreelogError("InvalidArgumentError", message, { argument: "cwd", value: cwd })
}

/**
 * Removes a copy that `writeClaudeCode` has made, and Claude Code did not go on with.
 * @param path of its file
 * @param options.dryRun whether to write nothing, and say only whether it would go
 * @returns false for any other, which stays
 * @throws StorageError
 */
export function removeClaudeCodeCopy(
  path: string,
  { fs = nodeFs, dryRun }: Pick<WriteSessionOptions, "fs" | "dryRun"> = {},
): Promise<boolean> {
  return removeCopy(fs, path, dryRun)
}
