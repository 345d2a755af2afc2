import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { blobRef } from "@treelog/session-core/adapter"
import { userEntry } from "@treelog-internal/test-kit"
import { describe, expect, test } from "vitest"
import { hold } from "../housekeeping-box.js"
import { hashOf, imageEntry, storeBlob } from "../images.js"
import { sampleEntries } from "../sample.js"
import { type Sandbox, sandbox } from "../sandbox.js"

const TO_COPY = ["import", "--from", "treelog", "--to", "../copy"]
const text = (path: string): string => readFileSync(path, "utf8")
const inCopy = (path: string): string => path.replace("/agent/", "/copy/")

/** The files of the store, with their bytes. */
const files = (box: Sandbox, folder: string): string[] => box.snapshot().filter((line) => line.startsWith(folder))

describe("copy", () => {
  test("Sessions are copied byte for byte, with blobs and artifacts; the source is only read.", async () => {
    const box = sandbox()
    const hash = storeBlob(box, "bytes")
    const paths = [
      box.store(sampleEntries(), { id: "sample" }),
      box.store([userEntry("one", null), '{"torn'], { id: "torn" }),
      box.store([{ type: "message", message: userEntry("", null) }], { id: "old", version: 1 }),
      box.store([userEntry("one", null)], { id: "newer", version: 9 }),
      box.store([imageEntry("out", null, blobRef(hash))], { id: "images" }),
    ]
    box.write(`${paths[0]?.slice(box.folder.length, -".jsonl".length)}/notes.txt`, "notes")
    const before = files(box, "agent")
    const { code, json } = await box.run([...TO_COPY, "--all", "--json"])
    expect(code).toBe(0)
    expect(json.map(({ path, to, status, artifactsLeft }) => ({ path, to, status, artifactsLeft }))).toEqual(
      [...paths].sort().map((path) => ({ path, to: inCopy(path), status: "created", artifactsLeft: [] })),
    )
    expect(paths.map((path) => text(inCopy(path)))).toEqual(paths.map(text))
    expect(text(`${box.folder}/copy/blobs/${hash}`)).toBe("bytes")
    expect(text(`${inCopy(paths[0] ?? "").slice(0, -".jsonl".length)}/notes.txt`)).toBe("notes")
    expect(files(box, "agent")).toEqual(before)
  })

  test("Run again, it copies what is new; one that went its own way gets a branch, once.", async () => {
    const box = sandbox()
    const paths = ["grown", "same", "ahead", "other"].map((id) => box.store([userEntry("one", null)], { id }))
    const [grown = "", same = "", ahead = "", other = ""] = paths
    await box.print(...TO_COPY, "--all")
    const agent = (path: string): string => path.slice(box.folder.length)
    box.write(agent(grown), `${text(grown)}${JSON.stringify(userEntry("two", "one"))}\n`)
    box.write(agent(inCopy(ahead)), `${text(ahead)}more\n`)
    const adding = (path: string, id: string) => `${text(path)}${JSON.stringify(userEntry(id, "one"))}\n`
    box.write(agent(inCopy(other)), adding(other, "theirs"))
    box.write(agent(other), adding(other, "ours"))
    const { code, stdout, stderr } = await box.run([...TO_COPY, "--all"])
    expect(code).toBe(0)
    expect(stdout).toContain(`${inCopy(grown)} appended`)
    expect(stdout).toContain(`${inCopy(other)} branched`)
    expect(stdout).not.toContain(same)
    expect(stderr).toBe("4 sessions: 0 created, 1 appended to, 1 branched, 2 unchanged.\n")
    expect(text(inCopy(grown))).toBe(text(grown))
    expect(text(inCopy(ahead))).toBe(`${text(ahead)}more\n`)
    const again = await box.run([...TO_COPY, "--all", "--json"])
    expect(again.json.map(({ status }) => status)).toEqual(Array(4).fill("unchanged"))
    for (const id of ["ours", "theirs"]) expect(text(inCopy(other))).toContain(`"id":"${id}"`)
  })

  test("Only the named sessions are copied, and a dry run writes nothing.", async () => {
    const box = sandbox()
    const [one, two] = ["first", "second"].map((id) => box.store([userEntry("one", null)], { id })) as [string, string]
    const { stderr } = await box.run([...TO_COPY, "first", "-n"])
    expect(stderr).toBe("1 session: 1 to create, 0 to append to, 0 unchanged. This was a dry run.\n")
    expect(existsSync(`${box.folder}/copy`)).toBe(false)
    await box.print(...TO_COPY, "first")
    expect([existsSync(inCopy(one)), existsSync(inCopy(two))]).toEqual([true, false])
  })

  test("5: One that someone writes in the target is skipped; one that is written in the source is copied.", async () => {
    const box = sandbox()
    const paths = ["one", "two"].map((id) => box.store([userEntry("one", null)], { id })) as [string, string]
    await box.print(...TO_COPY, "--all")
    for (const path of paths)
      box.write(path.slice(box.folder.length), `${text(path)}${JSON.stringify(userEntry("two", "one"))}\n`)
    await hold(box, inCopy(paths[0]))
    await hold(box, paths[1])
    const { code, json } = await box.run([...TO_COPY, "--all", "--json"])
    expect(code).toBe(5)
    expect(json).toMatchObject([{ path: paths[0], error: { code: "SessionBusyError" } }, { status: "appended" }])
  })

  test("1: One that cannot be read stops no other; missing blobs and artifacts that stay are reported.", async () => {
    const box = sandbox()
    box.write(box.store([], { id: "bad" }).slice(box.folder.length), "nonsense\n")
    const good = box.store([imageEntry("out", null, blobRef(hashOf("nowhere")))], { id: "good" })
    const { code, stdout, stderr } = await box.run([...TO_COPY, "--all"])
    expect(code).toBe(1)
    expect(stdout).toContain("InvalidSessionError")
    expect(stderr).toContain(
      "2 sessions: 1 created, 0 appended to, 0 unchanged, 1 failed. 1 blob missing in the source.",
    )
    box.write(`${good.slice(box.folder.length, -".jsonl".length)}/late.txt`, "late")
    const [added] = (await box.run([...TO_COPY, "good", "--json"])).json
    expect(added).toMatchObject({ status: "unchanged", artifactsAdded: 1, artifactsLeft: [] })
    const late = `${inCopy(good).slice(0, -".jsonl".length)}/late.txt`
    expect(text(late)).toBe("late")
    writeFileSync(late, "theirs")
    expect((await box.run([...TO_COPY, "good"])).stderr).toContain("not copied: late.txt")
    expect(text(late)).toBe("theirs")
  })

  test("130: An interrupt ends it before the next session.", async () => {
    const box = sandbox()
    box.store([userEntry("one", null)])
    const { code } = await box.run([...TO_COPY, "--all"], { interrupted: AbortSignal.abort() })
    expect([code, existsSync(`${box.folder}/copy`)]).toEqual([130, false])
  })

  test.each([
    [["--all", "--from", "treelog", "--to", "../agent"], "the same store"],
    [["--all", "--from", "../nothing", "--to", "../copy"], "../nothing is not a store"],
    [["--all", "--from", "treelog", "--to", "postgres://me:hunter2@host/db"], "--to contains a password"],
    [["--all", "--from", "treelog", "--to", "postgres://host/db?password=a' hunter2"], "--to contains a password"],
    [["--all", "--from", "treelog", "--to", "mysql://me:hunter2@host/db"], "--to mysql://…"],
    [["--all", "--store", "postgres://me:hunter2@host/db", "--from", "treelog", "--to", "pi"], "from --from and --to"],
    [["--from", "treelog", "--to", "../copy"], "give --all"],
    [["--all", "--from", "treelog", "--to", "../copy", "--store", "pi"], "from --from and --to"],
    [["--all", "--from", "treelog"], "--to"],
  ])("2: `copy %s` names no two stores, or no sessions.", async (argv, message) => {
    const box = sandbox()
    box.store([userEntry("one", null)])
    const { code, stderr } = await box.run(["import", ...argv])
    expect(code).toBe(2)
    expect(stderr).toContain(message)
    expect(stderr).not.toContain("hunter2")
    expect(existsSync(`${box.folder}/copy`)).toBe(false)
  })
})
