import { userEntry } from "@treelog-internal/test-kit"
import { expect, test } from "vitest"
import { sampleEntries } from "./sample.js"
import { sandbox } from "./sandbox.js"

test.each([
  ["list"],
  ["list", "--all"],
  ["show"],
  ["tree", "--filter", "all"],
  ["context"],
  ["name", "@last"],
  ["verify"],
  ["verify", "--all"],
  ["show", "old"],
  ["context", "old"],
  ["tree", "torn"],
  ["list", "--all", "--json"],
  ["show", "--json"],
])("treelog %s %s %s changes no byte, no time and no name", async (...argv) => {
  const box = sandbox()
  box.store(sampleEntries())
  box.store([{ ...userEntry("", null), id: undefined, parentId: undefined }], { id: "old", version: 1 })
  box.store([userEntry("one", null), '{"type":"mess'], { id: "torn" })
  box.store([userEntry("one", null)], { id: "newer", version: 9 })
  box.write("agent/terminal-sessions/tty", "")
  const before = box.snapshot()
  await box.run(argv.filter((part) => part !== undefined))
  expect(box.snapshot()).toEqual(before)
})
