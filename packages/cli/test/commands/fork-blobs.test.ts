import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { hashOf, imageEntry } from "../images.js"
import { type Sandbox, sandbox } from "../sandbox.js"

/** A session with two images in a store that is not the one that commands work on, and a transcript of a sub-agent with a third. */
async function given(): Promise<{ box: Sandbox; path: string; other: string }> {
  const box = sandbox()
  const path = box.store([imageEntry("one", null, 1), imageEntry("two", "one", 2)])
  const agent = box.store([imageEntry("three", null, 3)], { id: "agent" })
  for (const session of [path, agent]) await box.print("blobs", "slim", session)
  const artifacts = path.replace(/\.jsonl$/, "")
  mkdirSync(artifacts)
  renameSync(agent, join(artifacts, "agent.jsonl"))
  const other = join(box.folder, "other")
  renameSync(box.agentDir, other)
  return { box, path: path.replace(box.agentDir, other), other }
}

const blobsIn = (store: string): string[] =>
  (existsSync(join(store, "blobs")) ? readdirSync(join(store, "blobs")) : []).sort()

test("a fork from another store brings the blobs along, those of its artifacts too", async () => {
  const { box, path, other } = await given()
  const { code, stderr } = await box.run(["fork", path])
  expect({ code, stderr }).toEqual({ code: 0, stderr: `3 blobs, 9 KB, copied to ${box.agentDir}/blobs\n` })
  expect(blobsIn(box.agentDir)).toEqual(blobsIn(other))
  rmSync(other, { recursive: true })
  expect((await box.run(["verify", "@last"])).code).toBe(0)
  expect((await box.run(["context", "@last", "--json"])).json[0]?.diagnostics).toEqual([])
})

test("with --leaf or --before it brings those of the way to the entry, and of the artifacts", async () => {
  for (const place of [
    ["--leaf", "one"],
    ["--before", "two"],
  ]) {
    const { box, path } = await given()
    expect((await box.run(["fork", path, ...place])).code).toBe(0)
    expect(blobsIn(box.agentDir)).toEqual([hashOf(1), hashOf(3)].sort())
    expect((await box.run(["verify", "@last"])).code).toBe(0)
  }
})

test("it goes on without blobs that are missing or damaged, and says so", async () => {
  const { box, path, other } = await given()
  rmSync(join(other, "blobs", hashOf(1)))
  writeFileSync(join(other, "blobs", hashOf(2)), "damaged")
  const before = blobsIn(other)
  const { code, stderr } = await box.run(["fork", path])
  expect(code).toBe(0)
  expect(stderr).toBe(
    `1 blob, 3 KB, copied to ${box.agentDir}/blobs\n2 blobs of the session missing or damaged in ${other}/blobs; \`treelog verify\` lists them.\n`,
  )
  expect(blobsIn(box.agentDir)).toEqual([hashOf(3)])
  expect(blobsIn(other)).toEqual(before)
})

test("a fork within the store copies none, and says nothing of blobs", async () => {
  const box = sandbox()
  box.store([imageEntry("one", null, 1)])
  await box.print("blobs", "slim", "@last")
  const { code, stderr } = await box.run(["fork", "@last"])
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
})
