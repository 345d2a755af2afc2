import { readFileSync, rmSync } from "node:fs"
import { claudeFile } from "@treelog-internal/test-kit"
import { testDatabase } from "@treelog-internal/test-kit/postgres"
import { expect, test } from "vitest"
import { type Sandbox, sandbox } from "../sandbox.js"
import { bucketScene } from "./bucket-scene.js"
import { addressOf } from "./database-box.js"

const database = testDatabase()
const bucket = bucketScene()

const ID = "aaaaaaaa-0000-4000-8000-00000000000a"

/** What `keep` sends to an address, and another machine brings back from it. */
async function thereAndBack(address: string, env: Record<string, string>): Promise<void> {
  const [box, other, third] = [sandbox(), sandbox(), sandbox()]
  const path = box.write(`.claude/projects/-shop/${ID}.jsonl`, claudeFile(ID, box.project, "Find the walnut"))
  const bytes = readFileSync(path)
  const keep = async (at: Sandbox, ...args: string[]) => {
    const { code, stderr, json } = await at.run(["keep", "--json", ...args], { env })
    expect(code, stderr).toBe(0)
    return json[0]
  }
  expect(await keep(box, "--into", address)).toMatchObject({ sent: { files: 1, bytes: bytes.length, failed: 0 } })
  expect(await keep(box, "--into", address)).toMatchObject({ sent: { files: 0, bytes: 0 } })
  const found = await other.run(["keep", "--into", address], { env })
  expect([found.code, found.stderr]).toEqual([1, expect.stringContaining("has the copies of another machine")])
  expect(await keep(third, "--from", address)).toMatchObject({ files: 1, bytes: bytes.length, failed: 0 })
  expect((await third.run(["list", "--all", "--json"])).json).toMatchObject([{ id: ID, store: "claude-code:kept" }])
  expect((await third.run(["search", "walnut", "--all", "--json"])).stdout).toContain(ID)
  const restored = await third.print("restore", ID)
  expect(readFileSync(restored)).toEqual(bytes)
  // Deleted on both, it is there; from there on, the new machine sends.
  rmSync(path)
  expect(await keep(third, "--into", address)).toMatchObject({ sent: { files: 0 } })
}

test("copies go to a bucket, and from there to another machine, where they are listed, found and restored", async () => {
  await thereAndBack("s3://blobs/laptop", bucket.env())
  expect([...bucket.fake.objects.keys()].every((name) => name.startsWith("laptop/"))).toBe(true)
})

test("copies go to a database, and from there to another machine", async () => {
  await thereAndBack(addressOf(database).replace(/:[^:@/]+@/, "@"), { PGPASSWORD: database.password })
})

test("what is no place, a timer without keys, and a bucket that does not answer are said; the copies are kept", async () => {
  const box = sandbox()
  box.write(`.claude/projects/-shop/${ID}.jsonl`, claudeFile(ID, box.project, "Find the walnut"))
  for (const [args, says] of [
    [["--from", "/mnt/disk"], "--from takes s3://bucket/prefix or postgres://host/database."],
    [["--into", "ftp://host/x"], "begins with postgres://"],
    [["--into", "s3://blobs/x", "--install"], "A timer has no keys"],
    [["--from", "s3://blobs/none"], "has no copies"],
  ] as const) {
    const { code, stderr } = await box.run(["keep", ...args], { env: bucket.env() })
    expect([code === 0, stderr]).toEqual([false, expect.stringContaining(says)])
  }
  const away = { env: { ...bucket.env(), AWS_ENDPOINT_URL_S3: "http://127.0.0.1:9" } }
  const { code, json } = await box.run(["keep", "--into", "s3://blobs/x", "--json"], away)
  expect([code, json[0]]).toEqual([1, expect.objectContaining({ files: 1, changed: 1, failed: 1 })])
})
