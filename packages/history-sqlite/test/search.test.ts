import type { PromptScope } from "@treelog/history-sqlite"
import { describe, expect, it } from "vitest"
import { newHistory, numbered, past } from "./open-history.js"

const shop = { cwd: "/home/user/shop", sessionId: "s1" }
const deeper = { cwd: "/home/user/shop/packages/core", sessionId: "s1" }
const api = { cwd: "/home/user/shop-api", sessionId: "s2" }
const scopeOf = (cwd: string): PromptScope => ({ kind: "cwd", cwd })

describe("recent", () => {
  it("gives nothing from a fresh history", async () => {
    const { history, recent, search } = newHistory()
    expect([await recent(), await search("x")]).toEqual([[], []])
    const nothing = { stored: 0, folders: 0, sessions: 0, oldest: undefined, newest: undefined }
    expect(await history.stats()).toMatchObject(nothing)
  })

  it("returns distinct texts, each at its last use", async () => {
    const { history, add, recent, stored } = newHistory()
    add(["a", "b", "a", "c", "b"], shop)
    expect(await recent()).toEqual(["b", "c", "a"])
    const [newest] = await history.recent()
    expect(newest?.createdAt).toBe((await history.stats()).newest)
    expect(await stored()).toBe(5)
  })

  it("gives as many as the limit says", async () => {
    const { add, recent } = newHistory()
    add(numbered(150))
    expect(await recent()).toHaveLength(100)
    expect(await recent({ limit: 2 })).toEqual(["prompt 149", "prompt 148"])
    for (const limit of [0, -1, Number.NaN]) expect(await recent({ limit })).toEqual([])
    expect(await recent({ limit: Number.POSITIVE_INFINITY })).toHaveLength(150)
  })

  it("distinguishes the scopes", async () => {
    const { add, recent } = newHistory()
    add(["one"], shop)
    add(["two"], deeper)
    add(["three"], api)
    add(["four"])
    const scopes: [PromptScope, string[]][] = [
      [{ kind: "all" }, ["four", "three", "two", "one"]],
      [{ kind: "session", sessionId: "s1" }, ["two", "one"]],
      [{ kind: "session", sessionId: "" }, []],
      [scopeOf(shop.cwd), ["one"]],
      ...["/elsewhere", "", "/home/user/sho", "%"].map((cwd): [PromptScope, string[]] => [scopeOf(cwd), []]),
      [{ kind: "repository", roots: [shop.cwd] }, ["two", "one"]],
      [{ kind: "repository", roots: [deeper.cwd, `${api.cwd}/`, api.cwd] }, ["three", "two"]],
      [{ kind: "repository", roots: [] }, []],
    ]
    for (const [scope, texts] of scopes) expect(await recent({ scope })).toEqual(texts)
  })

  it("lists a prompt in every scope that it was added in, at its place there", async () => {
    const { add, recent } = newHistory()
    add(["same", "first"], shop)
    add(["same"], api)
    expect(await recent()).toEqual(["same", "first"])
    expect(await recent({ scope: scopeOf(shop.cwd) })).toEqual(["first", "same"])
    expect(await recent({ scope: scopeOf(api.cwd) })).toEqual(["same"])
  })

  it("goes by the time of a prompt, not by when it came", async () => {
    const { history, add, recent } = newHistory()
    add(["now"])
    await history.import([past("c", 30), past("a", 10), past("b", 20)])
    expect(await recent()).toEqual(["now", "c", "b", "a"])
    await history.import([past("a2", 15), past("a", 40)])
    expect(await recent()).toEqual(["now", "a", "c", "b", "a2"])
  })

  it("gives each prompt by its id, until it is removed", async () => {
    const { history, add } = newHistory()
    add(["one"], { cwd: "/a" })
    const [{ id } = { id: 0 }] = await history.recent()
    add(["two", "one"], { cwd: "/b" })
    expect(await history.get(id)).toMatchObject({ text: "one", cwd: "/a" })
    await history.delete({ id })
    expect([await history.get(id), await history.get(999_999)]).toEqual([undefined, undefined])
  })

  it("counts what is stored", async () => {
    const { history, add } = newHistory()
    add(["one", "two"], shop)
    add(["three"], api)
    add(["four"])
    await history.import([past("old", 0)])
    const { createdAt: oldest } = past("old", 0)
    expect(await history.stats()).toMatchObject({ stored: 5, folders: 2, sessions: 2, oldest })
  })
})

