import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { FileSessionStorage } from "@treelog/storage-fs"
import { sessionText, testHeader } from "@treelog-internal/test-kit"
import { expect, onTestFinished, test } from "vitest"

function given() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "treelog-artifacts-")))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const write = (path: string, text: string): string => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
    return join(folder, path)
  }
  const [from, key] = ["one", "two"].map((id) => write(`sessions/--x--/${id}.jsonl`, sessionText(testHeader({ id }))))
  const storage = new FileSessionStorage({ agentDir: folder, cacheDir: null })
  return { folder, write, storage, from: from ?? "", key: key ?? "" }
}

test("addArtifacts copies the files that are missing, and leaves those that are there", async () => {
  const { folder, write, storage, from, key } = given()
  for (const name of ["new.txt", "deep/er/new.txt", "same.txt", "other.txt"])
    write(`sessions/--x--/one/${name}`, `one ${name}`)
  symlinkSync("new.txt", join(folder, "sessions/--x--/one/link"))
  write("sessions/--x--/two/same.txt", "one same.txt")
  const other = write("sessions/--x--/two/other.txt", "two other.txt")
  const grown = write("sessions/--x--/two/grown.txt", "one grow")
  write("sessions/--x--/one/grown.txt", "one grown")
  const left = ["link", "other.txt"]
  expect(await storage.addArtifacts(key, storage.artifacts(from))).toEqual({ added: 3, left })
  expect(readFileSync(grown, "utf8")).toBe("one grown")
  const names = readdirSync(join(folder, "sessions/--x--/two"), { recursive: true, encoding: "utf8" }).sort()
  expect(names).toEqual(["deep", "deep/er", "deep/er/new.txt", "grown.txt", "new.txt", "other.txt", "same.txt"])
  expect(readFileSync(other, "utf8")).toBe("two other.txt")
  expect(readdirSync(join(folder, "sessions/--x--")).sort()).toEqual(["one", "one.jsonl", "two", "two.jsonl"])
  expect(await storage.addArtifacts(key, storage.artifacts(from))).toEqual({ added: 0, left })
  const replaced = { added: 1, left: ["link"] }
  expect(await storage.addArtifacts(key, storage.artifacts(from), { replace: true })).toEqual(replaced)
  expect(readFileSync(other, "utf8")).toBe("one other.txt")
  const named = async function* (name: string) {
    yield { name, chunks: (async function* () {})() }
  }
  const long = "n".repeat(300)
  for (const name of ["../up.txt", "/abs.txt", "deep/../up.txt", "", long])
    expect(await storage.addArtifacts(key, named(name))).toEqual({ added: 0, left: [name] })
})

test("addArtifacts writes nothing behind a link, and takes no lease where nothing is missing", async () => {
  const { folder, write, storage, from, key } = given()
  write("sessions/--x--/one/deep/new.txt", "new")
  mkdirSync(join(folder, "elsewhere"))
  mkdirSync(join(folder, "sessions/--x--/two"))
  symlinkSync(join(folder, "elsewhere"), join(folder, "sessions/--x--/two/deep"))
  const lease = await storage.lease(key, { access: "exclusive", waitMs: 0 })
  expect(await storage.addArtifacts(key, storage.artifacts(from))).toEqual({ added: 0, left: ["deep/new.txt"] })
  write("sessions/--x--/one/new.txt", "new")
  await expect(storage.addArtifacts(key, storage.artifacts(from))).rejects.toMatchObject({ code: "SessionBusyError" })
  await lease.release()
  expect(readdirSync(join(folder, "elsewhere"))).toEqual([])
})

test("artifacts reads the files of a session by their paths, and links by name alone", async () => {
  const { folder, write, storage, from, key } = given()
  write("sessions/--x--/one/note.txt", "a note")
  write("sessions/--x--/one/subagents/agent-1.jsonl", sessionText(testHeader({ id: "agent-1" })))
  write("elsewhere/secret.txt", "not of this session")
  symlinkSync(join(folder, "elsewhere"), join(folder, "sessions/--x--/one/folder"))
  symlinkSync(join(folder, "elsewhere/secret.txt"), join(folder, "sessions/--x--/one/file"))
  const read = async (of: string): Promise<[string, string | undefined][]> => {
    const found: [string, string | undefined][] = []
    for await (const { name, chunks } of storage.artifacts(of)) {
      if (!chunks) {
        found.push([name, undefined])
        continue
      }
      const bytes: Buffer[] = []
      for await (const chunk of chunks) bytes.push(Buffer.from(chunk))
      found.push([name, Buffer.concat(bytes).toString()])
    }
    return found
  }
  expect(await read(from)).toEqual([
    ["file", undefined],
    ["folder", undefined],
    ["note.txt", "a note"],
    ["subagents/agent-1.jsonl", sessionText(testHeader({ id: "agent-1" }))],
  ])
  expect(await read(key)).toEqual([])
})
