import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { loadDriver, SqliteSessionIndex } from "@treelog/index-sqlite"
import { RULES_VERSION } from "@treelog/secrets"
import { TreelogError } from "@treelog/session-core"
import { blobRef } from "@treelog/session-core/adapter"
import { FileSessionStorage } from "@treelog/storage-fs"
import { tries, userEntry } from "@treelog-internal/test-kit"
import { plantedSecrets } from "@treelog-internal/test-kit/secrets"
import fc from "fast-check"
import { afterEach, expect, test, vi } from "vitest"
import { hashOf } from "../images.js"
import { type Ran, type Sandbox, sandbox } from "../sandbox.js"

const [SECRET = ""] = plantedSecrets(3)
  .slice(2)
  .map(({ text }) => text)

afterEach(() => {
  vi.restoreAllMocks()
})

let minutes = 0

/** The session was left alone for long; each time since another moment. */
function age(path: string): void {
  const seconds = Date.UTC(2026, 0, 1) / 1000 + 60 * minutes++
  utimesSync(path, seconds, seconds)
}

function stored(box: Sandbox, id: string, ...entries: object[]): string {
  const path = box.store(entries, { id })
  age(path)
  return path
}

type Said = Pick<Ran, "code" | "stdout" | "stderr">

/** Runs the command, and counts the reads of each session. */
async function counted(box: Sandbox, ...argv: string[]): Promise<Said & { readonly reads: string[] }> {
  const reads = vi.spyOn(FileSessionStorage.prototype, "readRange")
  const ranges = vi.spyOn(FileSessionStorage.prototype, "openRanges")
  const { code, stdout, stderr } = await box.run(argv)
  const read = [...reads.mock.calls, ...ranges.mock.calls].map(([key]) => key)
  vi.restoreAllMocks()
  return { code, stdout, stderr, reads: read }
}

/** The same from sessions that are all read. */
async function fresh(box: Sandbox, ...argv: string[]): Promise<Said> {
  const cache = mkdtempSync(join(tmpdir(), "treelog-cli-cache-"))
  const { code, stdout, stderr } = await box.run(argv, { env: { TREELOG_CACHE_DIR: cache } })
  rmSync(cache, { recursive: true })
  return { code, stdout, stderr }
}

function indexFile(box: Sandbox): string {
  return join(box.cacheDir, readdirSync(box.cacheDir).find((name) => name.endsWith(".db")) ?? "")
}

test("a second scan of unchanged sessions reads none of them, and says the same", async () => {
  const box = sandbox()
  stored(box, "a", userEntry("one", null, SECRET))
  stored(box, "b", userEntry("one", null, "fine"))
  const first = await counted(box, "scan", "--all", "--json")
  expect(first.reads).toHaveLength(2)
  const second = await counted(box, "scan", "--all", "--json")
  expect(second.reads).toEqual([])
  expect(second).toMatchObject({ code: 4, stdout: first.stdout, stderr: first.stderr })
  expect(await counted(box, "scan", "a")).toMatchObject({ code: 4, stderr: "1 session: 1 secret.\n" })
})

test("only what changed is read again", async () => {
  const box = sandbox()
  const changed = stored(box, "a", userEntry("one", null, "fine"))
  stored(box, "b", userEntry("one", null, "fine"))
  await box.run(["scan", "--all"])
  appendFileSync(changed, `${JSON.stringify(userEntry("two", "one", SECRET))}\n`)
  const { reads, stderr } = await counted(box, "scan", "--all")
  expect(new Set(reads)).toEqual(new Set([changed]))
  expect(stderr).toBe("2 sessions: 1 secret in 1 of them.\n")
})

test("a session whose text lies in a blob is read each time: the blob may appear later", async () => {
  const box = sandbox()
  const whole = `${"word ".repeat(120_000)}${SECRET}`
  const ending = `\n\n[full content: ${blobRef(hashOf(whole))}]\n[Session persistence truncated large content]`
  stored(box, "long", userEntry("long", null, whole.slice(0, 500_000 - ending.length) + ending))
  expect(await box.run(["scan", "--all"])).toMatchObject({ code: 0 })
  box.write(`agent/blobs/${hashOf(whole)}`, whole)
  expect((await box.run(["scan", "--all"])).stdout).toContain("GitHub token  long  message.content")
})

