import { entry, sessionText, testHeader, userEntry } from "@treelog-internal/test-kit"
import { expect, test } from "vitest"
import { sampleEntries } from "../sample.js"
import { sandbox } from "../sandbox.js"

const ESCAPE = String.fromCharCode(27)

test("draws branches, labels, compactions and the leaf", async () => {
  const box = sandbox()
  box.store(sampleEntries())
  expect(await box.print("tree")).toMatchInlineSnapshot(`
    "● aaaa0002 user  Add a discount field
    ● aaaa0003 assistant  read(path="form.tsx", limit=3)
    ● aaaa0004 result  read: line 1 line 2 line 3 line 4 line 5 line 6 line 7 line 8 line 9 line 10 line 11 line 12 line 13 line 14 line 15
    ● aaaa0005 assistant  [works] The field is in place.
    ├─○ aaaa0006 user  Rewrite it all
    ● aaaa0008 branch summary  A rewrite did not help.
    ● aaaa0009 user  Only fix the tests
    ◆ aaaa000a compaction  compacted from 2600 tokens
    ● aaaa000c bash  $ npm test
    ● aaaa000d assistant  (error) Overloaded  ← leaf"
  `)
})

test("shows bookkeeping too when all is asked for", async () => {
  const box = sandbox()
  box.store(sampleEntries())
  expect(await box.print("tree", "--filter", "all")).toMatchInlineSnapshot(`
    "● aaaa0001 model change  model anthropic/claude-test
    ● aaaa0002 user  Add a discount field
    ● aaaa0003 assistant  read(path="form.tsx", limit=3)
    ● aaaa0004 result  read: line 1 line 2 line 3 line 4 line 5 line 6 line 7 line 8 line 9 line 10 line 11 line 12 line 13 line 14 line 15
    ● aaaa0005 assistant  [works] The field is in place.
    ├─○ aaaa0006 user  Rewrite it all
    │ ○ aaaa0007 label  label works on aaaa0005
    ● aaaa0008 branch summary  A rewrite did not help.
    ● aaaa0009 user  Only fix the tests
    ◆ aaaa000a compaction  compacted from 2600 tokens
    ● aaaa000b session info  name Discount
    ● aaaa000c bash  $ npm test
    ● aaaa000d assistant  (error) Overloaded  ← leaf"
  `)
})

test("no-tools leaves out results, and answers that only call tools", async () => {
  const box = sandbox()
  box.store(sampleEntries())
  expect(await box.print("tree", "--filter", "no-tools")).toMatchInlineSnapshot(`
    "● aaaa0002 user  Add a discount field
    ● aaaa0005 assistant  [works] The field is in place.
    ├─○ aaaa0006 user  Rewrite it all
    ● aaaa0008 branch summary  A rewrite did not help.
    ● aaaa0009 user  Only fix the tests
    ◆ aaaa000a compaction  compacted from 2600 tokens
    ● aaaa000c bash  $ npm test
    ● aaaa000d assistant  (error) Overloaded  ← leaf"
  `)
})

test("user-only joins a question to the question before it, across what is hidden", async () => {
  const box = sandbox()
  box.store(sampleEntries())
  expect(await box.print("tree", "--filter", "user-only")).toMatchInlineSnapshot(`
    "● aaaa0002 user  Add a discount field
    ├─○ aaaa0006 user  Rewrite it all
    ● aaaa0009 user  Only fix the tests  ← leaf below"
  `)
})

test("labeled-only shows the labelled entries", async () => {
  const box = sandbox()
  box.store(sampleEntries())
  expect(await box.print("tree", "--filter", "labeled-only")).toMatchInlineSnapshot(
    `"● aaaa0005 assistant  [works] The field is in place.  ← leaf below"`,
  )
})

test("several roots stand side by side", async () => {
  const box = sandbox()
  box.store([userEntry("one", null), userEntry("two", null), userEntry("three", "two")])
  expect(await box.print("tree")).toMatchInlineSnapshot(`
    "├─○ one user  one
    ● two user  two
    ● three user  three  ← leaf"
  `)
})

