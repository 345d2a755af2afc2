import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { sessionStorageContract } from "@treelog/session-core/testing"
import { FileSessionStorage, type FileSessionStorageOptions } from "@treelog/storage-fs"
import { losingNextAnswer } from "@treelog-internal/test-kit"
import { describe, it } from "vitest"
import { companions } from "./companions.js"

/** @param optionsIn where the sessions are in a folder of the test */
export function keepsContract(which: string, optionsIn: (dir: string) => FileSessionStorageOptions): void {
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
