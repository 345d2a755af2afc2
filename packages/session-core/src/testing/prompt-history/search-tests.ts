import { past, type Tests } from "./fixture.js"

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
