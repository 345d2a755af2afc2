import { assistantEntry, entry, userEntry } from "@treelog-internal/test-kit"
import { expect, test } from "vitest"
import { sampleEntries } from "../sample.js"
import { sandbox } from "../sandbox.js"

test("prints the settings, then each message with the entry that gave it", async () => {
  const box = sandbox()
  box.store(sampleEntries())
  expect(await box.print("context")).toMatchInlineSnapshot(`
    "model     anthropic/claude-test
    thinking  off
    messages  4
    fidelity  exact: The session's own program builds its contexts from these entries.

    compaction · aaaa000a
      ## Goal
      A discount field.

    user · aaaa0009
      Only fix the tests

    bash · aaaa000c
      $ npm test
      1 failed
      (exit code 1)

    assistant · aaaa000d
      (error) Overloaded"
  `)
})

test("marks a command that the user kept from the model", async () => {
  const box = sandbox()
  const run = {
    role: "bashExecution",
    command: "env",
    output: "A=1",
    exitCode: 0,
    cancelled: false,
    truncated: false,
    timestamp: 1,
  }
  box.store([
    userEntry("one", null),
    entry("message", "two", "one", { message: { ...run, excludeFromContext: true } }),
    entry("message", "three", "two", { message: run }),
  ])
  const printed = await box.print("context")
  expect(printed).toMatch(/^bash · two · not sent$/m)
  expect(printed).toMatch(/^bash · three$/m)
})

test("--leaf gives the context of another place, root an empty one", async () => {
  const box = sandbox()
  box.store([userEntry("one", null), assistantEntry("two", "one"), userEntry("three", "two")])
  expect((await box.run(["context", "@last", "--leaf", "two", "--json"])).json[0]?.entries).toEqual(["one", "two"])
  expect((await box.run(["context", "@last", "--leaf", "root", "--json"])).json[0]?.entries).toEqual([])
})

test("--provider leaves out what that provider's own compaction replaced", async () => {
  const box = sandbox()
  const openaiRemoteCompaction = { provider: "openai", replacementHistory: [] }
  box.store([
    userEntry("one", null),
    entry("compaction", "two", "one", {
      summary: "S",
      firstKeptEntryId: "one",
      tokensBefore: 1,
      preserveData: { openaiRemoteCompaction },
    }),
  ])
  expect((await box.run(["context", "--json"])).json[0]?.entries).toEqual(["two", "one"])
  expect((await box.run(["context", "--provider", "openai", "--json"])).json[0]?.entries).toEqual(["two"])
})

test("reports on stderr what of the path could not be followed", async () => {
  const box = sandbox()
  box.store([
    userEntry("one", null),
    entry("compaction", "two", "one", { summary: "S", firstKeptEntryId: "gone", tokensBefore: 1 }),
  ])
  const { code, stderr } = await box.run(["context"])
  expect(code).toBe(0)
  expect(stderr).toContain("names gone, which is not on its path")
})
