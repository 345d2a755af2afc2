import type { PromptScope } from "../../ports/prompt-history.js"
import { equal, failsWith } from "../assert.js"
import { numbered, past, type Tests, where } from "./fixture.js"

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
