import { messageEntry, userEntry } from "@treelog-internal/test-kit"
import { expect, test } from "vitest"
import { sampleEntries } from "../sample.js"
import { sandbox } from "../sandbox.js"

test("prints the branch that the session stands on, as people read it", async () => {
  const box = sandbox()
  box.store(sampleEntries())
  const { stdout } = await box.run(["show"], { env: { TZ: "UTC" } })
  expect(withoutTimes(stdout)).toMatchInlineSnapshot(`
    "Discount · test-session · 11 entries of 13
    · aaaa0001 model anthropic/claude-test

    user · aaaa0002 · not in context
      Add a discount field

    assistant · claude-test · aaaa0003 · not in context
      [thinking] Find the form first.
      → read(path="form.tsx", limit=3)

    result · read · aaaa0004 · not in context
      line 1
      line 2
      line 3
      line 4
      line 5
      line 6
      line 7
      line 8
      line 9
      line 10
      … 5 more lines (--full)

    assistant · claude-test · aaaa0005 · not in context
      The field is in place.

    branch summary · aaaa0008 · not in context
      A rewrite did not help.

    user · aaaa0009
      Only fix the tests

    ─── compaction aaaa000a from 2,600 tokens, keeps from aaaa0009 ───
      ## Goal
      A discount field.

    · aaaa000b name Discount

    bash · aaaa000c
      $ npm test
      1 failed
      (exit code 1)

    assistant · claude-test · aaaa000d
      (error) Overloaded
    "
  `)
})

test("leaves out the data that programs keep, but not what was damaged; --full prints it", async () => {
  const box = sandbox()
  const data = (id: string, parentId: string, customType: string) => ({
    type: "custom",
    id,
    parentId,
    customType,
    data: {},
  })
  box.store([
    userEntry("aaaa0001", null, "Hello"),
    data("aaaa0002", "aaaa0001", "claude-code.mode"),
    { type: "usage", id: "aaaa0003", parentId: "aaaa0002", model: "claude-test" },
    data("aaaa0004", "aaaa0003", "treelog.damaged"),
  ])
  const notes = async (...args: string[]) =>
    (await box.run(["show", ...args])).stdout.split("\n").filter((line) => line.startsWith("·"))
  expect(await notes()).toEqual(["· aaaa0004 data of treelog.damaged"])
  expect(await notes("--full")).toEqual([
    "· aaaa0002 data of claude-code.mode",
    "· aaaa0003 usage of claude-test",
    "· aaaa0004 data of treelog.damaged",
  ])
})

test("cuts long instructions for the model; --full prints them", async () => {
  const box = sandbox()
  const content = Array.from({ length: 40 }, (_, line) => `rule ${line}`).join("\n")
  box.store([messageEntry("aaaa0001", null, { role: "developer", content, timestamp: 0 } as never)])
  const { stdout } = await box.run(["show"])
  expect(stdout).toContain("rule 9\n")
  expect(stdout).not.toContain("rule 10\n")
  expect(stdout).toContain("… 30 more lines (--full)")
  expect((await box.run(["show", "--full"])).stdout).toContain("rule 39\n")
})

test("--full cuts nothing", async () => {
  const box = sandbox()
  box.store(sampleEntries())
  expect(await box.print("show")).not.toContain("line 11")
  expect(await box.print("show", "--full")).toContain("line 15")
})

test("--leaf shows another branch, by the beginning of an id", async () => {
  const box = sandbox()
  box.store(sampleEntries())
  const shown = await box.print("show", "@last", "--leaf", "aaaa0006")
  expect(shown).toContain("Rewrite it all")
  expect(shown).not.toContain("Only fix the tests")
})

test("pictures are named by type and size, or by where they lie", async () => {
  const box = sandbox()
  box.store([
    messageEntry("one", null, {
      role: "user",
      content: [
        { type: "image", mimeType: "image/png", data: "A".repeat(16_384) },
        { type: "image", mimeType: "image/png", data: `blob:sha256:${"ab".repeat(32)}` },
      ],
      timestamp: 0,
    }),
  ])
  const shown = await box.print("show")
  expect(shown).toContain("  [image image/png 12 KB]\n  [image image/png blob:sha256:abababababab]")
})

