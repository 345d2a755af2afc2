import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { blobRef } from "@treelog/session-core/adapter"
import { userEntry } from "@treelog-internal/test-kit"
import { expect, test } from "vitest"
import { MAIN } from "../built-imports.js"
import { hashOf, imageEntry, storeBlob } from "../images.js"
import { sampleEntries } from "../sample.js"
import { bucketScene } from "./bucket-scene.js"
import { addressOf, ask, databaseScene } from "./database-box.js"

const [one, two] = [databaseScene(), databaseScene()]
const bucket = bucketScene()

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".jsonl"))
    .sort()
    .map((name) => `${name}: ${readFileSync(join(folder, name), "utf8")}`)

test("sessions and blobs come from files to a database and a bucket, to another database, and back as they were", async () => {
  const box = one.machine(bucket.env())
  const { files } = box
  const hash = storeBlob(files, "bytes")
  files.store(sampleEntries(), { id: "sample" })
  files.store([userEntry("one", null), '{"torn'], { id: "torn" })
  files.store([imageEntry("out", null, blobRef(hash))], { id: "images" })
  const first = await box.run(["import", "--from", "../agent", "--to-blobs", "s3://blobs/one", "--all"])
  expect(first).toMatchObject({ code: 0, stderr: "3 sessions: 3 created, 0 appended to, 0 unchanged.\n" })
  expect(Buffer.from(bucket.fake.objects.get(`one/${hash}`)?.bytes ?? []).toString()).toBe("bytes")

  const TREELOG_BLOBS = "s3://blobs/two"
  const over = ["import", "--from", addressOf(one.database).replace(/:[^:@/]+@/, "@"), "--from-blobs", "s3://blobs/one"]
  const wrong = await box.run([...over, "--to", addressOf(two.database).replace(/:[^:@/]+@/, "@"), "--all"])
  expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining("it asks for a password") })

  const world = { env: { PGPASSWORD: one.database.password, TREELOG_STORE: addressOf(two.database), TREELOG_BLOBS } }
  expect(await box.run([...over, "--all"], world)).toMatchObject({ code: 0 })
  expect(bucket.fake.objects.has(`two/${hash}`)).toBe(true)
  const from = addressOf(two.database).replace(/:[^:@/]+@/, "@")
  const back = await box.run(["import", "--from", from, "--to", "../back", "--all"], world)
  expect(back).toMatchObject({ code: 0, stderr: "3 sessions: 3 created, 0 appended to, 0 unchanged.\n" })
  expect(filesIn(`${files.folder}/back/sessions`)).toEqual(filesIn(`${files.agentDir}/sessions`))
  expect(readFileSync(`${files.folder}/back/blobs/${hash}`, "utf8")).toBe("bytes")
})

test("run again, it copies what is new, and a session that differs gets a branch", async () => {
  const box = one.machine()
  const path = box.files.store([userEntry("one", null)], { id: "grown" })
  const other = box.files.store([userEntry("one", null)], { id: "other" })
  await box.print("import", "--from", "../agent", "--all")
  await box.print("append", "other", "--role", "user", "--text", "in the database")
  await box.files.print("append", path, "--role", "user", "--text", "in the file")
  await box.files.print("append", other, "--role", "user", "--text", "also in the file")
  const { code, stdout } = await box.run(["import", "--from", "../agent", "--all"])
  expect(code).toBe(0)
  expect(stdout).toMatch(/grown appended/)
  expect(stdout).toMatch(/other branched/)
  expect(await box.print("show", "grown")).toContain("in the file")
  expect(await box.print("show", "other")).toContain("in the database")
  expect(await box.print("tree", "other")).toContain("also in the file")
})

test("a bundle of a database has its sessions, projects and blobs, and another store gets them", async () => {
  const box = one.machine({ ...bucket.env(), TREELOG_BLOBS: "s3://blobs/bundled" })
  const hash = storeBlob(box.files, "bytes")
  const path = box.files.store([imageEntry("out", null, blobRef(hash))], { id: "bundled" })
  await box.print("import", "--from", "../agent", "--all")
  await box.print("bundle", "bundled", "-o", "../out.tar.gz")
  expect(await box.print("import", "../out.tar.gz", "--json")).toContain('"status":"unchanged"')
  const files = await box.run(["import", "../out.tar.gz", "--store", "../third", "--json"])
  expect(files.json).toMatchObject([{ status: "created", missingBlobs: [] }])
  expect(readFileSync(String(files.json[0]?.to), "utf8")).toBe(readFileSync(path, "utf8"))
  expect(existsSync(join(box.files.folder, "third", "blobs", hash))).toBe(true)
})

