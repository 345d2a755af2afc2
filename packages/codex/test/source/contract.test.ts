import { appendFile, mkdir, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { sessionStorageContract } from "@treelog/session-core/testing"
import { codexFile, codexTurns } from "@treelog-internal/test-kit/codex"
import { describe, it } from "vitest"
import { CodexStorage } from "../../src/index.js"

const IDS = ["01a203bc-2fbc-7a02-81fd-38d282610988", "01a203bc-3247-7a50-bba6-50faffe1fa0a"]

sessionStorageContract(
  { describe, it },
  {
    name: "CodexStorage",
    example: new CodexStorage({ env: {}, cacheDir: null }),
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
        await writeFile(key, codexFile(id, cwd, ["hello", "how are you"]))
      }
      return {
        storage: open(),
        reopen: async () => open(),
        others: {
          sessions,
          grow: (key) => appendFile(key, codexTurns("one more")),
          rewrite: (key) => writeFile(key, codexFile(sample(key).id, sample(key).cwd, ["something else"])),
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
