import { appendFile, mkdir, rm, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { ClaudeCodeStorage } from "@treelog/agents/claude-code"
import { agentContract } from "@treelog-internal/agent-files/testing"
import { claudeFile } from "@treelog-internal/test-kit"
import { describe, it } from "vitest"

const cwds = new Map<string, string>()

agentContract(
  { describe, it },
  {
    name: "ClaudeCodeStorage",
    ids: ["6dfbc8e4-f399-4705-94fe-6d7cf3c8e18f", "0b8e4f4c-1c9e-4f7b-9d3c-2a5b6c7d8e9f"],
    makesEmptyFiles: true,
    open: (dir, cacheDir, fs) => new ClaudeCodeStorage({ dir, cacheDir, env: {}, fs }),
    async write(dir, { id, cwd, said }) {
      const key = join(dir, "projects", cwd.replace(/[^a-zA-Z0-9]/g, "-"), `${id}.jsonl`)
      await mkdir(dirname(key), { recursive: true })
      await writeFile(key, claudeFile(id, cwd, ...said))
      cwds.set(key, cwd)
      return key
    },
    say: (_, key, said) => appendFile(key, claudeFile(key.slice(-42, -6), cwds.get(key) ?? "", said)),
    remove: (_, key) => rm(key),
    async addUnknown(_, key) {
      const sessionId = key.slice(-42, -6)
      await appendFile(key, `${JSON.stringify({ type: "hologram", uuid: "h", parentUuid: null, sessionId })}\n`)
      return "hologram"
    },
  },
)
