import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { userEntry } from "@treelog-internal/test-kit"
import { expect, test } from "vitest"
import { runnableCommands } from "../command-table.js"
import { plainArguments } from "../plain-command-lines.js"
import { documentsOf } from "../published-schemas.js"
import { sampleEntries } from "../sample.js"
import { databaseScene, nameOf } from "./database-box.js"

const { database, machine } = databaseScene()

/** What a command prints in a database with the session `sample`, and how it ends. */
interface Tried {
  readonly argv: readonly string[]
  readonly code?: number
  readonly stdout?: RegExp
  readonly stderr?: RegExp
  readonly ends?: boolean
}

const REFUSED = { code: 2, stdout: /^$/, stderr: / is for stores of files, and postgres:\/\/\S+ is a database: .+\.$/m }
const NO_BLOBS = { code: 2, stdout: /^$/, stderr: /has no blobs: name where they are with --blobs/ }

const tried: Readonly<Record<string, readonly Tried[]>> = {
  list: [
    { argv: [], stdout: / Discount$/m },
    { argv: ["--all"], stdout: / Discount$/m },
  ],
  resume: [
    { argv: ["--last"], stdout: /^pg:.*\/sample$/m },
    { argv: ["--query", "discount", "--print", "id"], stdout: /^sample$/m },
    { argv: ["sample"], stdout: /^pg:.*\/sample$/m },
  ],
  show: [
    { argv: [], stdout: /Only fix the tests/ },
    { argv: ["Discount", "--leaf", "aaaa0006"], stdout: /Rewrite it all/ },
  ],
  tree: [
    { argv: ["sam"], stdout: /\[works\]/ },
    { argv: ["--select", "aaaa0005"], stdout: /^aaaa0005$/m },
  ],
  context: [
    { argv: [], stdout: /A discount field/ },
    { argv: ["--leaf", "aaaa0005"], stdout: /The field is in place/ },
    { argv: ["--llm", "anthropic", "--repair"], stdout: /"messages"/ },
  ],
  stats: [
    { argv: ["@last"], stdout: /^messages +8 /m },
    { argv: ["--all"] },
    { argv: ["--disk"], stdout: /^sessions +\d.* sessions?\)$/m },
  ],
  search: [
    { argv: ["discount"], stdout: /^Discount {2}sample .*\n(?:.*\n)*.*treelog show sample --leaf aaaa000[0-9a-f]$/m },
    { argv: ["discount", "--all"], stdout: /aaaa0002/ },
  ],
  files: [{ argv: ["form.tsx"], stdout: /^sample .* read .*form\.tsx/m }],
  index: [
    { argv: [], stdout: /^store .*\nindex .*\nsize .*\n(?:.*\n)*SQLite +\S/m },
    { argv: ["--update"], stderr: /Indexed [1-9]\d* sessions?;/ },
    { argv: ["--rebuild"], stderr: /Indexed [1-9]\d* sessions?;/ },
  ],
  mcp: [{ argv: [], ends: true, code: 130 }],
  watch: [{ argv: ["--from-start"], ends: true, code: 130 }],
  view: [{ argv: ["--no-open"], ends: true, code: 130 }],
  new: [{ argv: ["--id", "made", "--parent", "sample"], stdout: /^made {2}pg:.*\/made$/m }],
  append: [{ argv: ["@last", "--role", "user", "--text", "Hi"], stdout: /^[0-9a-f]{8}$/m }],
  branch: [{ argv: ["@last", "aaaa0005", "--summary", "No luck"], stderr: /continues at aaaa0005/ }],
  compact: [{ argv: ["@last", "--dry-run", "--keep", "1"], stdout: /^kept /m }],
  fork: [
    { argv: ["@last"], stdout: /pg:/ },
    { argv: ["sample", "--leaf", "aaaa0005"], stdout: /pg:/ },
    { argv: ["sample", "--before", "aaaa0006", "--to", "../shop"], stdout: /Rewrite it all/ },
  ],
  label: [{ argv: ["@last", "aaaa0006", "again"], stdout: /^[0-9a-f]{8}$/m }],
  name: [{ argv: ["@last", "New"] }, { argv: ["@last"], stdout: /^Discount$/m }],
  verify: [
    { argv: [], stderr: /no damage/ },
    { argv: ["--all"], stderr: /no damage/ },
    { argv: ["--all", "--fix-orphans"], ...REFUSED },
  ],
  repair: [
    { argv: ["@last"], stderr: /Nothing to repair/ },
    { argv: ["@last", "--migrate"], stderr: /has version 3 already/ },
    { argv: ["--all", "--migrate"] },
  ],
  "blobs slim": [
    { argv: ["@last"], ...NO_BLOBS },
    { argv: ["@last", "--blobs", "../blobs"], stderr: /Nothing to change/ },
  ],
  "blobs inflate": [
    { argv: ["@last"], ...NO_BLOBS },
    { argv: ["@last", "--blobs", "../blobs"], stderr: /Nothing to change/ },
  ],
  "blobs ls": [
    { argv: [], ...NO_BLOBS },
    { argv: ["--blobs", "../blobs"], stderr: /There are no blobs/ },
  ],
  "blobs verify": [
    { argv: [], ...NO_BLOBS },
    { argv: ["--blobs", "../blobs"], code: 6, stderr: /^0 blobs examined/ },
  ],
  "blobs gc": [
    { argv: [], ...REFUSED },
    { argv: ["--blobs", "../blobs"], ...REFUSED },
  ],
  export: [
    { argv: ["--format", "text"], stdout: /Only fix the tests/ },
    { argv: ["-o", "out.html"], stderr: /Exported/ },
  ],
  import: [
    { argv: ["session.jsonl"], stdout: /loose/ },
    { argv: ["--from", "../agent", "--all"], stderr: /1 unchanged|1 created/ },
  ],
  bundle: [{ argv: ["--all", "-o", "all.tar.gz"], stderr: /^Bundled [1-9]\d* session/ }],
  "config get": [{ argv: [] }],
  "config set": [{ argv: ["store", "pi"] }],
  "config unset": [{ argv: ["store"] }],
  scan: [
    { argv: [], stderr: /nothing that looks like a secret/ },
    { argv: ["--all"], stderr: /nothing that looks/ },
  ],
  "store migrate": [{ argv: [], stderr: /are up to date/ }],
  "store clean": [{ argv: [], stderr: /^0 abandoned uploads removed/ }],
  delete: [
    { argv: ["sample"], code: 2, stderr: /has no trash: --permanent deletes for good/ },
    { argv: ["sample", "--permanent", "-n"], stdout: /sample$/m, stderr: /would be deleted for good/ },
    { argv: ["sample", "--permanent"], stdout: /sample$/m, stderr: /^1 session deleted for good\.$/m },
    { argv: ["--older-than", "0", "--include-named", "--include-labelled"], stderr: /dry run/ },
    { argv: ["--older-than", "0", "--apply"], code: 2, stderr: /has no trash/ },
    {
      argv: ["--older-than", "0", "--apply", "--permanent", "--include-named", "--include-labelled"],
      stderr: /^1 of 1 session.* deleted for good/m,
    },
  ],
  "trash restore": [{ argv: ["--last"], ...REFUSED }],
  "trash ls": [{ argv: [], ...REFUSED }],
  "trash empty": [{ argv: ["--apply"], ...REFUSED }],
  relocate: [{ argv: ["--from", ".", "--to", "../moved", "--apply"], stderr: /^1 session moved/ }],
  doctor: [{ argv: [], stdout: /^treelog /m }],
  restore: [{ argv: ["sample"], code: 1, stdout: /No session "sample" is in copies alone/ }],
  completion: [{ argv: ["fish", "--", "show", "sam"], stdout: /^sample\t/m }],
}

