import { mkdirSync, readdirSync, readFileSync, renameSync, utimesSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { bytesOfText } from "@treelog/session-core/adapter"
import { userEntry } from "@treelog-internal/test-kit"
import { expect, test } from "vitest"
import { imageEntry, storeBlob } from "./images.js"
import { type Sandbox, sandbox } from "./sandbox.js"

/** Names there are only characters on Windows, and UTF-8 on macOS. */
const ifByteNames = test.skipIf(process.platform !== "linux")

/** A session that names a blob, with an artifact, in a bucket: all of them have Latin-1 names. */
function latin1Session(box: Sandbox): { path: string; hash: string } {
  const hash = storeBlob(box, "an image")
  const blob = join(box.agentDir, "blobs", hash)
  utimesSync(blob, 0, 0)
  const old = box.store([imageEntry("one", null, `blob:sha256:${hash}`), userEntry("two", "one")], { id: "latin" })
  const bucket = join(dirname(dirname(old)), "caf\uFFFDE9")
  mkdirSync(bytes(bucket))
  const path = join(bucket, "th\uFFFDE9.jsonl")
  renameSync(old, bytes(path))
  mkdirSync(bytes(path.replace(".jsonl", "")))
  writeFileSync(bytes(join(path.replace(".jsonl", ""), "not\uFFFDE9.txt")), "an artifact")
  return { path, hash }
}

function bytes(path: string): Buffer {
  return Buffer.from(bytesOfText(path) ?? Buffer.from(path))
}

ifByteNames("the blobs of a session whose name is not UTF-8 outlive every gc", async () => {
  const box = sandbox()
  const { hash } = latin1Session(box)
  for (let time = 0; time < 3; time++) {
    const { code, json } = await box.run(["blobs", "gc", "--apply", "--grace", "0s", "--json"])
    expect(code).toBe(0)
    expect(json).toMatchObject([{ swept: { count: 0 }, kept: { count: 1 }, scanned: { count: 2 } }])
    expect(readFileSync(join(box.agentDir, "blobs", hash), "utf8")).toBe("an image")
  }
})

ifByteNames(
  "such a session is listed, and every command finds it by its id and by the path that is printed",
  async () => {
    const box = sandbox()
    const { path } = latin1Session(box)
    expect((await box.run(["list", "--all", "--json"])).json).toMatchObject([{ path, id: "latin" }])
    expect(await box.run(["verify", "--all"])).toMatchObject({
      code: 0,
      stderr: "1 session, 2 entries: no damage.\n",
    })
    for (const ref of ["latin", "lat", path]) {
      for (const command of [["show"], ["context"], ["tree"], ["stats"], ["verify"], ["export", "--format", "jsonl"]]) {
        const [name = "", ...options] = command
        expect(await box.run([name, ref, ...options]), `${name} ${ref}`).toMatchObject({ code: 0 })
      }
      expect(await box.print("resume", ref)).toBe(path)
    }
    const stats = (await box.run(["stats", "--disk", "--json"])).json
    expect(stats).toMatchObject([{ artifacts: "an artifact".length }])
    await box.print("append", "latin", "--role", "user", "--text", "more")
    mkdirSync(join(box.project, "elsewhere"))
    await box.print("fork", "latin", "--to", "elsewhere")
    const forks = join(box.agentDir, "sessions", `--${join(box.project, "elsewhere").slice(1).replaceAll("/", "-")}--`)
    const artifacts = readdirSync(forks).find((name) => !name.endsWith(".jsonl")) ?? ""
    expect(readdirSync(join(forks, artifacts), "latin1")).toEqual(["not\xe9.txt"])
  },
)

ifByteNames("such a session goes to the trash and comes back, or goes for good", async () => {
  const box = sandbox()
  const { path } = latin1Session(box)
  await box.print("delete", "latin")
  expect((await box.run(["list", "--all", "--json"])).json).toEqual([])
  expect((await box.run(["trash", "ls", "--json"])).json).toMatchObject([{ id: "latin", from: path }])
  await box.print("trash", "restore", "latin")
  const artifact = bytes(join(path.replace(".jsonl", ""), "not\uFFFDE9.txt"))
  expect(readFileSync(artifact, "utf8")).toBe("an artifact")
  await box.print("delete", path)
  await box.print("trash", "empty", "--apply")
  expect(
    readdirSync(join(box.agentDir, "sessions"), { recursive: true }).filter((name) => /th/.test(String(name))),
  ).toEqual([])
})

ifByteNames("such a session is repaired, with the list of changes beside it", async () => {
  const box = sandbox()
  const { path } = latin1Session(box)
  writeFileSync(bytes(path), `${readFileSync(bytes(path), "utf8")}nonsense\n`)
  const [report] = (await box.run(["repair", "latin", "--json"])).json
  expect(report).toMatchObject({ changesFile: `${path}.repair.bak.changes.json` })
  expect(JSON.parse(readFileSync(bytes(String(report?.changesFile)), "utf8"))).toMatchObject({ v: 1, path })
})
