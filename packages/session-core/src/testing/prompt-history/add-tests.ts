import { equal, failsWith } from "../assert.js"
import { contentOf, numbered, type Tests, where } from "./fixture.js"

export const addTests: Tests = {
  "keeps the text, the second, the folder and the session": async ({ history, clock }) => {
    const origin = { cwd: "/home/user/shop", sessionId: "s1" }
    const createdAt = clock.now() + 60_000
    history.add("fix the login", origin)
    const [prompt] = await history.recent()
    equal(contentOf(prompt), { text: "fix the login", createdAt, ...origin }, "the prompt")
  },

  "trims, and ignores what is empty": async ({ add, holds }) => {
    add(["  one\n", "", "   \n\t", " two"])
    await holds(["two", "one"])
  },

  "ignores a prompt that equals the last one, in whatever session": async ({ history, stores, holds }) => {
    history.add("again", { sessionId: "s1" })
    history.add(" again ", { sessionId: "s2" })
    await stores(1)
    history.add("other")
    history.add("again")
    await stores(3)
    await holds(["again", "other"])
  },

  "keeps any text as it is, but for halves of characters and NUL": async ({ add, holds }) => {
    const odd = ["a\tb\nc", "🇪🇺 👩‍👩‍👧 e\u0301", "\u202eabc\u0007", '{"__proto__": "x"}', "\\\"'%_"]
    const texts = [...odd, "x".repeat(100_000)]
    add([...texts, "half \ud800 and \0"])
    await holds(["half \ufffd and \ufffd", ...texts.reverse()])
  },

  "gives ten thousand prompts back that were added at once": async ({ history, add, holds }) => {
    const texts = numbered(10_000)
    add(texts)
    await history.flush()
    await holds(texts.reverse(), { limit: 20_000 })
  },

  "never throws, and every other method fails once the history is closed": async ({ history, add }) => {
    add(["one"])
    await history.close()
    add(["two"])
    for (const attempt of [history.recent(), history.search("x"), history.get(1), history.stats(), history.flush()])
      await failsWith("HistoryUnavailableError", attempt, "a closed history")
    await failsWith("HistoryUnavailableError", history.import([]), "an import into a closed history")
    await failsWith("HistoryUnavailableError", history.delete({ query: "one" }), "deleting from a closed history")
  },

  ...where("durable", {
    "keeps flushed prompts for the next process": async ({ history, add, reopen, holds }) => {
      add(["one", "two"])
      await history.flush()
      await holds(["two", "one"], {}, await reopen())
    },

    "shows what others added in the meantime": async ({ add, reopen, holds, finds }) => {
      const other = await reopen()
      add(["one"])
      await holds(["one"])
      other.add("two")
      await other.flush()
      await finds("two", ["two"])
      await holds(["two", "one"])
    },
  }),
}
