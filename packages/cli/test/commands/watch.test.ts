import { appendFileSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { userEntry } from "@treelog-internal/test-kit"
import { expect, test } from "vitest"
import { type Ran, type Sandbox, sandbox, type World } from "../sandbox.js"

/** Watches, does each step when the text before it was printed, and presses Ctrl-C after the last one. */
async function watched(
  box: Sandbox,
  argv: readonly string[],
  steps: readonly (readonly [after: string, act: () => void])[],
  world: World = {},
): Promise<Ran> {
  const interrupt = new AbortController()
  const waiting = [...steps]
  let seen = ""
  const onWrite = (text: string): void => {
    seen += text
    const [next] = waiting
    if (!next || !seen.includes(next[0])) return
    waiting.shift()
    seen = ""
    next[1]()
    if (waiting.length === 0) interrupt.abort()
  }
  return box.run(["watch", ...argv], { interrupted: interrupt.signal, onWrite, ...world })
}

function append(path: string, ...entries: object[]): void {
  appendFileSync(path, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(""))
}

const nothing = (): void => {}

test("130: prints what is appended, as show does, until Ctrl-C", async () => {
  const box = sandbox()
  const path = box.store([userEntry("one", null, "before")])
  const { code, stdout, stderr } = await watched(
    box,
    [],
    [
      ["Watching test-session", () => append(path, userEntry("two", "one", "second"))],
      ["second", () => append(path, userEntry("three", "two", "third"))],
      ["third", nothing],
    ],
  )
  expect(code).toBe(130)
  expect(stderr).toBe("Watching test-session; Ctrl-C ends.\n")
  expect(stdout.replace(/ · \d{4}-\d\d-\d\d \d\d:\d\d/g, "")).toBe("\nuser · two\n  second\n\nuser · three\n  third\n")
})

test("says where the conversation goes on when it is another branch", async () => {
  const box = sandbox()
  const path = box.store([userEntry("one", null), userEntry("two", "one")])
  const { stdout } = await watched(
    box,
    [],
    [
      ["Watching", () => append(path, userEntry("three", "one", "third"), userEntry("four", null, "fourth"))],
      ["fourth", nothing],
    ],
  )
  expect(stdout.split("\n").filter((line) => line.startsWith("───"))).toEqual([
    "─── continues at one ───",
    "─── from the beginning ───",
  ])
})

test("--from-start prints first what is there, in the order of the file", async () => {
  const box = sandbox()
  const path = box.store([userEntry("one", null), userEntry("two", "one"), userEntry("three", "one")])
  const { json } = await watched(
    box,
    ["--from-start", "--json"],
    [
      ['"three"', () => append(path, userEntry("four", "three"))],
      ['"four"', nothing],
    ],
  )
  expect(json.map(({ v, entry, description }) => [v, (entry as { id: string }).id, typeof description])).toEqual(
    ["one", "two", "three", "four"].map((id) => [1, id, "string"]),
  )
})

test("half a line is nothing yet", async () => {
  const box = sandbox()
  const path = box.store([userEntry("one", null)])
  const line = JSON.stringify(userEntry("two", "one", "second"))
  const { stdout } = await watched(
    box,
    [],
    [
      [
        "Watching",
        () => {
          appendFileSync(path, line.slice(0, 40))
          setImmediate(() => appendFileSync(path, `${line.slice(40)}\n`))
        },
      ],
      ["second", nothing],
    ],
  )
  expect(stdout.match(/second/g)).toHaveLength(1)
})

test("follows a session that is rewritten, and repeats nothing", async () => {
  const box = sandbox()
  const path = box.store([userEntry("one", null, "before")])
  const { stdout, stderr } = await watched(
    box,
    [],
    [
      [
        "Watching",
        () => {
          const text = `${readFileSync(path, "utf8")}${JSON.stringify(userEntry("two", "one", "second"))}\n`
          writeFileSync(`${path}.new`, text)
          renameSync(`${path}.new`, path)
        },
      ],
      ["second", () => append(path, userEntry("three", "two", "third"))],
      ["third", nothing],
    ],
  )
  expect(stderr).toContain("The file was rewritten; continuing with its new entries.\n")
  expect(stdout).not.toContain("before")
  expect(stdout.match(/second|third/g)).toEqual(["second", "third"])
})

test("1: ends when the session is removed", async () => {
  const box = sandbox()
  const path = box.store([userEntry("one", null)])
  const { code, stderr } = await box.run(["watch"], {
    onWrite: (text) => {
      if (text.startsWith("Watching")) rmSync(path)
    },
  })
  expect(code).toBe(1)
  expect(stderr).toContain("was removed")
})

test("--tail prints first the last messages of the current branch, and goes on there", async () => {
  const box = sandbox()
  const path = box.store([
    userEntry("one", null),
    userEntry("two", "one"),
    userEntry("other", "one"),
    userEntry("three", "two"),
  ])
  const { stdout } = await watched(
    box,
    ["-n", "2"],
    [
      ["user · three", () => append(path, userEntry("four", "three"))],
      ["user · four", nothing],
    ],
  )
  expect(stdout.match(/user · \w+|───.*/g)).toEqual(["user · two", "user · three", "user · four"])
})

test("2: --tail and --from-start exclude each other", async () => {
  const box = sandbox()
  box.store([userEntry("one", null)])
  const { code, stderr } = await box.run(["watch", "-n", "2", "--from-start"])
  expect({ code, stderr }).toEqual({ code: 2, stderr: "treelog: Give --tail or --from-start, not both.\n" })
})