test("long lines are broken at spaces on a terminal, and left alone in a pipe", async () => {
  const box = sandbox()
  box.store([userEntry("one", null, `  ${"word ".repeat(20)}`)])
  const onTerminal = await box.run(["show"], { isTTY: true, columns: 40, env: { NO_COLOR: "1" } })
  expect(onTerminal.stdout.split("\n").filter((line) => line.includes("word"))).toEqual([
    `    ${"word ".repeat(7).trim()}`,
    `    ${"word ".repeat(7).trim()}`,
    `    ${"word ".repeat(6).trim()}`,
  ])
  expect((await box.run(["show"])).stdout.split("\n").filter((line) => line.includes("word"))).toHaveLength(1)
})

test("messages of the wild are shown as far as they go", async () => {
  const box = sandbox()
  const messages: object[] = [
    { role: "user", content: null },
    { role: "assistant" },
    { role: "assistant", content: [null, 3, { type: "text" }, { type: "toolCall" }, { type: "hologram", depth: 3 }] },
    { role: "toolResult", content: "plain" },
    { role: "bashExecution" },
    { role: "newRole", payload: 1 },
    { content: "no role" },
    { role: 7, content: [] },
  ]
  box.store(
    messages.map((message, index) => ({ ...userEntry(`m${index}`, index === 0 ? null : `m${index - 1}`), message })),
  )
  const { code, stdout } = await box.run(["show", "--full"])
  expect(code).toBe(0)
  expect(withoutTimes(stdout)).toMatchInlineSnapshot(`
    "test-session · 8 entries

    user · m0
      (no text)

    assistant · m1
      (no text)

    assistant · m2
      → unknown tool()
      {"type":"hologram","depth":3}

    result · unknown tool · m3
      plain

    bash · m4
      $

    newRole · m5
      {"role":"newRole","payload":1}

    · m6 message
    · m7 message
    "
  `)
  expect((await box.run(["context", "--full"])).code).toBe(0)
  expect((await box.run(["tree", "--filter", "all"])).stdout.split("\n")).toHaveLength(messages.length + 1)
})

test("a session without entries says so on stderr", async () => {
  const box = sandbox()
  box.store([])
  const { code, stderr } = await box.run(["show"])
  expect({ code, stderr }).toEqual({ code: 0, stderr: "There is nothing on this branch yet.\n" })
})

/** Local times differ from place to place, and so does the project's folder. */
function withoutTimes(text: string): string {
  return text.replace(/ · \d{4}-\d\d-\d\d \d\d:\d\d/g, "").replace(/ · \/\S+project/g, "")
}

test("--tail prints the last messages, and what stands between and after them", async () => {
  const box = sandbox()
  box.store([
    userEntry("one", null),
    userEntry("two", "one"),
    { type: "model_change", id: "model", parentId: "two", timestamp: "", provider: "p", modelId: "m" },
    userEntry("three", "model"),
    { type: "session_info", id: "info", parentId: "three", timestamp: "", name: "Named" },
  ])
  const ids = async (...more: string[]) => {
    const { json } = await box.run(["show", "--json", ...more])
    return ((json[0]?.items ?? []) as { entry: { id: string } }[]).map(({ entry }) => entry.id)
  }
  expect(await ids("--tail", "1")).toEqual(["three", "info"])
  expect(await ids("-n", "2")).toEqual(["two", "model", "three", "info"])
  expect(await ids("--tail", "9")).toEqual(["one", "two", "model", "three", "info"])
  expect(await ids("--tail", "1", "--leaf", "two")).toEqual(["two"])
  const text = await box.print("show", "--tail", "1")
  expect(text).toContain("2 entries of 5")
  expect(text).toContain("three")
  expect(text).not.toContain("user · two")
})
