import { blobRef } from "@treelog/session-core/adapter"
import { userEntry } from "@treelog-internal/test-kit"
import { expect, test } from "vitest"
import { hashOf, imageEntry, storeBlob } from "./images.js"
import { sampleEntries } from "./sample.js"
import { sandbox } from "./sandbox.js"

/** These end only then; what is there is printed all the same. */
function interruptedFor([command]: readonly string[]): AbortSignal {
  return command === "watch" || command === "view" || command === "mcp"
    ? AbortSignal.abort()
    : new AbortController().signal
}

test.each([
  ["list"],
  ["list", "--all"],
  ["resume", "--last"],
  ["resume", "--query", "one", "--all"],
  ["resume", "old"],
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
  ["context", "--llm", "anthropic", "--repair"],
  ["context", "torn", "--llm", "openai"],
  ["compact", "@last", "--keep", "1", "--dry-run"],
  ["compact", "old", "-n", "-v", "--summarizer", "touch ran"],
  ["stats"],
  ["stats", "--all"],
  ["stats", "--disk", "--json"],
  ["list", "--all-stores", "--since", "2020"],
  ["stats", "--by", "day", "--all"],
  ["search", "one", "--all"],
  ["search", "one", "--context", "2", "--json"],
  ["search", "one", "--all-stores"],
  ["files", "form.tsx"],
  ["index"],
  ["index", "--update"],
  ["index", "--rebuild"],
  ["delete", "--all", "--since", "2020"],
  ["watch"],
  ["watch", "--from-start"],
  ["view"],
  ["repair", "torn", "--dry-run"],
  ["repair", "--migrate", "--all", "--dry-run"],
  ["verify", "images-whole"],
  ["context", "images-whole"],
  ["stats", "images-whole"],
  ["blobs", "slim", "images-whole", "-n"],
  ["blobs", "inflate", "images-whole", "-n"],
  ["verify", "images-damaged"],
  ["context", "images-damaged"],
  ["blobs", "inflate", "images-damaged", "-n"],
  ["blobs", "ls"],
  ["blobs", "verify"],
  ["search", "--prompts", "one"],
  ["blobs", "gc"],
  ["blobs", "gc", "--allow-unparsable", "--grace", "0"],
  ["export"],
  ["export", "torn", "--format", "jsonl"],
  ["export", "old", "--leaf", "0"],
  ["export", "images-damaged", "--inline-images"],
  ["import", "--from", "treelog", "--to", "../copy", "--all", "--dry-run"],
  ["bundle", "--all", "--redact", "-o", "-"],
  ["scan"],
  ["scan", "--all"],
  ["delete", "@last", "--dry-run"],
  ["delete", "--all", "--older-than", "1d"],
  ["delete", "--all", "--max-size", "0", "--include-named", "--include-labelled", "--json"],
  ["trash", "ls"],
  ["trash", "empty"],
  ["trash", "ls"],
  ["relocate", "--from", ".", "--to", "../moved"],
  ["completion", "zsh", "--", "show", ""],
])("treelog %s %s %s %s changes no byte, no time and no name", async (...argv) => {
  const box = sandbox()
  box.store(sampleEntries())
  box.store([{ ...userEntry("", null), id: undefined, parentId: undefined }], { id: "old", version: 1 })
  box.store([userEntry("one", null), '{"type":"mess'], { id: "torn" })
  box.store([userEntry("one", null)], { id: "newer", version: 9 })
  box.store([imageEntry("in", null, 1), imageEntry("out", "in", blobRef(storeBlob(box, "bytes")))], {
    id: "images-whole",
  })
  box.write(`agent/blobs/${storeBlob(box, "damaged")}`, "other bytes")
  box.store([imageEntry("bad", null, blobRef(hashOf("damaged")))], { id: "images-damaged" })
  box.write("agent/terminal-sessions/tty", "")
  box.store([userEntry("gone", null)], { id: "gone" })
  await box.print("delete", "gone")
  const before = box.snapshot()
  const given = argv.filter((part) => part !== undefined)
  // So late that no blob is too young.
  const world = { interrupted: interruptedFor(given), now: () => Date.UTC(2100, 0) }
  const { stdout, stderr } = await box.run(given, world)
  expect(stdout + stderr).not.toBe("")
  expect(box.snapshot()).toEqual(before)
})
