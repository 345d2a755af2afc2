import type { Session } from "@treelog/session-core"
import type { FsPort, WriteSessionOptions, WrittenSession } from "@treelog-internal/agent-files/write"

interface Writer {
  write(session: Session, options?: WriteSessionOptions): Promise<WrittenSession>
  /** Default: removes the file. */
  remove?(fs: FsPort, path: string, dryRun?: boolean): Promise<boolean>
}

/** Only the code of the agent that is meant is loaded. */
const WRITERS = {
  copilot: async (): Promise<Writer> => {
    const { writeCopilot: write, removeCopilot: remove } = await import("./copilot/write.js")
    return { write, remove }
  },
  gemini: async (): Promise<Writer> => ({ write: (await import("./gemini/write.js")).writeGemini }),
  opencode: async (): Promise<Writer> => {
    const { writeOpencode: write, removeOpencode: remove } = await import("./opencode/write.js")
    return { write, remove }
  },
  qwen: async (): Promise<Writer> => ({ write: (await import("./qwen/write.js")).writeQwen }),
}

/** An agent of this package that sessions of others can be written for. */
export type WrittenAgentName = keyof typeof WRITERS

/**
 * Writes a session of any agent as one of another, which that agent lists, opens and goes on with: what was said, calls with their results, images and
 * compactions of the branch that ends at its leaf, or at `leaf`. A session of the agent's own is never touched. Repeated, it adds what is new.
 * @returns where it is, and a receipt of what it has and has not
 * @throws EntryNotFoundError for `leaf`; InvalidArgumentError: nothing was said, or the agent was never used here; StorageError; SessionChangedError
 */
export async function writeAgentSession(
  name: WrittenAgentName,
  session: Session,
  options?: WriteSessionOptions,
): Promise<WrittenSession> {
  return (await WRITERS[name]()).write(session, options)
}

/**
 * Removes a session that `writeAgentSession` has written, and its agent did not go on with.
 * @param path of its file
 * @param options.dryRun whether to write nothing, and say only whether it would go
 * @returns false for any other, which stays
 * @throws StorageError
 */
export async function removeAgentSession(
  name: WrittenAgentName,
  path: string,
  { fs, dryRun }: Pick<WriteSessionOptions, "fs" | "dryRun"> = {},
): Promise<boolean> {
  const { nodeFs, removeCopy } = await import("@treelog-internal/agent-files/write")
  const { remove = removeCopy } = await WRITERS[name]()
  return remove(fs ?? nodeFs, path, dryRun)
}
