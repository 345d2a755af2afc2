import type { PromptScope } from "../../ports/prompt-history.js"
import { equal } from "../assert.js"
import { numbered, past, type Tests } from "./fixture.js"

const shop = { cwd: "/home/user/shop", sessionId: "s1" }
const deeper = { cwd: "/home/user/shop/packages/core", sessionId: "s1" }
const api = { cwd: "/home/user/shop-api", sessionId: "s2" }
const scopeOf = (cwd: string): PromptScope => ({ kind: "cwd", cwd })

export const listTests: Tests = {
  "gives nothing from a fresh history": async ({ history, holds, finds }) => {
    await holds([])
    await finds("x", [])
    const nothing = { stored: 0, folders: 0, sessions: 0, oldest: undefined, newest: undefined }
    equal({ ...(await history.stats()), bytes: undefined }, { ...nothing, bytes: undefined }, "the stats")
  },

  "returns distinct texts, each at its last use": async ({ history, add, stores, holds }) => {
    add(["a", "b", "a", "c", "b"], shop)
    await holds(["b", "c", "a"])
    const [newest] = await history.recent()
    equal(newest?.createdAt, (await history.stats()).newest, "the time of the newest")
    await stores(5)
  },

  "gives as many as the limit says": async ({ history, add, holds }) => {
    add(numbered(150))
    equal((await history.recent()).length, 100, "how many come by default")
    await holds(["prompt 149", "prompt 148"], { limit: 2 })
    for (const limit of [0, -1, Number.NaN]) await holds([], { limit })
    equal((await history.recent({ limit: Number.POSITIVE_INFINITY })).length, 150, "how many come without limit")
  },

  "distinguishes the scopes": async ({ add, holds }) => {
    add(["one"], shop)
    add(["two"], deeper)
    add(["three"], api)
    add(["four"])
    await holds(["four", "three", "two", "one"], { scope: { kind: "all" } })
    await holds(["two", "one"], { scope: { kind: "session", sessionId: "s1" } })
    await holds(["one"], { scope: scopeOf(shop.cwd) })
    await holds(["two", "one"], { scope: { kind: "repository", roots: [shop.cwd] } })
    await holds(["three", "two"], { scope: { kind: "repository", roots: [deeper.cwd, `${api.cwd}/`, api.cwd] } })
    for (const cwd of ["/elsewhere", "", "/home/user/sho", "%"]) await holds([], { scope: scopeOf(cwd) })
    await holds([], { scope: { kind: "session", sessionId: "" } })
    await holds([], { scope: { kind: "repository", roots: [] } })
  },

  "lists a prompt in every scope that it was added in, at its place there": async ({ history, add, holds }) => {
    add(["same", "first"], shop)
    add(["same"], api)
    await holds(["same", "first"])
    await holds(["first", "same"], { scope: scopeOf(shop.cwd) })
    await holds(["same"], { scope: scopeOf(api.cwd) })
    const [prompt] = await history.recent({ scope: { kind: "session", sessionId: "s1" }, limit: 9 })
    equal(prompt?.text, "first", "the newest of the session")
  },

  "goes by the time of a prompt, not by when it came": async ({ history, add, holds, finds }) => {
    add(["now"])
    await history.import([past("prompt c", 30), past("prompt a", 10), past("prompt b", 20)])
    await holds(["now", "prompt c", "prompt b", "prompt a"])
    await history.import([past("prompt a2", 15), past("prompt a", 40)])
    add(["prompt z"])
    await finds("prompt", ["prompt z", "prompt a", "prompt c", "prompt b", "prompt a2"])
  },

  "gives each prompt by its id, until it is removed": async ({ history, add, idOf }) => {
    add(["one"], { cwd: "/a" })
    const id = await idOf("one")
    add(["two", "one"], { cwd: "/b" })
    const { text, cwd } = (await history.get(id)) ?? {}
    equal({ text, cwd }, { text: "one", cwd: "/a" }, "the prompt")
    await history.delete({ id })
    equal([await history.get(id), await history.get(999_999)], [undefined, undefined], "what is not there")
  },

  "counts what is stored": async ({ history, add }) => {
    add(["one", "two"], shop)
    add(["three"], api)
    add(["four"])
    await history.import([past("old", 0)])
    const { stored, folders, sessions, oldest } = await history.stats()
    const expected = { stored: 5, folders: 2, sessions: 2, oldest: past("old", 0).createdAt }
    equal({ stored, folders, sessions, oldest }, expected, "the stats")
  },
}
