import { appendFile, mkdir, rm, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { CodexStorage } from "@treelog/agents/codex"
import { agentContract } from "@treelog-internal/agent-files/testing"
import { codexFile, codexTurns } from "@treelog-internal/test-kit/codex"
import { describe, it } from "vitest"

agentContract(
  { describe, it },
  {
    name: "CodexStorage",
    ids: ["01a203bc-2fbc-7a02-81fd-38d282610988", "01a203bc-3247-7a50-bba6-50faffe1fa0a"],
    open: (dir, cacheDir, fs) => new CodexStorage({ dir, cacheDir, env: {}, fs }),
    async write(dir, { id, cwd, said }) {
      const key = join(dir, "sessions", "2026", "11", "22", `rollout-2026-11-22T14-49-50-${id}.jsonl`)
      await mkdir(dirname(key), { recursive: true })
      await writeFile(key, codexFile(id, cwd, said))
      return key
    },
    say: (_, key, said) => appendFile(key, codexTurns(said)),
    remove: (_, key) => rm(key),
    async addUnknown(_, key) {
      const timestamp = new Date(Date.UTC(2026, 10, 22, 15)).toISOString()
      const line = { timestamp, type: "response_item", payload: { type: "hologram" } }
      await appendFile(key, `${JSON.stringify(line)}\n`)
      return "response_item:hologram"
    },
  },
)