test("other rules scan again", async () => {
  const box = sandbox()
  const path = stored(box, "a", userEntry("one", null, SECRET))
  const { results } = SqliteSessionIndex.prototype
  vi.spyOn(SqliteSessionIndex.prototype, "results").mockImplementation(function (
    this: SqliteSessionIndex,
    kind,
    version,
  ) {
    expect(version).toContain(RULES_VERSION)
    return results.call(this, kind, "of former rules")
  })
  await box.run(["scan", "--all"])
  expect((await fresh(box, "scan", "--all")).code).toBe(4)
  vi.restoreAllMocks()
  expect((await counted(box, "scan", "--all")).reads).toContain(path)
  expect((await counted(box, "scan", "--all")).reads).toEqual([])
})

test("what was found in a session that is gone, or has another name, goes with the next scan of all", async () => {
  const box = sandbox()
  const gone = stored(box, "a", userEntry("one", null, SECRET))
  const former = stored(box, "b", userEntry("one", null, SECRET))
  stored(box, "c", userEntry("one", null, SECRET))
  const kept = async (): Promise<string[]> => {
    const db = (await loadDriver()).open(indexFile(box))
    const rows = db.prepare("SELECT key FROM result ORDER BY key").all<{ key: string }>()
    db.close()
    return rows.map(({ key }) => key.slice(-"a.jsonl".length))
  }
  await box.run(["scan", "--all"])
  expect(await kept()).toEqual(["a.jsonl", "b.jsonl", "c.jsonl"])
  rmSync(gone)
  renameSync(former, former.replace("b.jsonl", "d.jsonl"))
  await box.run(["scan", "c"])
  expect(await kept()).toEqual(["a.jsonl", "b.jsonl", "c.jsonl"])
  expect((await box.run(["scan", "--all"])).stderr).toBe("2 sessions: 2 secrets in 2 of them.\n")
  expect(await kept()).toEqual(["c.jsonl", "d.jsonl"])
})

test("an interrupted scan keeps nothing of the session that it was in", async () => {
  const box = sandbox()
  for (let at = 0; at < 6; at++) stored(box, `s${at}`, userEntry("one", null, SECRET), userEntry("two", "one", SECRET))
  const expected = await fresh(box, "scan", "--all")
  const stop = new AbortController()
  let lines = 0
  const onWrite = (text: string): void => {
    if (text.includes("GitHub token") && ++lines === 5) stop.abort()
  }
  const interrupted = await box.run(["scan", "--all"], { interrupted: stop.signal, onWrite })
  expect(interrupted.stdout.split("\n").length).toBeLessThan(expected.stdout.split("\n").length)
  const { stdout, reads } = await counted(box, "scan", "--all")
  expect(stdout).toBe(expected.stdout)
  expect(new Set(reads).size).toBe(4)
})

test("the index has no secret that a scan found, not even one that is an id or a name", async () => {
  const box = sandbox()
  stored(box, "a", userEntry("one", null, SECRET), userEntry(SECRET, "one"), { type: "x", id: "k", [SECRET]: "y" })
  const { stdout } = await box.run(["scan", "--all"])
  expect(stdout).not.toContain(SECRET)
  expect(stdout.split("\n").length).toBeGreaterThan(3)
  expect((await counted(box, "scan", "--all")).reads).toEqual([])
  const names = readdirSync(box.cacheDir).filter((name) => name.startsWith("index-"))
  const files = names.map((name) => join(box.cacheDir, name))
  expect(files.some((file) => readFileSync(file).includes("GitHub token"))).toBe(true)
  for (const file of files) expect(readFileSync(file).includes(SECRET)).toBe(false)
})

test("without SQLite every session is read each time, and nothing is said of it", async () => {
  const box = sandbox()
  const path = stored(box, "a", userEntry("one", null, SECRET))
  const expected = await fresh(box, "scan", "--all")
  const { results } = SqliteSessionIndex.prototype
  const loadDriver = () =>
    Promise.reject(new TreelogError("IndexUnavailableError", "none", { reason: "not-installed" }))
  for (const _ of [1, 2]) {
    vi.spyOn(SqliteSessionIndex.prototype, "results").mockImplementation((kind, version) => {
      const storage = new FileSessionStorage({ agentDir: box.agentDir })
      const index = new SqliteSessionIndex({ storage, path: join(box.cacheDir, "none.db"), loadDriver })
      return results.call(index, kind, version)
    })
    const { code, stdout, stderr, reads } = await counted(box, "scan", "--all")
    expect({ code, stdout, stderr }).toEqual(expected)
    expect(reads).toContain(path)
  }
})

