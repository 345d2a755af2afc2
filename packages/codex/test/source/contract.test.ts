import { appendFile, mkdir, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { sessionStorageContract } from "@treelog/session-core/testing"
import { describe, it } from "vitest"
import { CodexStorage } from "../../src/index.js"

const IDS = ["01a203bc-2fbc-7a02-81fd-38d282610988", "01a203bc-3247-7a50-bba6-50faffe1fa0a"]

const line = (type: string, payload: object): string =>
  `${JSON.stringify({ timestamp: "2026-11-22T14:49:54.000Z", type, payload })}\n`

/** What the user says, and the answer. */
function turn(text: string): string {
  const message = (role: string, type: string, said: string) =>
    line("response_item", { type: "message", role, content: [{ type, text: said }] })
  return message("user", "input_text", text) + message("assistant", "output_text", `Answer to ${text}`)
}

function rollout(id: string, cwd: string, ...said: string[]): string {
  const meta = { id, timestamp: "2026-11-22T14:49:54.000Z", cwd, originator: "codex_cli", cli_version: "0.98.0" }
  return line("session_meta", { ...meta, source: "cli", model_provider: "openai" }) + said.map(turn).join("")
}

sessionStorageContract(
  { describe, it },
  {
    name: "CodexStorage",
    supports: new CodexStorage({ env: {}, cacheDir: null }).supports,
    setup: async () => {
      const root = await mkdtemp(join(tmpdir(), "treelog-codex-"))
      const dir = join(root, "codex")
      const open = () => new CodexStorage({ dir, cacheDir: join(root, "cache"), env: {} })
      const sessions = IDS.map((id, index) => ({
        key: join(dir, "sessions", "2026", "11", "22", `rollout-2026-11-22T14-49-5${index}-${id}.jsonl`),
        id,
        cwd: `/home/ada/shop${index}`,
      }))
      const sample = (key: string) => sessions.find((session) => session.key === key) ?? { id: "", cwd: "" }
      for (const { key, id, cwd } of sessions) {
        await mkdir(dirname(key), { recursive: true })
        await writeFile(key, rollout(id, cwd, "hello", "how are you"))
      }
      return {
        storage: open(),
        reopen: async () => open(),
        others: {
          sessions,
          grow: (key) => appendFile(key, turn("one more")),
          rewrite: (key) => writeFile(key, rollout(sample(key).id, sample(key).cwd, "something else")),
          remove: (key) => rm(key),
          state: async () => {
            const state: unknown[] = []
            for (const name of (await readdir(dir, { recursive: true })).sort()) {
              const { size, mtimeMs } = await stat(join(dir, name))
              state.push([name, size, mtimeMs])
            }
            return state
          },
        },
        teardown: () => rm(root, { recursive: true, force: true }),
      }
    },
  },
)
