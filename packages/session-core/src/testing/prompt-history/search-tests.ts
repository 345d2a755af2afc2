import { foldText } from "../../entry/fold-text.js"
import { normalizePrompt } from "../../memory/prompt-rules.js"
import type { ImportedPrompt, PromptScope } from "../../ports/prompt-history.js"
import { equal } from "../assert.js"
import { numbered, past, type Tests } from "./fixture.js"
import { Random, samplePrompts, sampleQueries } from "./samples.js"

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

/** Texts that could be mistaken for query syntax. */
const PIECES = ["a AND", "' --", ...`c++ c# _ca o.b " "hi "" * near( 0% d:1 -y ^ or NOT grams:x {`.split(" ")]

export const searchTests: Tests = {
  "finds words, beginnings and middles, newest first": async ({ add, finds }) => {
    add(["fix the login redirect", "Relogin please", "unrelated"])
    for (const query of ["login", "logi", "ogin", "LOGIN", "  login  "])
      await finds(query, ["Relogin please", "fix the login redirect"])
    await finds("redirect login", ["fix the login redirect"])
    await finds("login unrelated", [])
    await finds("the lo", ["fix the login redirect"])
  },

  "finds one and two characters": async ({ add, finds }) => {
    add(["ab c", "xaby", "b a", "😀 b"])
    await finds("b", ["😀 b", "b a", "xaby", "ab c"])
    await finds("ab", ["xaby", "ab c"])
    await finds("y", ["xaby"])
    await finds("😀", ["😀 b"])
  },

  "finds Chinese, Japanese and Korean down to one character": async ({ add, finds }) => {
    add(["为什么构建失败了？", "修复构建", "ビルドを直す", "빌드가 실패했다"])
    await finds("构", ["修复构建", "为什么构建失败了？"])
    await finds("构建", ["修复构建", "为什么构建失败了？"])
    await finds("构建失", ["为什么构建失败了？"])
    await finds("败了？", ["为什么构建失败了？"])
    await finds("了", ["为什么构建失败了？"])
    await finds("ビル", ["ビルドを直す"])
    await finds("す", ["ビルドを直す"])
    await finds("실패", ["빌드가 실패했다"])
    await finds("修 建", ["修复构建"])
  },

  "looks past case, accents and width": async ({ add, finds }) => {
    add(["Café À LA carte", "STRASSE", "ΟΔΟΣ", "ｆｕｌｌ", "ÇINAR"])
    await finds("cafe a", ["Café À LA carte"])
    await finds("CAFÉ", ["Café À LA carte"])
    await finds("cafe\u0301", ["Café À LA carte"])
    await finds("straße", ["STRASSE"])
    await finds("οδος", ["ΟΔΟΣ"])
    await finds("οδοσ", ["ΟΔΟΣ"])
    await finds("full", ["ｆｕｌｌ"])
    await finds("çinar", ["ÇINAR"])
  },

  "does not take one letter for another": async ({ add, finds }) => {
    add(["がく", "कि"])
    await finds("か", [])
    await finds("が", ["がく"])
    await finds("कि", ["कि"])
  },

  "takes every query for text": async ({ add, finds, holds }) => {
    const odd = `C++ and C#|snake_case|foo.bar|say "hi"|a*b|NEAR(x y)|100%|rowid:1|x-y|^up|a OR b|(|\\`.split("|")
    add(odd)
    for (const query of [...odd, ...PIECES]) {
      const terms = query.toLowerCase().split(" ")
      const holding = odd.filter((text) => terms.every((term) => text.toLowerCase().includes(term)))
      await finds(query, holding.reverse())
    }
    await finds("\ud800", [])
    await holds([...odd].reverse())
  },

  "finds every prompt by a query without terms": async ({ add, finds }) => {
    add(["one", "two"])
    for (const query of ["", "  ", "\n\t"]) await finds(query, ["two", "one"])
  },

  "takes queries of any length": async ({ add, finds }) => {
    const long = "lorem ipsum dolor ".repeat(700)
    add([long, "short"])
    await finds(long, [long.trim()])
    await finds(`${long}x`, [])
    await finds("x".repeat(10_000), [])
    await finds(Array.from({ length: 3000 }, (_, index) => `w${index}`).join(" "), [])
  },

  "searches within a scope": async ({ add, finds }) => {
    add(["fix one", "fix two"], { cwd: "/a", sessionId: "s1" })
    add(["fix three", "fix one"], { cwd: "/b", sessionId: "s2" })
    await finds("fix", ["fix one", "fix three", "fix two"])
    await finds("fix", ["fix two", "fix one"], { scope: { kind: "cwd", cwd: "/a" } })
    await finds("fix t", ["fix three"], { scope: { kind: "session", sessionId: "s2" } })
    await finds("fix", ["fix one", "fix three"], { scope: { kind: "repository", roots: ["/b"] }, limit: 5 })
    await finds("fix", ["fix one"], { limit: 1 })
  },

  "finds a prompt once, however often it was added": async ({ history, finds }) => {
    const often = Array.from({ length: 3000 }, (_, minute) => past("continue", minute, { sessionId: `s${minute}` }))
    await history.import([past("continue later", 0), ...often])
    await finds("cont", ["continue", "continue later"])
  },
}

const LIMIT = 30

export const scanTests: Tests = {
  "find what looking at every prompt finds": async ({ history, finds }) => {
    const random = new Random(6)
    const prompts = samplePrompts(random, 3000)
    await history.import(prompts)
    const scan = newestFirst(prompts)
    for (const query of sampleQueries(random, 200)) await finds(query, scanAll(scan, query), { limit: LIMIT })
  },

  "find the same in a folder and in a session, also after deleting": async ({ history, finds }) => {
    const random = new Random(7)
    const prompts = samplePrompts(random, 1500)
    await history.import(prompts)
    await history.delete({ query: "the" })
    await history.delete({ scope: { kind: "session", sessionId: "s7" } })
    const left = prompts.filter(({ text, sessionId }) => !foldText(text).includes("the") && sessionId !== "s7")
    const scan = newestFirst(left)
    for (const query of sampleQueries(random, 60)) {
      const [cwd, sessionId] = [`/home/user/project-${random.below(13)}`, `s${random.below(400)}`]
      const inFolder = scan.filter((prompt) => prompt.cwd === cwd)
      await finds(query, scanAll(inFolder, query), { scope: { kind: "cwd", cwd }, limit: LIMIT })
      const inSession = scan.filter((prompt) => prompt.sessionId === sessionId)
      await finds(query, scanAll(inSession, query), { scope: { kind: "session", sessionId }, limit: LIMIT })
    }
  },
}

interface Scanned extends ImportedPrompt {
  readonly folded: string
}

/** The prompts that an import keeps, by the documentation of the port. */
function newestFirst(prompts: readonly ImportedPrompt[]): Scanned[] {
  const kept = new Map<string, Scanned>()
  for (const prompt of prompts) {
    const text = normalizePrompt(prompt.text)
    const key = JSON.stringify([text, prompt.createdAt, prompt.sessionId])
    if (text !== "" && !kept.has(key)) kept.set(key, { ...prompt, text, folded: foldText(text) })
  }
  return [...kept.values()].reverse().sort((a, b) => b.createdAt - a.createdAt)
}

function scanAll(prompts: readonly Scanned[], query: string): string[] {
  const terms = foldText(query).split(/\s+/)
  const found = new Set<string>()
  for (const { text, folded } of prompts) {
    if (found.size === LIMIT) break
    if (terms.every((term) => folded.includes(term))) found.add(text)
  }
  return [...found]
}
