import { assistantMessage, chain, entry, messageEntry, userEntry, userMessage } from "@treelog-internal/test-kit"
import { expect, test } from "vitest"
import { sandbox } from "../sandbox.js"

/** Interrupted in the middle of a call, with a message of a role that nobody knows and thinking of another provider. */
function broken(): object[] {
  const answer = assistantMessage("", {
    provider: "google",
    content: [
      { type: "thinking", thinking: "Hm.", thinkingSignature: "sig" },
      { type: "toolCall", id: "c1", name: "read", arguments: { path: "a" } },
    ],
    stopReason: "aborted",
  })
  return chain(
    userEntry("u1", null, "Read a"),
    messageEntry("x1", null, { role: "hologram", content: "?", timestamp: 0 }),
    messageEntry("a1", null, answer),
    userEntry("u2", null, "Go on"),
  )
}

test.each(["anthropic", "openai", "openai-responses", "ai-sdk"])(
  "--llm %s --repair prints the part of a request that holds the conversation, and says what was repaired",
  async (format) => {
    const box = sandbox()
    box.store(broken())
    const { code, json, stderr } = await box.run(["context", "--llm", format, "--repair"])
    expect(code).toBe(0)
    expect(json).toHaveLength(1)
    expect(json[0]).toMatchSnapshot()
    expect(stderr.split("\n")).toEqual([
      expect.stringMatching(/^a1 result-added /),
      "x1 unknown-role Message 1 has the role hologram, which no model knows; it is left out.",
      "1 thing repaired.",
      "",
    ])
  },
)

test("without --repair nothing is repaired, and what an API may refuse is said", async () => {
  const box = sandbox()
  box.store(broken())
  const { json, stderr } = await box.run(["context", "--llm", "openai"])
  expect(JSON.stringify(json[0])).not.toContain("tool_call_id")
  expect(stderr).toMatch(
    /^x1 unknown-role [^\n]*\na1 needs-repair An API may refuse this; --repair changes it: [^\n]*\n$/,
  )
})

test("a sound history comes through --repair as it is", async () => {
  const box = sandbox()
  box.store(chain(userEntry("u1", null), messageEntry("a1", null, assistantMessage("Yes"))))
  const repaired = await box.run(["context", "--llm", "anthropic", "--repair"])
  expect(repaired.stderr).toBe("Nothing to repair.\n")
  expect(repaired.stdout).toBe((await box.run(["context", "--llm", "anthropic"])).stdout)
})

test("--json puts all of it into a document, with the entries that are meant", async () => {
  const box = sandbox()
  box.store(broken())
  const { json, stderr } = await box.run(["context", "--llm", "anthropic", "--repair", "--json"])
  expect(stderr).toBe("")
  expect(json[0]).toMatchObject({
    v: 1,
    llm: "anthropic",
    repaired: true,
    leafId: "u2",
    request: { messages: [{ role: "user" }, { role: "assistant" }, { role: "user" }] },
    changes: [{ kind: "result-added", index: 2, entryId: "a1" }],
    diagnostics: [{ kind: "unknown-role", index: 1, entryId: "x1" }],
  })
})

test("--provider says whose thinking goes as thinking", async () => {
  const box = sandbox()
  box.store(broken())
  const own = await box.print("context", "--llm", "ai-sdk", "--provider", "google")
  expect(own).toContain('{"type":"reasoning","text":"Hm."')
  expect(await box.print("context", "--llm", "ai-sdk", "--provider", "openai")).toContain("<thinking>")
})

test("only a format that can carry a provider's own compaction leaves out what it replaced", async () => {
  const box = sandbox()
  const openaiRemoteCompaction = { provider: "openai", replacementHistory: [{ type: "compaction", data: "opaque" }] }
  box.store([
    userEntry("one", null, "Before"),
    entry("compaction", "two", "one", {
      summary: "S",
      firstKeptEntryId: "one",
      tokensBefore: 1,
      preserveData: { openaiRemoteCompaction },
    }),
  ])
  expect((await box.run(["context", "--llm", "openai-responses"])).json).toEqual([
    { input: [{ type: "compaction", data: "opaque" }] },
  ])
  for (const argv of [["openai"], ["openai", "--provider", "openai"], ["anthropic"], ["ai-sdk"]])
    expect(await box.print("context", "--llm", ...argv)).toContain("Before")
})

test("an image that is missing is reported, and becomes a note", async () => {
  const box = sandbox()
  const data = `blob:sha256:${"0".repeat(64)}`
  box.store([messageEntry("u1", null, userMessage("", { content: [{ type: "image", mimeType: "image/png", data }] }))])
  const { stdout, stderr } = await box.run(["context", "--llm", "anthropic", "--repair"])
  expect(stdout).toContain(`{"type":"text","text":"[Image left out: ${data} was not restored.]"}`)
  expect(stderr).toMatch(/^u1 image-noted /m)
  expect(stderr).toContain(`Some blobs are missing in ${box.agentDir}/blobs`)
})

test("the model of the last reply goes on, unless it is of another provider: it gets the thinking of others as text", async () => {
  const box = sandbox()
  const thinks = (id: string, model: string) => {
    const content = [{ type: "thinking", thinking: `By ${model}.`, thinkingSignature: "sig" }]
    return messageEntry(id, null, assistantMessage("", { provider: "anthropic", model, content }))
  }
  box.store(chain(userEntry("u1", null), thinks("a1", "one"), userEntry("u2", null), thinks("a2", "two")))
  const own = await box.print("context", "--llm", "anthropic")
  expect(own).toContain("<thinking>\\nBy one.\\n</thinking>")
  expect(own).toContain('"thinking":"By two."')
  const others = await box.print("context", "--llm", "openai-responses")
  expect(others.match(/<thinking>/g)).toHaveLength(2)
})