test("a bare branch shows the leaf where the conversation goes on", async () => {
  const box = sandbox()
  box.store([userEntry("one", null), userEntry("two", "one")])
  await box.print("branch", "@last", "one")
  expect(await box.print("tree")).toMatchInlineSnapshot(`
    "● one user  one  ← leaf
    └─○ two user  two"
  `)
})

test("is drawn in ASCII where the locale knows no more", async () => {
  const box = sandbox()
  box.store(sampleEntries())
  const { stdout } = await box.run(["tree"], { env: { LC_ALL: "C" } })
  expect(stdout).toMatchInlineSnapshot(`
    "* aaaa0002 user  Add a discount field
    * aaaa0003 assistant  read(path="form.tsx", limit=3)
    * aaaa0004 result  read: line 1 line 2 line 3 line 4 line 5 line 6 line 7 line 8 line 9 line 10 line 11 line 12 line 13 line 14 line 15
    * aaaa0005 assistant  [works] The field is in place.
    |-o aaaa0006 user  Rewrite it all
    * aaaa0008 branch summary  A rewrite did not help.
    * aaaa0009 user  Only fix the tests
    # aaaa000a compaction  compacted from 2600 tokens
    * aaaa000c bash  $ npm test
    * aaaa000d assistant  (error) Overloaded  <- leaf
    "
  `)
})

test("cuts lines to the width of a terminal, counting wide characters as two", async () => {
  const box = sandbox()
  box.store([userEntry("one", null, "变更日志".repeat(20))])
  const { stdout } = await box.run(["tree"], { isTTY: true, columns: 40, env: { NO_COLOR: "1" } })
  expect(stdout).toMatchInlineSnapshot(`
    "● one user  变更日志变更日志变…  ← leaf
    "
  `)
})

test("has colours on a terminal, and none after --no-color or NO_COLOR", async () => {
  const box = sandbox()
  box.store(sampleEntries())
  expect((await box.run(["tree"], { isTTY: true })).stdout).toContain(`${ESCAPE}[`)
  expect((await box.run(["tree"], { env: { FORCE_COLOR: "1" } })).stdout).toContain(`${ESCAPE}[`)
  expect((await box.run(["tree", "--no-color"], { isTTY: true })).stdout).not.toContain(ESCAPE)
  expect((await box.run(["tree"], { isTTY: true, env: { NO_COLOR: "1" } })).stdout).not.toContain(ESCAPE)
  expect((await box.run(["tree"], { isTTY: true, env: { TERM: "dumb" } })).stdout).not.toContain(ESCAPE)
  expect((await box.run(["tree"])).stdout).not.toContain(ESCAPE)
})

test("says so when a filter leaves nothing", async () => {
  const box = sandbox()
  box.store([userEntry("one", null)])
  const { code, stdout, stderr } = await box.run(["tree", "--filter", "labeled-only"])
  expect({ code, stdout }).toEqual({ code: 0, stdout: "" })
  expect(stderr).toBe("Nothing is shown by the filter labeled-only; --filter all shows all entries (1).\n")
})

test("a broken tree is drawn all the same, and the faults are mentioned", async () => {
  const box = sandbox()
  box.store([
    userEntry("one", "two"),
    userEntry("two", "one"),
    userEntry("lost", "nowhere"),
    entry("odd", "self", "self"),
  ])
  const { code, stdout, stderr } = await box.run(["tree", "--filter", "all"])
  expect(code).toBe(0)
  expect(stdout.split("\n").filter(Boolean)).toHaveLength(4)
  expect(stderr).toBe("3 notes on this session: `treelog verify` names them.\n")
})

test("a branch that an import brought under ids of mine is marked where it begins, and mine stays current", async () => {
  const box = sandbox()
  box.store([userEntry("one", null), userEntry("two", "one", "mine"), userEntry("three", "two")])
  const theirs = [userEntry("one", null), userEntry("two", "one", "theirs"), userEntry("three", "two")]
  box.write("project/theirs.jsonl", sessionText(testHeader({ cwd: box.project }), ...theirs))
  await box.print("import", "theirs.jsonl")
  const marked = (await box.print("tree")).split("\n").filter((line) => line.includes("another content of"))
  expect(marked).toEqual([expect.stringContaining("theirs  another content of two")])
  expect(await box.print("show")).not.toContain("theirs")
})
