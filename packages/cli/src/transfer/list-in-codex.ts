import { spawn } from "node:child_process"
import { createInterface } from "node:readline"
import { parsedJson } from "@treelog/session-core/json"
import type { AgentStore } from "@treelog/stores"

/** How long Codex may take to start and to read the sessions. Milliseconds. */
const PATIENCE = 60_000

/**
 * Has Codex read sessions that were written for it. Its picker shows what its database has, and Codex adds a session there once its own server is asked
 * for it.
 * @returns the ids of those that it read; none where `codex` is not on PATH
 */
export function listInCodex(
  { variables }: Pick<AgentStore, "variables">,
  ids: readonly string[],
  env: Readonly<NodeJS.ProcessEnv>,
): Promise<ReadonlySet<string>> {
  const read = new Set<string>()
  const requests = [
    { id: 0, method: "initialize", params: { clientInfo: { name: "treelog", title: null, version: "1" } } },
    { method: "initialized" },
    ...ids.map((threadId, at) => ({
      id: at + 1,
      method: "thread/read",
      params: { threadId, includeTurns: false },
    })),
  ]
  return new Promise((resolve) => {
    const codex = spawn("codex", ["app-server"], {
      env: { ...env, ...variables },
      stdio: ["pipe", "pipe", "ignore"],
      timeout: PATIENCE,
    })
    const end = (): void => resolve(read)
    for (const one of [codex, codex.stdin]) one.on("error", end)
    codex.once("close", end)
    let answers = 0
    createInterface({ input: codex.stdout }).on("line", (line) => {
      const { id, result } = (parsedJson(line) ?? {}) as { id?: unknown; result?: unknown }
      const asked = typeof id === "number" ? ids[id - 1] : undefined
      if (asked === undefined) return
      if (result !== undefined) read.add(asked)
      if (++answers === ids.length) codex.stdin.end()
    })
    for (const request of requests) codex.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...request })}\n`)
  })
}
