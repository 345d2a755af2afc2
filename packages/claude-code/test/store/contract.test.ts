import { rm, writeFile } from "node:fs/promises"
import { sessionStorageContract } from "@treelog/session-core/testing"
import { claudeFile } from "@treelog-internal/test-kit"
import { describe, it } from "vitest"
import { ClaudeCodeStorage } from "../../src/index.js"
import { claudeFolder, stateOf } from "./claude-folder.js"

const IDS = ["6dfbc8e4-f399-4705-94fe-6d7cf3c8e18f", "0b8e4f4c-1c9e-4f7b-9d3c-2a5b6c7d8e9f"]

sessionStorageContract(
  { describe, it },
  {
    name: "ClaudeCodeStorage",
    example: new ClaudeCodeStorage({ env: {}, cacheDir: null }),
    setup: async () => {
      const folder = await claudeFolder()
      const cwds = ["/home/ada/shop", "/home/ada/my shop"]
      const sessions: { key: string; id: string; cwd: string }[] = []
      for (const [index, id] of IDS.entries()) {
        const cwd = cwds[index] ?? ""
        sessions.push({ key: await folder.add(id, cwd, "hello", "how are you"), id, cwd })
      }
      const cwdOf = (key: string): string => sessions.find((session) => session.key === key)?.cwd ?? ""
      const idOf = (key: string): string => sessions.find((session) => session.key === key)?.id ?? ""
      return {
        storage: folder.storage,
        reopen: async () => folder.open(),
        others: {
          sessions,
          grow: (key) => folder.say(key, idOf(key), cwdOf(key), "one more"),
          rewrite: (key) => writeFile(key, claudeFile(idOf(key), cwdOf(key), "something else")),
          remove: (key) => rm(key),
          state: () => stateOf(folder.dir),
        },
        teardown: folder.remove,
      }
    },
  },
)
