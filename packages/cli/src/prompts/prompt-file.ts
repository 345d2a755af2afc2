import { stat } from "node:fs/promises"
import { join } from "node:path"
import { TreelogError } from "@treelog/session-core"
import { absoluteFolder } from "../io/absolute-folder.js"
import type { Io } from "../io/io.js"

/**
 * The file of prompts that is meant by `claude-code`, `codex` or a path.
 * @throws StorageError where it is no file
 */
export async function promptFile(from: string, io: Pick<Io, "env" | "cwd">): Promise<string> {
  const path = absoluteFolder(io, knownFile(from, io.env) ?? from)
  try {
    if ((await stat(path)).isFile()) return path
  } catch (cause) {
    const errno = cause instanceof Error && "code" in cause ? String(cause.code) : undefined
    const data = { key: path, operation: "import", errno }
    if (errno === "ENOENT") throw new TreelogError("StorageError", `There is no file ${path}.`, data, { cause })
    throw new TreelogError("StorageError", `Cannot read ${path}: ${errno}.`, data, { cause })
  }
  const data = { key: path, operation: "import", errno: undefined }
  throw new TreelogError("StorageError", `${path} is no file.`, data)
}

/** Where Claude Code and Codex keep theirs. */
function knownFile(from: string, env: Io["env"]): string | undefined {
  if (from === "claude-code") return join(env.CLAUDE_CONFIG_DIR || "~/.claude", "history.jsonl")
  if (from === "codex") return join(env.CODEX_HOME || "~/.codex", "history.jsonl")
  return undefined
}
