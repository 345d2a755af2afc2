// A program of its own: runs the contract suites against what is installed beside it, on whatever runs this.
import { mkdir, mkdtemp, open, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { FileBlobStore } from "@treelog/blob-store"
import { SqlitePromptHistory } from "@treelog/history-sqlite"
import { SqliteSessionIndex } from "@treelog/index-sqlite"
import { blobStoreContract, sessionStorageContract, type TestRunner } from "@treelog/session-core/testing"
import { artifactsFolder, FileSessionStorage } from "@treelog/storage-fs"
import { sessionIndexContract } from "@treelog-internal/test-kit/session-index"

const tests: { name: string; body: () => Promise<void> }[] = []
const path: string[] = []
const runner: TestRunner = {
  describe(name, body) {
    path.push(name)
    body()
    path.pop()
  },
  it(name: string, body: () => Promise<void>) {
    tests.push({ name: [...path, name].join(" > "), body })
  },
  skip() {},
}

const newFolder = () => mkdtemp(join(tmpdir(), "treelog-contract-"))
const removed = (folder: string) => rm(folder, { recursive: true, force: true })

const companionPath = (key: string, name: string) => join(artifactsFolder(key) ?? "", name)
const companions = {
  async write(key: string, name: string, bytes: Uint8Array) {
    await mkdir(artifactsFolder(key) ?? "", { recursive: true })
    await writeFile(companionPath(key, name), bytes)
  },
  read: (key: string, name: string) => readFile(companionPath(key, name)).catch(() => undefined),
}

sessionStorageContract(runner, {
  name: "FileSessionStorage",
  example: new FileSessionStorage(),
  processes: true,
  durable: true,
  setup: async () => {
    const agentDir = await newFolder()
    const make = () => new FileSessionStorage({ agentDir, terminalId: "test" })
    return { storage: make(), reopen: async () => make(), companions, teardown: () => removed(agentDir) }
  },
})

blobStoreContract(runner, {
  name: "FileBlobStore",
  setup: async () => {
    const folder = await newFolder()
    return { folder, store: new FileBlobStore(folder), teardown: () => removed(folder) }
  },
  reopen: async ({ folder }) => new FileBlobStore(folder),
  damage: async ({ folder }, hash) => {
    const file = await open(join(folder, hash), "r+")
    await file.write(Buffer.from("damaged"), 0, 7, 0)
    await file.close()
  },
})

runner.it("SqlitePromptHistory keeps prompts, finds, imports and deletes them", async () => {
  const folder = await newFolder()
  const open = () => new SqlitePromptHistory({ path: join(folder, "history.db"), ignore: { secrets: false } })
  const history = open()
  history.add("fix the login")
  await history.import([{ text: "the old café", createdAt: 0 }])
  await history.delete({ query: "login" })
  await history.close()
  const again = open()
  const found = [...(await again.search("LOGIN")), ...(await again.search("cafe"))].map(({ text }) => text)
  await again.close()
  await removed(folder)
  if (found.join() !== "the old café") throw new Error(`found ${JSON.stringify(found)}`)
})

sessionIndexContract(runner, {
  name: "SqliteSessionIndex",
  setup: async (storage) => {
    const folder = await newFolder()
    const make = () => new SqliteSessionIndex({ storage, path: join(folder, "index.db") })
    const index = make()
    const teardown = async () => {
      await index.close()
      await removed(folder)
    }
    return { index, make, teardown }
  },
  reopen: async ({ make }) => make(),
})

const failed: string[] = []
for (const { name, body } of tests) {
  try {
    await body()
  } catch (error) {
    failed.push(`${name}: ${error instanceof Error ? error.stack : error}`)
  }
}
console.log(JSON.stringify({ passed: tests.length - failed.length, failed }))
