import type { ImportedPrompt, PromptImportProgress, PromptScope } from "../../ports/prompt-history.js"
import { equal, failsWith, failure } from "../assert.js"
import { contentOf, numbered, past, type Tests, where } from "./fixture.js"

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

const one = { cwd: "/a", sessionId: "s1" }
const two = { cwd: "/b", sessionId: "s2" }

export const deleteTests: Tests = {
  "removes one prompt in all folders and sessions": async ({ history, add, holds, finds, idOf }) => {
    add(["secret plan", "keep"], one)
    add(["secret plan", "secret plans"], two)
    equal(await history.delete({ id: await idOf("secret plan") }), 2, "how many went")
    await holds(["secret plans", "keep"])
    await finds("plan", ["secret plans"])
    equal(await history.delete({ id: 999_999 }), 0, "how many go of one that is not there")
  },

  "removes what a query finds, also beyond what a list shows": async ({ history, add, holds }) => {
    add(numbered(120, "login"), one)
    add(["logout"], two)
    equal(await history.delete({ query: "LOGI" }), 120, "how many went")
    await holds(["logout"])
  },

  "removes what a query finds in a scope": async ({ history, add, holds }) => {
    add(["login"], one)
    add(["logout", "login"], two)
    equal(await history.delete({ query: "login", scope: { kind: "cwd", cwd: "/b" } }), 1, "how many went")
    await holds(["logout", "login"])
  },

  "removes a session, a folder, a repository, everything": async ({ history, add, holds }) => {
    add(["same", "one"], one)
    add(["two", "same"], two)
    add(["three"], { cwd: "/c/d", sessionId: "s3" })
    const removes = async (count: number, scope: PromptScope) =>
      equal(await history.delete({ scope }), count, `how many went with ${JSON.stringify(scope)}`)
    await removes(2, { kind: "session", sessionId: "s2" })
    await holds(["three", "one", "same"])
    await removes(1, { kind: "repository", roots: ["/c"] })
    await removes(2, { kind: "cwd", cwd: "/a" })
    await holds([])
    add(["four"])
    await removes(1, { kind: "all" })
    await holds([])
  },

  "refuses a query without terms": async ({ history, add, holds }) => {
    add(["one"])
    for (const query of ["", " \n"])
      await failsWith("InvalidArgumentError", history.delete({ query }), "deleting by no term")
    await holds(["one"])
  },

  "is not undone by importing again": async ({ history, holds }) => {
    const prompts = [past("a", 1, one), past("b", 2, one), past("b", 3, two), past("c", 4, two), past("d", 5)]
    await history.import(prompts)
    await history.delete({ query: "c" })
    await history.delete({ scope: { kind: "session", sessionId: "s1" } })
    const report = await history.import(prompts)
    equal(report, { read: 5, added: 0, known: 2, ignored: 0, deleted: 3 }, "the report")
    await holds(["d", "b"])
  },

  "keeps out what it removed, from every source": async ({ history, holds }) => {
    await history.import([past("a", 1, one)])
    await history.delete({ query: "a" })
    await history.import([past("a", 2, two), past("b", 3, one)])
    await holds(["b"])
  },

  "keeps a folder, a repository and everything out": async ({ history, clock, holds }) => {
    await history.import([past("a", 1, one), past("b", 2, two)])
    await history.delete({ scope: { kind: "repository", roots: ["/a"] } })
    equal((await history.import([past("c", 3, { cwd: "/a" })])).deleted, 1, "how many were kept out")
    await history.delete({ scope: { kind: "all" } })
    equal((await history.import([past("d", 4)])).deleted, 1, "how many were kept out")
    await history.import([{ text: "new", createdAt: clock.now() }])
    await holds(["new"])
  },

  "does not prevent a prompt from being added again": async ({ history, add, holds }) => {
    add(["a"], one)
    await history.delete({ query: "a" })
    add(["b", "a"], one)
    await holds(["a", "b"])
  },

  ...where("durable", {
    "removes for everyone, for good": async ({ history, add, reopen, holds }) => {
      add(["one", "two"], one)
      await history.delete({ query: "one" })
      const other = await reopen()
      equal((await other.import([past("one", 1, one)])).deleted, 1, "how many were kept out")
      await holds(["two"], {}, other)
    },
  }),
}
