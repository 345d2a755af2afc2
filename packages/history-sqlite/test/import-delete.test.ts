import type { ImportedPrompt, PromptImportReport, PromptScope } from "@treelog/history-sqlite"
import { describe, expect, it } from "vitest"
import { newHistory, numbered, past, textsOf } from "./open-history.js"

async function* stream(prompts: readonly ImportedPrompt[]): AsyncGenerator<ImportedPrompt> {
  yield* prompts
}

describe("import", () => {
  it("takes what an async source gives, with its time and origin", async () => {
    const { history, recent } = newHistory()
    const origin = { cwd: "/a", sessionId: "s1" }
    const report = await history.import(stream([past(" one ", 1, origin), past("two", 2), past("", 3)]))
    expect(report).toEqual({ read: 3, added: 2, known: 0, ignored: 1, deleted: 0 })
    expect(await recent()).toEqual(["two", "one"])
    const [prompt] = await history.recent({ scope: { kind: "cwd", cwd: "/a" } })
    expect(prompt).toMatchObject(past("one", 1, origin))
  })

  it("can be repeated", async () => {
    const { history, add, recent, stored } = newHistory()
    const twice = ["s1", "s2"].map((sessionId) => past("two", 2, { sessionId }))
    const prompts = [past("one", 1), ...twice, past("one", 3)]
    expect(await history.import(prompts)).toMatchObject({ added: 4 })
    const again = await history.import([...prompts, past("three", 4), past("three", 4)])
    expect(again).toEqual({ read: 6, added: 1, known: 5, ignored: 0, deleted: 0 })
    expect(await stored()).toBe(5)
    add(["now"])
    expect(await recent()).toEqual(["now", "three", "one", "two"])
  })

  it("knows what was added in the session already", async () => {
    const { history, add } = newHistory()
    add(["one"], { cwd: "/a", sessionId: "s1" })
    const sameSecond = (await history.recent()).map((prompt) => ({ ...prompt, createdAt: prompt.createdAt + 999 }))
    expect(await history.import(sameSecond)).toMatchObject({ known: 1 })
  })

  it("accepts impossible times", async () => {
    const { history, recent } = newHistory()
    const times = [Number.NaN, Number.POSITIVE_INFINITY, -5, 0.5, 1e20]
    const report = await history.import(times.map((createdAt, index) => ({ text: `prompt ${index}`, createdAt })))
    expect(report.added).toBe(5)
    expect(await recent()).toEqual(numbered(5).reverse())
  })

  it("lets other things happen meanwhile, and reports its progress, including the end", async () => {
    const { history, add, search, stored } = newHistory()
    const reports: PromptImportReport[] = []
    const prompts = numbered(6000).map((text, minute) => past(text, minute))
    const importing = history.import(stream(prompts), { onProgress: (report) => reports.push(report) })
    add(["asked meanwhile"])
    expect(await search("meanwhile")).toEqual(["asked meanwhile"])
    expect(await importing).toEqual({ read: 6000, added: 6000, known: 0, ignored: 0, deleted: 0 })
    expect(reports.map(({ read }) => read)).toEqual([2000, 4000, 6000])
    expect([await search("prompt 5999"), await stored()]).toEqual([["prompt 5999"], 6001])
  })

  it("keeps what came before it was aborted, and can be taken up again", async () => {
    const { history, search, stored } = newHistory()
    const controller = new AbortController()
    const prompts = numbered(4500).map((text, minute) => past(text, minute))
    async function* aborting(): AsyncGenerator<ImportedPrompt> {
      yield* prompts.slice(0, 4400)
      controller.abort()
      yield* prompts.slice(4400)
    }
    await expect(history.import(aborting(), { signal: controller.signal })).rejects.toThrow("abort")
    expect([await stored(), await search("prompt 3999")]).toEqual([4000, ["prompt 3999"]])
    expect(await history.import(prompts)).toMatchObject({ added: 500, known: 4000 })
  })
})

const one = { cwd: "/a", sessionId: "s1" }
const two = { cwd: "/b", sessionId: "s2" }

