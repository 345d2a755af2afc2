import { appendFile, readdir, rm, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { sessionSourceContract } from "@treelog/session-core/testing"
import { describe, it } from "vitest"
import { LineSource, LineStorage, lineStorage } from "./line-source.js"

sessionSourceContract(
  { describe, it },
  {
    name: "AgentSessionStorage",
    example: new LineStorage({ source: new LineSource("/"), cacheDir: null }),
    setup: async () => {
      const { storage, open, folder, path, remove } = await lineStorage()
      const sessions = ["ada", "bob"].map((id) => ({ key: path(id), id, cwd: `/home/${id}/shop` }))
      for (const { key, cwd } of sessions) await writeFile(key, `${cwd}\nhello\nhow are you\n`)
      return {
        source: storage,
        reopen: async () => open().storage,
        sessions,
        grow: (key) => appendFile(key, "one more\n"),
        rewrite: (key) => writeFile(key, "/home/ada/shop\nsomething else\n"),
        remove: (key) => rm(key),
        state: async () => {
          const state: unknown[] = []
          for (const name of (await readdir(folder)).sort()) {
            const { size, mtimeMs } = await stat(join(folder, name))
            state.push([name, size, mtimeMs])
          }
          return state
        },
        teardown: remove,
      }
    },
  },
)
