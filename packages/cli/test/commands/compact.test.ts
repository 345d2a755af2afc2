import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { userEntry } from "@treelog-internal/test-kit"
import { expect, test } from "vitest"
import { AGENT_SAMPLES, type AgentSample, agentSession } from "../agent-samples.js"
import { conversation, entriesOf, storedBytes } from "../conversation.js"
import { writePi } from "../homes.js"
import { sandbox } from "../sandbox.js"

const KEEP = ["--keep", "100"]
const SAYS = "echo '## Goal'; echo 'A discount field.'"

test("a command gets the prompt on stdin, and what it answers on stdout becomes the summary", async () => {
  const box = sandbox()
  const path = box.store(conversation())
  const { code, stdout, stderr } = await box.run([
    ...["compact", "@last", ...KEEP, "--instructions", "The form alone."],
    ...["--summarizer", `cat > prompt.txt; ${SAYS}; echo 'thinking hard' >&2`],
  ])
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: "thinking hard\nThe context had 342 tokens, and has about 137 tokens now.\n",
  })
  const prompt = readFileSync(join(box.project, "prompt.txt"), "utf8")
  expect(prompt).toMatch(/^You write hand-over notes/)
  expect(prompt).toContain("[User]: First question.")
  expect(prompt).not.toContain("Third question.")
  expect(prompt).toContain("Pay special attention to this: The form alone.")
  expect(entriesOf(path).at(-1)).toMatchObject({
    id: stdout.trim(),
    type: "compaction",
    parentId: "a3",
    firstKeptEntryId: "u3",
    summary:
      "## Goal\nA discount field.\n\n<read-files>\nsrc/form.ts\n</read-files>\n\n<modified-files>\nsrc/field.ts\n</modified-files>",
    details: { readFiles: ["src/form.ts"], modifiedFiles: ["src/field.ts"] },
  })
  expect((await box.run(["context", "--json"])).json[0]?.entries).toEqual([stdout.trim(), "u3", "a3"])
})