test("a damaged index is deleted with a warning, and the scan is complete", async () => {
  const box = sandbox()
  stored(box, "a", userEntry("one", null, SECRET))
  await box.run(["scan", "--all"])
  writeFileSync(indexFile(box), "no database at all, but long enough to be taken for one".repeat(100))
  const { code, stdout, stderr } = await box.run(["scan", "--all"])
  expect(code).toBe(4)
  expect(stdout).toContain("GitHub token  one")
  expect(stderr).toContain("was damaged, and is built again")
  expect((await counted(box, "scan", "--all")).reads).toEqual([])
})

test("an index that cannot be used is said once, and the scan is complete", async () => {
  const box = sandbox()
  stored(box, "a", userEntry("one", null, SECRET))
  stored(box, "b", userEntry("one", null, "fine"))
  box.write("cache", "a file where the folder of the cache would be")
  const ran = await box.run(["scan", "--all"], { env: { TREELOG_CACHE_DIR: join(box.folder, "cache") } })
  expect(ran).toMatchObject({ code: 4, stdout: expect.stringContaining("GitHub token  one") })
  expect(ran.stderr.match(/cache/g)).toHaveLength(1)
  expect(ran.stderr).toContain("2 sessions: 1 secret in 1 of them.")
})

test("two scans at once find the same, and what they keep is right", async () => {
  const box = sandbox()
  for (let at = 0; at < 30; at++) stored(box, `s${at}`, userEntry("one", null, at % 3 === 0 ? SECRET : "fine"))
  const expected = await fresh(box, "scan", "--all")
  const both = await Promise.all([box.run(["scan", "--all"]), box.run(["scan", "--all"])])
  for (const { stdout, stderr } of [...both, await box.run(["scan", "--all"])])
    expect({ stdout, stderr }).toEqual({ stdout: expected.stdout, stderr: expected.stderr })
  expect((await counted(box, "scan", "--all")).reads).toEqual([])
})

const steps = fc.array(
  fc.record({
    act: fc.constantFrom("create", "append", "append", "rewrite", "replace", "delete", "rename", "tear"),
    at: fc.nat(5),
    isSecret: fc.boolean(),
    isOld: fc.boolean(),
  }),
  { minLength: 1, maxLength: 8 },
)

type Step = typeof steps extends fc.Arbitrary<(infer One)[]> ? One : never

/** What programs, ours and others, do to the files of a store. */
function change(box: Sandbox, paths: string[], { act, at, isSecret, isOld }: Step): void {
  // Of the same length, so that a rewritten session may keep its size.
  const text = isSecret ? SECRET : "-".repeat(SECRET.length)
  const line = `${JSON.stringify(userEntry("more", null, text))}\n`
  const path = paths[at % Math.max(1, paths.length)]
  if (act === "delete" && path !== undefined) rmSync(path, { force: true })
  if (act === "delete") return
  if (act === "create" || path === undefined || !existsSync(path)) {
    paths.push(box.store([userEntry("one", null, text)], { id: `s${paths.length}` }))
    if (isOld) age(paths.at(-1) as string)
    return
  }
  const moved = `${path.slice(0, -".jsonl".length)}x.jsonl`
  const [head = "", ...rest] = readFileSync(path, "utf8").split("\n")
  const rewritten = `${head}\n${rest.map(() => line).join("")}`
  if (act === "append") appendFileSync(path, line)
  else if (act === "tear") appendFileSync(path, line.slice(0, 60))
  else if (act === "rewrite") writeFileSync(path, rewritten)
  else if (act === "replace") {
    writeFileSync(`${path}.new`, rewritten)
    renameSync(`${path}.new`, path)
  } else {
    renameSync(path, moved)
    paths[paths.indexOf(path)] = moved
  }
  if (isOld) age(act === "rename" ? moved : path)
}

test("a scan says the same as one that reads everything, whatever happened between", async () => {
  const property = fc.asyncProperty(fc.array(steps, { minLength: 1, maxLength: 4 }), async (rounds) => {
    const box = sandbox()
    const paths: string[] = []
    for (const round of rounds) {
      for (const step of round) change(box, paths, step)
      const { code, stdout, stderr } = await fresh(box, "scan", "--all", "--json")
      for (const _ of [1, 2]) expect(await box.run(["scan", "--all", "--json"])).toMatchObject({ code, stdout, stderr })
    }
  })
  await fc.assert(property, { numRuns: tries(3) })
})
