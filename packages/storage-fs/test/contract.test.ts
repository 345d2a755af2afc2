import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { sessionStorageContract } from "@treelog/session-core/testing"
import { losingNextAnswer } from "@treelog-internal/test-kit"
import { describe, it } from "vitest"
import { artifactsFolder, FileSessionStorage, type FileSessionStorageOptions } from "../src/index.js"

const { supports } = new FileSessionStorage()

const layouts: Record<string, (dir: string) => FileSessionStorageOptions> = {
  "in buckets": (agentDir) => ({ agentDir }),
  "in one folder": (dir) => ({ agentDir: join(dir, "agent"), sessionDir: join(dir, "flat") }),
}

for (const [which, optionsIn] of Object.entries(layouts)) {
  sessionStorageContract(
    { describe, it },
    {
      name: `FileSessionStorage ${which}`,
      supports,
      losesAnswers: true,
      setup: async () => {
        const dir = await mkdtemp(join(tmpdir(), "treelog-contract-"))
        const options = { ...optionsIn(dir), terminalId: "test" }
        return {
          ...losingNextAnswer(new FileSessionStorage(options)),
          reopen: async () => new FileSessionStorage(options),
          companions: { write: writeCompanion, read: readCompanion },
          teardown: () => rm(dir, { recursive: true, force: true }),
        }
      },
    },
  )
}

async function writeCompanion(key: string, name: string, bytes: Uint8Array): Promise<void> {
  const folder = artifactsFolder(key) ?? ""
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, name), bytes)
}

function readCompanion(key: string, name: string): Promise<Uint8Array | undefined> {
  return readFile(join(artifactsFolder(key) ?? "", name)).catch(() => undefined)
}