test("the summary can be in a file, or come from stdin, and covers a turn that is cut as well", async () => {
  const box = sandbox()
  box.write("project/notes.md", "\n## Goal\nBy hand.\n")
  const file = box.store(conversation(), { id: "file" })
  const stdin = box.store(conversation(), { id: "stdin" })
  await box.print("compact", "file", "--keep", "30", "--summary", "notes.md")
  await box.run(["compact", "stdin", "--keep", "30", "--summary", "-"], { stdin: "## Goal\nBy hand." })
  const added = entriesOf(file).at(-1)
  expect(added).toMatchObject({
    firstKeptEntryId: "a3",
    summary: expect.stringMatching(/^## Goal\nBy hand\.\n\n<read/),
  })
  expect(entriesOf(stdin).at(-1)).toMatchObject({ summary: added?.summary, details: added?.details })
})

test("lists of files that the summary ends in already are joined with those of the session", async () => {
  const box = sandbox()
  const path = box.store(conversation())
  const lists = [
    "<read-files>\nsrc/form.ts\nsrc/seen.ts\n</read-files>",
    "<modified-files>\nsrc/seen.ts\n</modified-files>",
  ]
  box.write("project/notes.md", `## Goal\nBy hand.\n\n${lists.join("\n\n")}\n`)
  const document = (await box.run(["compact", "@last", ...KEEP, "--summary", "notes.md", "--json"])).json[0]
  const files = { readFiles: ["src/form.ts"], modifiedFiles: ["src/field.ts", "src/seen.ts"] }
  const summary =
    "## Goal\nBy hand.\n\n<read-files>\nsrc/form.ts\n</read-files>\n\n<modified-files>\nsrc/field.ts\nsrc/seen.ts\n</modified-files>"
  expect(entriesOf(path).at(-1)).toMatchObject({ summary, details: files })
  expect(document).toMatchObject({ summary, files })
})

test("what a compaction stored can be restored to the next one as it is", async () => {
  const box = sandbox()
  const path = box.store(conversation())
  await box.print("compact", "@last", ...KEEP, "--summarizer", SAYS)
  const { summary } = entriesOf(path).at(-1) as { summary: string }
  box.write("project/same.md", summary)
  await box.print("append", "@last", "--role", "user", "--text", "Fourth question.")
  await box.print("compact", "@last", "--keep", "1", "--summary", "same.md")
  expect(entriesOf(path).at(-1)).toMatchObject({ type: "compaction", summary })
})

test("a summarizer gets long texts that are in the store, not what stands for them; what is missing is said", async () => {
  const box = sandbox()
  const text = "whole ".repeat(100_000)
  const path = box.store([userEntry("long", null, text), userEntry("last", "long", "Last question.")])
  await box.print("blobs", "slim", path)
  const command = ["compact", "@last", "--keep", "1"]
  const planned = (await box.run([...command, "--dry-run", "--json"])).json[0]
  expect(planned).toMatchObject({ tokensBefore: 150_004, diagnostics: [] })
  expect(JSON.stringify(planned?.requests)).toContain(text.trim())
  rmSync(join(box.agentDir, "blobs"), { recursive: true })
  const { stderr } = await box.run([...command, "--summarizer", "cat > prompt.txt; echo Notes."])
  expect(stderr).toMatch(/^Blob [0-9a-f]{64} is not in the blob store; its reference stays\.$/m)
  expect(readFileSync(join(box.project, "prompt.txt"), "utf8")).toContain(text.slice(0, 400_000))
})

test("a turn that is cut is asked for apart", async () => {
  const box = sandbox()
  const path = box.store(conversation())
  await box.print("compact", "@last", "--keep", "30", "--summarizer", "grep -c 'first part of one long turn' || true")
  expect(entriesOf(path).at(-1)?.summary).toMatch(/^0\n\n---\n\n# The turn that is under way: its first part\n\n1\n\n/)
})

test("a second compaction carries the summary on", async () => {
  const box = sandbox()
  box.store(conversation())
  await box.print("compact", "@last", ...KEEP, "--summarizer", SAYS)
  await box.print("append", "@last", "--role", "user", "--text", "Fourth question.")
  const { json } = await box.run(["compact", "@last", "--keep", "1", "--dry-run", "--json"])
  expect(json[0]).toMatchObject({
    status: "ready",
    previousSummary: expect.stringContaining("A discount field."),
    files: { readFiles: ["src/form.ts"], modifiedFiles: ["src/field.ts"] },
    requests: { history: { kind: "update", prompt: expect.stringContaining("<previous-summary>\n## Goal") } },
  })
})

test("--dry-run says what would be done, and with -v what would be asked", async () => {
  const box = sandbox()
  box.store(conversation())
  const before = box.snapshot()
  expect(await box.print("compact", "@last", ...KEEP, "--dry-run")).toMatchInlineSnapshot(`
    "context     342 tokens
    summarized  7 messages, about 234 tokens
    kept        2 messages, about 108 tokens, from u3
    only read   1 file
    modified    1 file"
  `)
  expect(await box.print("compact", "@last", "--keep", "30", "--dry-run")).toContain("of a cut turn  1 message, about")
  const whole = await box.print("compact", "@last", ...KEEP, "--dry-run", "-v", "--instructions", "The form alone.")
  expect(whole).toContain("\nprompt (history)\nYou write hand-over notes")
  expect(whole).toContain("Pay special attention to this: The form alone.")
  expect(box.snapshot()).toEqual(before)
})

test.each([
  ["a session that is short", [userEntry("one", null)]],
  ["an empty one", []],
])("nothing to compact: %s, and no command is run", async (_, entries) => {
  const box = sandbox()
  box.store(entries)
  const before = storedBytes(box)
  const { code, stdout, stderr } = await box.run(["compact", "@last", "--summarizer", "touch ran"])
  expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: "", stderr: "Nothing to compact.\n" })
  const { json } = await box.run(["compact", "@last", "--summarizer", "touch ran", "--json"])
  expect(json).toMatchObject([{ status: "nothing-to-compact", entryId: null }])
  expect(storedBytes(box)).toEqual(before)
  expect(existsSync(join(box.project, "ran"))).toBe(false)
})

