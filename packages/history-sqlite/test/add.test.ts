import { ignoreReason, type PromptIgnoreRules } from "@treelog/history-sqlite"
import { describe, expect, it } from "vitest"
import { newHistory, textsOf } from "./open-history.js"

const CLOSED = { code: "HistoryUnavailableError", data: { reason: "closed" } }

describe("add", () => {
  it("keeps the text, the second, the folder and the session", async () => {
    const { history, clock } = newHistory()
    const origin = { cwd: "/home/user/shop", sessionId: "s1" }
    const createdAt = clock.now() + 60_000
    history.add("fix the login", origin)
    expect(await history.recent()).toEqual([{ id: 1, text: "fix the login", createdAt, ...origin }])
  })

  it("keeps any text as it is, but for its ends, halves of characters and NUL", async () => {
    const { add, recent } = newHistory()
    const odd = [
      "a\tb\nc",
      "🇪🇺 👩‍👩‍👧 e\u0301",
      "\u202eabc\u0007",
      '{"__proto__": "x"}',
      "\\\"'%_",
      "x".repeat(100_000),
    ]
    add(["  one\n", ...odd, "half \ud800 and \0"])
    expect(await recent()).toEqual(["half \ufffd and \ufffd", ...odd.reverse(), "one"])
  })

  it("ignores an empty prompt, and one that equals the last, in whatever session", async () => {
    const { add, recent, stored } = newHistory()
    add(["", "   \n\t", "again"], { sessionId: "s1" })
    add([" again "], { sessionId: "s2" })
    expect(await stored()).toBe(1)
    add(["other", "again"])
    expect(await stored()).toBe(3)
    expect(await recent()).toEqual(["again", "other"])
  })

  it("never throws, and every other method fails once the history is closed", async () => {
    const { history, add, reopen } = newHistory()
    add(["one"])
    await history.close()
    add(["two"])
    for (const attempt of [
      () => history.recent(),
      () => history.search("x"),
      () => history.get(1),
      () => history.stats(),
      () => history.flush(),
      () => history.import([]),
      () => history.delete({ query: "one" }),
    ])
      await expect(attempt()).rejects.toMatchObject(CLOSED)
    expect(await textsOf(reopen().recent())).toEqual(["one"])
  })

  it("shows what others added in the meantime", async () => {
    const { add, recent, search, reopen } = newHistory()
    const other = reopen()
    add(["one"])
    expect(await recent()).toEqual(["one"])
    other.add("two")
    await other.flush()
    expect([await search("two"), await recent()]).toEqual([["two"], ["two", "one"]])
  })
})

describe("the rules", () => {
  const secrets = (text: string) => text.includes("hunter2")

  it.each<[string, PromptIgnoreRules, string[], string[]]>([
    ["nothing by default", {}, [" one"], ["one"]],
    ["a leading space", { leadingSpace: true }, [" one", "two ", "\nthree"], ["two", "three"]],
    [
      "what a pattern matches, each time",
      { patterns: [/password/gi, /^\/clear/] },
      ["keep", "the password is x", "PASSWORD", "/clear", "do /clear"],
      ["keep", "do /clear"],
    ],
    ["what looks like a secret", { secrets }, ["my login is hunter2", "fine", "hunter2"], ["fine"]],
  ])("ignore %s, of what is added and imported", async (_, rules, texts, kept) => {
    const ignore: PromptIgnoreRules = { secrets: false, ...rules }
    const { history, add, recent } = newHistory({ ignore })
    add(texts)
    expect(await recent()).toEqual([...kept].reverse())
    const old = texts.map((text) => ({ text, createdAt: 0 }))
    expect(await history.import(old)).toMatchObject({ added: kept.length, ignored: texts.length - kept.length })
    const reasons = texts.map((text) => ignoreReason(text, ignore))
    expect(texts.filter((_text, at) => reasons[at] === undefined).map((text) => text.trim())).toEqual(kept)
  })

  it("lose nothing when the check for secrets fails, which is reported, to searches as well, until all is stored", async () => {
    let fails = false
    const errors: unknown[] = []
    const { history, recent, stored } = newHistory({
      onError: (error) => errors.push(error),
      ignore: {
        secrets: () => {
          if (fails) throw new Error("no rules")
          return false
        },
      },
    })
    history.add("one")
    expect(await recent()).toEqual(["one"])
    expect([history.lastError, errors]).toEqual([undefined, []])
    fails = true
    history.add("two")
    await expect.poll(() => history.lastError).toMatchObject({ message: "no rules" })
    expect(errors).toHaveLength(1)
    expect(await recent()).toEqual(["one"])
    expect(errors).toHaveLength(2)
    await expect(history.flush()).rejects.toThrow("no rules")
    expect(errors).toHaveLength(2)
    fails = false
    history.add("three")
    await expect.poll(() => history.lastError).toBeUndefined()
    expect(await recent()).toEqual(["three", "two", "one"])
    expect(await stored()).toBe(3)
  })
})
