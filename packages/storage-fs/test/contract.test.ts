import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { sessionStorageContract } from "@treelog/session-core/testing"
import { losingNextAnswer } from "@treelog-internal/test-kit"
import { describe, it } from "vitest"
import { FileSessionStorage, type FileSessionStorageOptions } from "../src/index.js"
import { companions } from "./companions.js"

const layouts: Record<string, (dir: string) => FileSessionStorageOptions> = {
  "in buckets": (agentDir) => ({ agentDir }),
  "in one folder": (dir) => ({ agentDir: join(dir, "agent"), sessionDir: join(dir, "flat") }),
}

for (const [which, optionsIn] of Object.entries(layouts)) {
  sessionStorageContract(
    { describe, it },
    {
      name: `FileSessionStorage ${which}`,
      example: new FileSessionStorage(),
      processes: true,
      durable: true,
      losesAnswers: true,
      setup: async () => {
        const dir = await mkdtemp(join(tmpdir(), "treelog-contract-"))
        const options = { ...optionsIn(dir), terminalId: "test" }
        return {
          ...losingNextAnswer(new FileSessionStorage(options)),
          reopen: async () => new FileSessionStorage(options),
          companions,
          teardown: () => rm(dir, { recursive: true, force: true }),
        }
      },
    },
  )
}