test.each([
  ["failed", ["--summarizer", "echo half; echo 'rate limited' >&2; exit 3"], "exit code 3: rate limited"],
  ["failed", ["--summarizer", "no-such-program-at-all"], "exit code 127"],
  ["failed", ["--summarizer", "echo half; kill -9 $$"], "was ended by SIGKILL"],
  ["empty", ["--summarizer", "cat > /dev/null; echo; echo '  '"], "The summarizer printed nothing."],
  ["empty", ["--summarizer", "true"], "The summarizer printed nothing."],
  ["timeout", ["--summarizer", "echo half; sleep 60", "--timeout", "0.001s"], "took longer than 0.001 seconds"],
  ["too-long", ["--summarizer", "yes"], "does not come to an end"],
  ["not-started", ["--summarizer", "echo \0"], "could not be run: ERR_INVALID_ARG_VALUE"],
  ["empty", ["--summary", "empty.md"], "The summary is empty."],
  ["unreadable", ["--summary", "binary.md"], "Cannot read"],
  ["unreadable", ["--summary", "nothing.md"], "There is no file"],
])("1: without a summary (%s, %j) the session stays as it is, byte for byte", async (reason, options, message) => {
  const box = sandbox()
  box.write("project/empty.md", " \n")
  writeFileSync(join(box.project, "binary.md"), new Uint8Array([0xff, 0xfe]))
  box.store(conversation())
  const before = storedBytes(box)
  const { code, stdout, stderr } = await box.run(["compact", "@last", ...KEEP, ...options])
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" })
  expect(stderr).toContain(message)
  expect(storedBytes(box)).toEqual(before)
  const json = await box.run(["compact", "@last", ...KEEP, ...options, "--json"])
  expect(JSON.parse(json.stderr)).toMatchObject({ error: { code: "SummaryError", data: { reason } } })
  expect(storedBytes(box)).toEqual(before)
  expect((await box.run(["compact", "@last", ...KEEP, "--summarizer", SAYS])).code).toBe(0)
})

test("of the two commands of a cut turn, the one that is left is ended when the other fails", async () => {
  const box = sandbox()
  box.store(conversation())
  const before = storedBytes(box)
  const command = "if grep -q 'first part of one long turn'; then exit 4; else sleep 60; fi"
  const { code, stderr } = await box.run(["compact", "@last", "--keep", "30", "--summarizer", command])
  expect({ code, stderr }).toEqual({ code: 1, stderr: "treelog: The summarizer ended with exit code 4.\n" })
  expect(storedBytes(box)).toEqual(before)
})

test("130: Ctrl-C ends the command and what it started, and leaves the session as it is", async () => {
  const box = sandbox()
  box.store(conversation())
  const before = storedBytes(box)
  const interrupt = new AbortController()
  const command = "echo half; sleep 60 & echo started >&2; wait"
  const { code, stdout } = await box.run(["compact", "@last", ...KEEP, "--summarizer", command], {
    interrupted: interrupt.signal,
    onWrite: (text) => {
      if (text.includes("started")) interrupt.abort()
    },
  })
  expect({ code, stdout }).toEqual({ code: 130, stdout: "" })
  expect(storedBytes(box)).toEqual(before)
  expect((await box.run(["compact", "@last", ...KEEP, "--summarizer", SAYS])).code).toBe(0)
})

test("of two compactions at once, one lands, and the other finds the session locked", async () => {
  const box = sandbox()
  const path = box.store(conversation())
  const [started, go] = [join(box.folder, "started"), join(box.folder, "go")]
  const waits = `touch ${started}; while [ ! -e ${go} ]; do sleep 0.01; done; ${SAYS}`
  const command = (summarizer: string) => ["compact", "@last", ...KEEP, "--summarizer", summarizer]
  const first = box.run(command(waits))
  await expect.poll(() => existsSync(started)).toBe(true)
  expect((await box.run(command(SAYS))).code).toBe(5)
  box.write("go", "")
  expect((await first).code).toBe(0)
  expect(entriesOf(path).filter(({ type }) => type === "compaction")).toHaveLength(1)
})

test("which of two copies is compacted is said once", async () => {
  const box = sandbox()
  for (const folder of [".pi/agent", ".omp/agent"]) writePi(box, { folder, id: "twice", turns: [["one", 1]] })
  const { stderr } = await box.run(["compact", "twice", "--summarizer", SAYS])
  expect(stderr.match(/This is the copy in/g)).toHaveLength(1)
})

test.each([
  ["nothing to compact", ["--summarizer", "touch ran"], 0],
  ["a summarizer that fails", [...KEEP, "--summarizer", "exit 3"], 1],
  ["an empty summary", [...KEEP, "--summarizer", "true"], 1],
])("a session of an agent is copied only to be compacted: %s", async (_, how, code) => {
  const box = sandbox()
  const [sample] = AGENT_SAMPLES as [AgentSample]
  agentSession(
    box,
    sample,
    sample.id,
    ...["First", "Second", "Third"].map((said) => `${said} question. ${"why ".repeat(200)}`),
  )
  const before = storedBytes(box)
  const ran = await box.run(["compact", sample.id, ...how])
  expect(ran.code, ran.stderr).toBe(code)
  expect(storedBytes(box)).toEqual(before)
  const { stderr } = await box.run(["compact", sample.id, ...KEEP, "--summarizer", SAYS])
  expect(stderr).toContain("its copy in")
  expect(storedBytes(box).length).toBeGreaterThan(before.length)
})
