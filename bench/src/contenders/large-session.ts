import { appendFileSync, copyFileSync, mkdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import type { SessionSource } from "@treelog/session-core"
import type { Contender } from "../question.js"
import { work } from "../work.js"
import { runStoreCommand } from "./store-command.js"

/** The one session of a folder, of one agent. */
export interface LargeSession {
  readonly id: string
  pathIn(folder: string): string
  open(folder: string, cacheDir: string): Promise<SessionSource>
}

const CLAUDE_SESSION = "5e8f3f0e-8d3b-4c6f-9a55-0f2f6f7f3f6e"

export const LARGE_CLAUDE: LargeSession = {
  id: CLAUDE_SESSION,
  pathIn: (folder) => join(folder, ".claude", "projects", "-home-ada-shop", `${CLAUDE_SESSION}.jsonl`),
  open: async (folder, cacheDir) => {
    const { ClaudeCodeStorage } = await import("@treelog/agents/claude-code")
    return new ClaudeCodeStorage({ dir: join(folder, ".claude"), cacheDir })
  },
}

const THREAD = "01a20000-0a0a-7b0b-8c0c-0d0d0e0e0f0f"

export const LARGE_CODEX: LargeSession = {
  id: THREAD,
  pathIn: (folder) => join(folder, ".codex/sessions/2026/03/07", `rollout-2026-03-07T14-00-00-${THREAD}.jsonl`),
  open: async (folder, cacheDir) => {
    const { CodexStorage } = await import("@treelog/agents/codex")
    return new CodexStorage({ dir: join(folder, ".codex"), cacheDir })
  },
}

/** Its context, of which nothing is known. */
export function readContext({ pathIn, open }: LargeSession): Contender {
  return async (folder, scratch) => {
    const [{ readContextFromEnd }, storage] = await Promise.all([
      import("@treelog/session-core/adapter"),
      open(folder, join(scratch, "cache")),
    ])
    return work(
      () => readContextFromEnd(storage, pathIn(folder)),
      (context) => context?.messages.length ?? 0,
    )
  }
}

/** Converts the session, and writes what it became into a cache, as the first command on it does. */
export function convertSession({ pathIn, open }: LargeSession): Contender {
  return async (folder, scratch) => {
    const storage = await open(folder, join(scratch, "cache"))
    return work(
      () => storage.statContent?.(pathIn(folder)),
      (stat) => stat?.size ?? 0,
    )
  }
}

/** A command on the session, which it has seen, once its last line stands there again with another id. */
export function afterLine({ pathIn }: LargeSession, ...args: string[]): Contender {
  return async (folder, scratch) => {
    const path = pathIn(scratch)
    mkdirSync(dirname(path), { recursive: true })
    copyFileSync(pathIn(folder), path)
    await runStoreCommand(scratch, args)
    const last =
      readFileSync(path)
        .subarray(-64 * 1024)
        .toString()
        .trimEnd()
        .split("\n")
        .at(-1) ?? ""
    appendFileSync(path, `${last.replace(/"uuid":"\w{8}/, '"uuid":"99999999')}\n`)
    return work(
      () => runStoreCommand(scratch, args),
      ({ stdout }) => `${stdout.split("\n").length} lines`,
    )
  }
}