/** Texts that could be mistaken for query syntax. */
const ODD = `C++ and C#|snake_case|foo.bar|say "hi"|a*b|NEAR(x y)|100%|rowid:1|x-y|^up|a OR b|(|\\`.split("|")
const PIECES = ["a AND", "' --", ...`c++ c# _ca o.b " "hi "" * near( 0% d:1 -y ^ or NOT grams:x {`.split(" ")]
const LONG = "lorem ipsum dolor ".repeat(700).trim()

describe("search", () => {
  it.each<[string, string[], Record<string, string[]>]>([
    [
      "words, beginnings and middles, newest first",
      ["fix the login redirect", "Relogin please", "unrelated"],
      {
        ...Object.fromEntries(
          ["login", "logi", "ogin", "LOGIN", "  login  "].map((query) => [
            query,
            ["Relogin please", "fix the login redirect"],
          ]),
        ),
        "redirect login": ["fix the login redirect"],
        "the lo": ["fix the login redirect"],
        "login unrelated": [],
      },
    ],
    [
      "one and two characters",
      ["ab c", "xaby", "b a", "😀 b"],
      { b: ["😀 b", "b a", "xaby", "ab c"], ab: ["xaby", "ab c"], y: ["xaby"], "😀": ["😀 b"] },
    ],
    [
      "Chinese, Japanese and Korean down to one character",
      ["为什么构建失败了？", "修复构建", "ビルドを直す", "빌드가 실패했다"],
      {
        构: ["修复构建", "为什么构建失败了？"],
        构建失: ["为什么构建失败了？"],
        "败了？": ["为什么构建失败了？"],
        ビル: ["ビルドを直す"],
        す: ["ビルドを直す"],
        실패: ["빌드가 실패했다"],
        "修 建": ["修复构建"],
      },
    ],
    [
      "past case, accents and width",
      ["Café À LA carte", "STRASSE", "ΟΔΟΣ", "ｆｕｌｌ", "ÇINAR"],
      {
        "cafe a": ["Café À LA carte"],
        CAFÉ: ["Café À LA carte"],
        "cafe\u0301": ["Café À LA carte"],
        straße: ["STRASSE"],
        οδος: ["ΟΔΟΣ"],
        οδοσ: ["ΟΔΟΣ"],
        full: ["ｆｕｌｌ"],
        çinar: ["ÇINAR"],
      },
    ],
    ["no other letter than the one asked for", ["がく", "कि"], { か: [], が: ["がく"], कि: ["कि"] }],
    ["everything by a query without terms", ["one", "two"], { "": ["two", "one"], "\n\t": ["two", "one"] }],
    ["nothing by a half of a character", ["one"], { "\ud800": [] }],
    [
      "texts by queries of any length",
      [LONG, "short"],
      { [LONG]: [LONG], [`${LONG}x`]: [], ["x".repeat(10_000)]: [], [numbered(3000, "w").join(" ")]: [] },
    ],
  ])("finds %s", async (_, texts, queries) => {
    const { add, search } = newHistory()
    add(texts)
    for (const [query, expected] of Object.entries(queries)) expect(await search(query)).toEqual(expected)
  })

  it("takes every query for text", async () => {
    const { add, search } = newHistory()
    add(ODD)
    for (const query of [...ODD, ...PIECES]) {
      const terms = query.toLowerCase().split(" ")
      const holding = ODD.filter((text) => terms.every((term) => text.toLowerCase().includes(term)))
      expect(await search(query)).toEqual(holding.reverse())
    }
  })

  it("searches within a scope", async () => {
    const { add, search } = newHistory()
    add(["fix one", "fix two"], { cwd: "/a", sessionId: "s1" })
    add(["fix three", "fix one"], { cwd: "/b", sessionId: "s2" })
    expect(await search("fix", { scope: scopeOf("/a") })).toEqual(["fix two", "fix one"])
    expect(await search("fix t", { scope: { kind: "session", sessionId: "s2" } })).toEqual(["fix three"])
    expect(await search("fix", { scope: { kind: "repository", roots: ["/b"] } })).toEqual(["fix one", "fix three"])
    expect(await search("fix", { limit: 1 })).toEqual(["fix one"])
  })

  it("finds a prompt once, however often it was added, and one behind the newest thousands", async () => {
    const { history, search } = newHistory()
    const often = Array.from({ length: 3000 }, (_, minute) => past("continue", minute, { sessionId: `s${minute}` }))
    await history.import([past("continue later", 0), ...often])
    expect(await search("cont")).toEqual(["continue", "continue later"])
  })
})