/** A command without a row is tried as it is typed plainly. */
const cases = runnableCommands().map((name) => [name, tried[name] ?? [{ argv: plainArguments(name) }]] as const)

test("what is tried are commands that there are", () => {
  expect(runnableCommands()).toEqual(expect.arrayContaining(Object.keys(tried)))
})

test.each(cases)("`treelog %s` on a database", async (name, cases) => {
  for (const { argv, code = 0, stdout = /(?:)/, stderr = /(?:)/, ends } of cases) {
    const box = machine()
    await box.store(sampleEntries(), "sample")
    writeFileSync(
      `${box.files.project}/session.jsonl`,
      readFileSync(box.files.store([userEntry("one", null)], { id: "loose" })),
    )
    mkdirSync(`${box.files.folder}/shop`)
    const world = ends ? { interrupted: AbortSignal.timeout(300) } : {}
    const ran = await box.run([...name.split(" "), ...argv], world)
    expect({ argv, code: ran.code, stderr: ran.stderr }).toEqual({ argv, code, stderr: ran.stderr })
    expect(ran.stdout).toMatch(stdout)
    expect(ran.stderr).toMatch(stderr)
    expect(ran.stdout + ran.stderr).not.toContain(database.password)
    await box.run([
      "delete",
      "--all",
      "--older-than",
      "0",
      "--apply",
      "--permanent",
      "--include-named",
      "--include-labelled",
    ])
  }
})

test("a damaged session is repaired, with its backup in the database", async () => {
  const box = machine()
  const key = await box.store(sampleEntries(), "sample")
  const path = box.files.store([...sampleEntries(), '{"torn', userEntry("last", "aaaa000d")], { id: "torn" })
  await box.print("import", "--from", "../agent", "torn")
  const { code, json } = await box.run(["repair", "torn", "--json"])
  expect(code).toBe(0)
  expect(json).toMatchObject([{ path: key.replace("sample", "torn"), changesFile: null, after: { ok: true } }])
  expect(json[0]?.backup).toMatch(/^pg:/)
  expect(existsSync(`${path}.changes.json`)).toBe(false)
})

test("`store migrate` and `store clean` print what their schemas say", async () => {
  const box = machine()
  const store = nameOf(database)
  for (const [name, document] of [
    ["migrate", { v: 1, store, versions: [] }],
    ["clean", { v: 1, store, uploads: 0 }],
  ] as const) {
    const { json } = await box.run(["store", name, "--json"])
    expect(json).toEqual([document])
    expect(documentsOf(`store ${name}`).some((validate) => validate(json[0]))).toBe(true)
  }
})
