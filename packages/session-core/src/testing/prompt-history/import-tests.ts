import type { ImportedPrompt, PromptImportProgress } from "../../ports/prompt-history.js"
import { equal, failure } from "../assert.js"
import { contentOf, numbered, past, type Tests } from "./fixture.js"

async function* stream(prompts: readonly ImportedPrompt[]): AsyncGenerator<ImportedPrompt> {
  yield* prompts
}

export const importTests: Tests = {
  "takes what an async source gives, with its time and origin": async ({ history, holds }) => {
    const origin = { cwd: "/a", sessionId: "s1" }
    const report = await history.import(stream([past(" one ", 1, origin), past("two", 2), past("", 3)]))
    equal(report, { read: 3, added: 2, known: 0, ignored: 1, deleted: 0 }, "the report")
    await holds(["two", "one"])
    const [prompt] = await history.recent({ scope: { kind: "cwd", cwd: "/a" } })
    equal(contentOf(prompt), past("one", 1, origin), "the prompt")
  },

  "can be repeated": async ({ history, add, stores, holds }) => {
    const twice = ["s1", "s2"].map((sessionId) => past("two", 2, { sessionId }))
    const prompts = [past("one", 1), ...twice, past("one", 3)]
    equal((await history.import(prompts)).added, 4, "how many are added")
    const again = await history.import([...prompts, past("three", 4), past("three", 4)])
    equal(again, { read: 6, added: 1, known: 5, ignored: 0, deleted: 0 }, "the report of the second import")
    await stores(5)
    add(["now"])
    await holds(["now", "three", "one", "two"])
  },

  "knows what was added in the session already": async ({ history, add }) => {
    add(["one"], { cwd: "/a", sessionId: "s1" })
    const stored = await history.recent()
    const sameSecond = stored.map((prompt) => ({ ...prompt, createdAt: prompt.createdAt + 999 }))
    equal((await history.import(sameSecond)).known, 1, "how many are known")
  },

  "accepts impossible times": async ({ history, holds }) => {
    const times = [Number.NaN, Number.POSITIVE_INFINITY, -5, 0.5, 1e20]
    const report = await history.import(times.map((createdAt, index) => ({ text: `prompt ${index}`, createdAt })))
    equal(report.added, 5, "how many are added")
    await holds(numbered(5).reverse())
  },

  "reports its progress, including the end": async ({ history }) => {
    const reports: PromptImportProgress[] = []
    const prompts = numbered(5000).map((text, minute) => past(text, minute))
    const report = await history.import(stream(prompts), { onProgress: (progress) => reports.push(progress) })
    equal(reports.at(-1), { ...report, left: 0 }, "the last progress")
    equal(report, { read: 5000, added: 5000, known: 0, ignored: 0, deleted: 0 }, "the report")
  },

  "stops when it is aborted, and can be taken up again": async ({ history, holds }) => {
    const controller = new AbortController()
    const prompts = numbered(10).map((text, minute) => past(text, minute))
    async function* aborting(): AsyncGenerator<ImportedPrompt> {
      yield* prompts.slice(0, 5)
      controller.abort()
      yield* prompts.slice(5)
    }
    await failure(history.import(aborting(), { signal: controller.signal }), "an aborted import")
    await history.import(prompts)
    await holds(prompts.map(({ text }) => text).reverse())
  },

  "lets other things happen meanwhile": async ({ history, add, stores, finds }) => {
    const prompts = numbered(6000).map((text, minute) => past(text, minute))
    const importing = history.import(stream(prompts))
    add(["asked meanwhile"])
    await finds("meanwhile", ["asked meanwhile"])
    await importing
    await finds("prompt 5999", ["prompt 5999"])
    await stores(6001)
  },
}