describe("delete", () => {
  it("removes one prompt in all folders and sessions", async () => {
    const { history, add, recent, search } = newHistory()
    add(["secret plan", "keep"], one)
    add(["secret plan", "secret plans"], two)
    const id = (await history.recent()).find(({ text }) => text === "secret plan")?.id ?? 0
    expect([await history.delete({ id }), await history.delete({ id: 999_999 })]).toEqual([2, 0])
    expect([await recent(), await search("plan")]).toEqual([["secret plans", "keep"], ["secret plans"]])
  })

  it("removes what a query finds, also beyond what a list shows, in all or in a scope", async () => {
    const { history, add, recent } = newHistory()
    add([...numbered(120, "login"), "logout"], one)
    add(["login"], two)
    expect(await history.delete({ query: "LOGI", scope: { kind: "cwd", cwd: "/b" } })).toBe(1)
    expect(await history.delete({ query: "LOGI" })).toBe(120)
    expect(await recent()).toEqual(["logout"])
  })

  it("removes a session, a folder, a repository, everything", async () => {
    const { history, add, recent } = newHistory()
    add(["same", "one"], one)
    add(["two", "same"], two)
    add(["three"], { cwd: "/c/d", sessionId: "s3" })
    const steps: [PromptScope, number, string[]][] = [
      [{ kind: "session", sessionId: "s2" }, 2, ["three", "one", "same"]],
      [{ kind: "repository", roots: ["/c"] }, 1, ["one", "same"]],
      [{ kind: "cwd", cwd: "/a" }, 2, []],
    ]
    for (const [scope, count, left] of steps) {
      expect(await history.delete({ scope })).toBe(count)
      expect(await recent()).toEqual(left)
    }
    add(["four"])
    expect([await history.delete({ scope: { kind: "all" } }), await recent()]).toEqual([1, []])
  })

  it("refuses a query without terms", async () => {
    const { history, add, recent } = newHistory()
    add(["one"])
    for (const query of ["", " \n"])
      await expect(history.delete({ query })).rejects.toMatchObject({ code: "InvalidArgumentError" })
    expect(await recent()).toEqual(["one"])
  })

  it("is not undone by importing again, from whatever source", async () => {
    const { history, recent } = newHistory()
    const prompts = [past("a", 1, one), past("b", 2, one), past("b", 3, two), past("c", 4, two), past("d", 5)]
    await history.import(prompts)
    await history.delete({ query: "c" })
    await history.delete({ scope: { kind: "session", sessionId: "s1" } })
    const report = await history.import([...prompts, past("c", 6, { cwd: "/e", sessionId: "s5" })])
    expect(report).toEqual({ read: 6, added: 0, known: 2, ignored: 0, deleted: 4 })
    expect(await recent()).toEqual(["d", "b"])
  })

  it("keeps a folder, a repository and everything out, but not what is newer", async () => {
    const { history, clock, recent } = newHistory()
    await history.import([past("a", 1, one), past("b", 2, two)])
    await history.delete({ scope: { kind: "repository", roots: ["/a"] } })
    expect(await history.import([past("c", 3, { cwd: "/a" })])).toMatchObject({ deleted: 1 })
    await history.delete({ scope: { kind: "cwd", cwd: "/x" } })
    expect(await history.import([past("c", 3, { cwd: "/x" })])).toMatchObject({ deleted: 1 })
    await history.delete({ scope: { kind: "all" } })
    expect(await history.import([past("d", 4)])).toMatchObject({ deleted: 1 })
    await history.import([{ text: "new", createdAt: clock.now() }])
    expect(await recent()).toEqual(["new"])
  })

  it("does not prevent a prompt from being added again", async () => {
    const { history, add, recent } = newHistory()
    add(["a"], one)
    await history.delete({ query: "a" })
    add(["b", "a"], one)
    expect(await recent()).toEqual(["a", "b"])
  })

  it("removes for everyone, for good", async () => {
    const { history, add, reopen } = newHistory()
    add(["one", "two"], one)
    await history.delete({ query: "one" })
    const other = reopen()
    expect(await other.import([past("one", 1, one)])).toMatchObject({ deleted: 1 })
    expect(await textsOf(other.recent())).toEqual(["two"])
  })
})