test("without a place for blobs, a session that refers to one fails, and others are copied", async () => {
  const box = one.machine()
  const hash = storeBlob(box.files, "bytes")
  box.files.store([imageEntry("out", null, blobRef(hash))], { id: "needs-blob" })
  box.files.store([userEntry("one", null)], { id: "needs-none" })
  const { code, stdout, stderr } = await box.run(["import", "--from", "../agent", "--all"])
  expect(code).toBe(1)
  expect(stdout).toMatch(/UsageError The session refers to blobs, which need a place: name one with --to-blobs/)
  expect(stderr).toContain("2 sessions: 1 created, 0 appended to, 0 unchanged, 1 failed.")
  expect(await box.print("list")).not.toContain("needs-blob")
})

test("an image goes into the bucket with `append`, and `slim` and `inflate` move others there and back", async () => {
  const box = one.machine({ ...bucket.env(), TREELOG_BLOBS: "s3://blobs/images" })
  box.files.store([imageEntry("in", null, 7)], { id: "inline" })
  await box.print("import", "--from", "../agent", "--all")
  const slimmed = await box.run(["blobs", "slim", "inline", "--json"])
  expect(slimmed.json).toMatchObject([{ changed: 1, blobs: { folder: "s3://blobs/images", hashes: [hashOf(7)] } }])
  expect(await box.print("blobs", "ls")).toContain(hashOf(7))
  expect(await box.run(["export", "--format", "html"])).toMatchObject({ code: 0 })
  expect((await box.run(["stats", "@last", "--json"])).json).toMatchObject([
    { blobs: { folders: ["s3://blobs/images"], count: 1, missing: 0 } },
  ])
  const { json } = await box.run(["blobs", "inflate", "inline", "--json"])
  expect(json).toMatchObject([{ changed: 1 }])
  expect((await box.run(["blobs", "gc"])).code).toBe(2)
  expect((await box.run(["blobs", "verify"])).stderr).toContain("s3://blobs/images is not a folder")
})

test("files can have their blobs in a bucket", async () => {
  const box = one.machine({ ...bucket.env(), TREELOG_STORE: "", TREELOG_BLOBS: "s3://blobs/files" })
  box.files.store([imageEntry("in", null, 9)], { id: "inline" })
  await box.print("blobs", "slim", "inline")
  expect(bucket.fake.objects.has(`files/${hashOf(9)}`)).toBe(true)
  expect(existsSync(`${box.files.agentDir}/blobs`)).toBe(false)
  expect(await box.print("blobs", "inflate", "inline")).toContain("s3://blobs/files")
})

test.each(["to a database", "to files"])(
  "killed in the middle of copying %s, it goes on where it was",
  async (where) => {
    const box = two.machine()
    const { files } = box
    const COUNT = 40
    for (let at = 0; at < COUNT; at++)
      files.store([userEntry("one", null, `${at} ${"word ".repeat(30_000)}`)], {
        id: `${where.replaceAll(" ", "-")}-${at}`,
      })
    const expected = filesIn(`${files.agentDir}/sessions`)
    const env = {
      PATH: process.env.PATH,
      HOME: files.folder,
      TREELOG_AGENT_DIR: files.agentDir,
      PGPASSWORD: two.database.password,
    }
    const database = addressOf(two.database).replace(/:[^:@/]+@/, "@")
    const argv = (from: string, to: string): string[] => ["import", "--all", "--from", from, "--to", to]
    const target = where === "to files" ? "../copy" : database
    if (where === "to files") {
      await ask(two.database, "delete from treelog.session")
      await box.print("import", "--from", "../agent", "--all")
    }
    const command = argv(where === "to files" ? database : "../agent", target)
    const world = { env: { PGPASSWORD: two.database.password } }
    const child = spawn(process.execPath, [MAIN, ...command], { cwd: files.project, env })
    let lines = 0
    child.stdout.on("data", (text) => {
      lines += String(text).split("\n").length - 1
      if (lines >= 5) child.kill("SIGKILL")
    })
    await once(child, "close")
    expect(lines).toBeLessThan(COUNT)
    // What waiting for half a minute does: the lease of the killed one lapses.
    await ask(two.database, "update treelog.lease set expires = now() - interval '1 second'")
    const again = await box.run(command, world)
    expect(again).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^40 sessions: \d+ created, \d+ appended to, [1-9]\d* unchanged\.\n$/),
    })
    if (where === "to a database") expect(await box.run(argv(database, "../copy"), world)).toMatchObject({ code: 0 })
    const copied = filesIn(`${files.folder}/copy/sessions`).filter((file) => file.includes(where.replaceAll(" ", "-")))
    expect(copied).toEqual(expected)
  },
)
