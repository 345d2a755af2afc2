import { rm, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { nodeFs, type SweepOptions, sweep } from "@treelog/blob-store"
import { blobRef } from "@treelog/session-core/adapter"
import type { FolderEntry } from "@treelog-internal/fs"
import { FaultFs } from "@treelog-internal/test-kit/fault-fs"
import { describe, expect, it } from "vitest"
import { type Agent, agent, fileNaming, lineNaming, namesIn, oldBlob } from "./folders.js"

/** A home with a blob that would go, were the sweep not to refuse. */
async function homeWithLostBlob(): Promise<Agent & { readonly lost: string; readonly root: string }> {
  const home = await agent()
  await fileNaming(home, "--a--/one.jsonl", lineNaming())
  return { ...home, root: home.roots[0] ?? "", lost: await oldBlob(home, "lost") }
}

async function expectRefused(home: Agent & { lost: string }, options: Partial<SweepOptions>, error: object) {
  for (const apply of [false, true]) {
    await expect(sweep({ blobs: home.blobs, roots: home.roots, apply, ...options })).rejects.toMatchObject(error)
    expect(await namesIn(home.blobs)).toEqual([home.lost])
  }
}

describe("a sweep refuses, and takes nothing away,", () => {
  it("when a root is not there", async () => {
    const home = await homeWithLostBlob()
    const missing = join(home.dir, "missing")
    const error = { code: "StorageError", data: { key: missing, errno: "ENOENT" } }
    await expectRefused(home, { roots: [...home.roots, missing] }, error)
  })

  it("when a root is no folder", async () => {
    const home = await homeWithLostBlob()
    const file = await fileNaming(home, "file", "")
    await expectRefused(home, { roots: [file] }, { code: "StorageError", data: { key: file, errno: "ENOTDIR" } })
  })

  it("when a registered session is not there", async () => {
    const home = await homeWithLostBlob()
    const missing = join(home.dir, "missing.jsonl")
    await expectRefused(home, { files: [missing] }, { code: "StorageError", data: { key: missing, errno: "ENOENT" } })
  })

  it.each(["open", "file.read", "file.stat", "stat", "readdir"])("when %s fails below a root", async (operation) => {
    const home = await homeWithLostBlob()
    await fileNaming(home, "--b--/two.jsonl", lineNaming())
    const plan = { fault: "EPERM", operation, times: Number.POSITIVE_INFINITY } as const
    const error = { code: "StorageError", data: { errno: "EPERM" } }
    for (const at of [1, 2]) await expectRefused(home, { fs: new FaultFs(nodeFs, { ...plan, at }).fs }, error)
  })

  it("when a folder names a file that the system does not find, however often it is asked", async () => {
    const home = await homeWithLostBlob()
    const ghost = join(home.root, "ghost.jsonl")
    const readdir = async (path: string) => [
      ...(await nodeFs.readdir(path)),
      ...(path === home.root ? [fileNamed("ghost.jsonl")] : []),
    ]
    await expectRefused(
      home,
      { fs: { ...nodeFs, readdir } },
      { code: "StorageError", data: { key: ghost, errno: "ENOENT" } },
    )
  })

  it("but not for what its folder no longer names", async () => {
    const home = await homeWithLostBlob()
    let isNamed = true
    const readdir = async (path: string) => {
      const entries = await nodeFs.readdir(path)
      if (path !== home.root || !isNamed) return entries
      isNamed = false
      return [...entries, fileNamed("gone.lock")]
    }
    expect((await sweep({ ...home, fs: { ...nodeFs, readdir }, apply: true })).swept.count).toBe(1)
    expect(isNamed).toBe(false)
  })

  it.skipIf(process.platform === "win32")("when a link leads nowhere: the disk may be away", async () => {
    const home = await homeWithLostBlob()
    const link = join(home.root, "--away--")
    await symlink(join(home.dir, "not-mounted"), link)
    await expectRefused(home, {}, { code: "StorageError", data: { key: link, errno: "ENOENT" } })
    await rm(link)
    expect((await sweep({ ...home, apply: true })).swept.count).toBe(1)
  })

  it.each([
    ["is not JSON", "{oops\n", 2],
    ["is no object", "[1]\n", 2],
    ["is of NULs, as a power failure leaves it", `${"\0".repeat(64)}\n`, 2],
    ["is not UTF-8", Buffer.from([0x7b, 0xff, 0x7d, 0x0a]), 2],
    ["has two records glued together, the second one torn", '{"a":1}{"b":\n', 2],
  ])("when a line %s, and says where", async (_, bad, line) => {
    const home = await homeWithLostBlob()
    const content = Buffer.concat([Buffer.from(lineNaming()), Buffer.from(bad), Buffer.from(lineNaming())])
    const path = await fileNaming(home, "--a--/one/sub.jsonl", content)
    await expectRefused(
      home,
      {},
      {
        code: "InvalidSessionError",
        data: { key: path, found: expect.stringContaining(`Line ${line}`) },
        message: expect.stringContaining(path),
      },
    )
    expect((await sweep({ ...home, allowUnparsable: true })).unparsable).toMatchObject([{ path, line }])
  })

  it("when a session cannot be parsed any more after a batch was taken: it goes back", async () => {
    const home = await homeWithLostBlob()
    const fs = {
      ...nodeFs,
      rename: async (from: string, to: string) => {
        await nodeFs.rename(from, to)
        await fileNaming(home, "bad.jsonl", "{oops\n\n")
      },
    }
    await expect(sweep({ ...home, apply: true, fs })).rejects.toMatchObject({ code: "InvalidSessionError" })
    expect(await home.store.has(home.lost)).toBe(true)
  })

  it("when the roots hold no file at all: a disk that is away looks like this", async () => {
    const home = await homeWithLostBlob()
    await rm(join(home.root, "--a--"), { recursive: true })
    await expectRefused(home, {}, { code: "InvalidArgumentError", data: { argument: "roots" } })
    await expectRefused(home, { roots: [] }, { code: "InvalidArgumentError", data: { argument: "roots" } })
  })

  it("when a root is the folder of the blobs", async () => {
    const home = await homeWithLostBlob()
    const error = { code: "InvalidArgumentError", data: { argument: "roots", value: home.blobs } }
    await expectRefused(home, { roots: [...home.roots, home.blobs] }, error)
  })

  it.each([-1, Number.NaN])("when the grace period is %d", async (graceMs) => {
    const home = await homeWithLostBlob()
    await expectRefused(home, { graceMs }, { code: "InvalidArgumentError", data: { argument: "graceMs" } })
  })

  it("when it was aborted", async () => {
    const home = await homeWithLostBlob()
    const reason = new Error("enough")
    await expectRefused(home, { signal: AbortSignal.abort(reason) }, reason)
  })
})

describe("a sweep goes on", () => {
  it("with sessions that have a BOM, CRLF, blank lines, a title slot, or no line end", async () => {
    const home = await homeWithLostBlob()
    const title = `${JSON.stringify({ type: "title", title: "x" })}${" ".repeat(200)}`
    await fileNaming(home, "odd.jsonl", `\uFEFF${title}\r\n\r\n  \n${lineNaming().trimEnd()}`)
    await fileNaming(home, "empty.jsonl", "")
    await fileNaming(home, "torn.jsonl", `${lineNaming()}{"type":"mess`)
    expect((await sweep(home)).swept.count).toBe(1)
  })

  it("with a line that was cut off by a crash and closed by the next writer, which it reports; what it names in full stays", async () => {
    const home = await homeWithLostBlob()
    const named = await oldBlob(home, "named in a torn line")
    const torn = `{"type":"message","data":"${blobRef(named)}","text":"\u00e9`
    const bytesOfTorn = Buffer.from(torn).subarray(0, -1)
    const content = Buffer.concat([Buffer.from(lineNaming()), bytesOfTorn, Buffer.from(`\n${lineNaming()}`)])
    const path = await fileNaming(home, "crashed.jsonl", content)
    const report = await sweep({ ...home, apply: true })
    expect(report.swept.hashes).toEqual([home.lost])
    expect(report.unparsable).toMatchObject([{ path, line: 2, message: expect.stringContaining("Line 2") }])
    expect(await home.store.has(named)).toBe(true)
  })

  it("but not where another line of such a session cannot be parsed", async () => {
    const home = await homeWithLostBlob()
    await fileNaming(home, "crashed.jsonl", `{"type":"mess\n{"type":"message"}\n{oops}\n`)
    await expectRefused(home, {}, { code: "InvalidSessionError", data: { found: expect.stringContaining("Line 3") } })
  })

  it("with a session whose lines are longer than a chunk", async () => {
    const home = await homeWithLostBlob()
    const long = JSON.stringify({ type: "custom", data: "x".repeat(1_000_000) })
    await fileNaming(home, "long.jsonl", `${long}\n${lineNaming(home.lost)}${long}\n`)
    expect((await sweep(home)).kept.count).toBe(1)
  })

  it("without what goes away while it looks", async () => {
    const home = await homeWithLostBlob()
    const path = await fileNaming(home, "--a--/two.jsonl", lineNaming())
    for (const call of ["stat", "open"] as const) {
      await writeFile(path, lineNaming())
      const fs = { ...nodeFs }
      if (call === "stat")
        fs.stat = async (name, options) => {
          if (name === path) await rm(path, { force: true })
          return nodeFs.stat(name, options)
        }
      else
        fs.open = async (name, flags, mode) => {
          if (name === path) await rm(path, { force: true })
          return nodeFs.open(name, flags, mode)
        }
      expect((await sweep({ ...home, fs })).swept.count).toBe(1)
    }
  })
})

function fileNamed(name: string): FolderEntry {
  return { name, isFile: () => true, isDirectory: () => false, isSymbolicLink: () => false }
}
