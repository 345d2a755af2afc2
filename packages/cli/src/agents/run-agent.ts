import { spawn } from "node:child_process"
import { constants } from "node:os"
import { TreelogError } from "@treelog/session-core"
import { PROGRAMS } from "@treelog/stores"
import { isFolder } from "@treelog-internal/fs"
import { cleanLine } from "@treelog-internal/text"
import { commandLine, shellWord } from "../render/shell-command.js"
import type { AgentCommand } from "./agent-command.js"

/** Exit codes above this are 128 and the number of the signal that ended the process, as in shells. */
const SIGNALLED = 128

/**
 * Runs an agent in this terminal, without a shell, and waits for its end.
 * @returns its exit code
 * @throws SessionNotFoundError where the folder of the session is gone; StorageError where the agent is not installed
 */
export async function runAgent(command: AgentCommand, env: Readonly<NodeJS.ProcessEnv>): Promise<number> {
  const { program, args, cwd } = command
  if (!(await isFolder(cwd))) {
    const moving = ["relocate", "--from", cwd, "--to", "NEW", "--apply"]
    const renamed = PROGRAMS.some((program) => program === command.agent)
      ? ` Where it was renamed: ${commandLine(moving, { store: command.agent })}`
      : ""
    const message = `The folder of the session is gone: ${cwd}.${renamed}`
    throw new TreelogError("SessionNotFoundError", message, { ref: cwd })
  }
  return new Promise((resolve, reject) => {
    const agent = spawn(program, args, { cwd, env, stdio: "inherit" })
    agent.once("error", (error: NodeJS.ErrnoException) => reject(notStarted(command, error)))
    agent.once("exit", (code, signal) => resolve(code ?? SIGNALLED + (signal ? constants.signals[signal] : 0)))
  })
}

function notStarted(command: AgentCommand, error: NodeJS.ErrnoException): TreelogError<"StorageError"> {
  const { program } = command
  const why =
    error.code === "ENOENT"
      ? `\`${program}\` is not installed, or not on PATH`
      : `\`${program}\` cannot be started: ${error.message}`
  const message = `${why}. Once it is, continue with: ${agentLine(command)}`
  return new TreelogError(
    "StorageError",
    message,
    { key: program, operation: "read", errno: error.code },
    { cause: error },
  )
}

/** The command as a line to copy. */
export function agentLine({ program, args, cwd }: AgentCommand): string {
  const words = [program, ...args].map((word) => shellWord(cleanLine(word)))
  return `cd ${shellWord(cleanLine(cwd))} && ${words.join(" ")}`
}
