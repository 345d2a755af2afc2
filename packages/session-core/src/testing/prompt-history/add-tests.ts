import { equal, failsWith } from "../assert.js"
import type { ContractTests } from "./contract-tests.js"

export function addTests(contract: ContractTests): void {
  contract.describe("add", () => {
    contract.test("keeps the text, the second, the folder and the session", async ({ history, clock }) => {
      const before = clock.now()
      history.add("fix the login", { cwd: "/home/user/shop", sessionId: "s1" })
      const [prompt] = await history.recent()
      const { text, createdAt, cwd, sessionId } = prompt ?? {}
      const expected = { text: "fix the login", createdAt: before + 60_000, cwd: "/home/user/shop", sessionId: "s1" }
      equal({ text, createdAt, cwd, sessionId }, expected, "the prompt")
    })

    contract.test("trims, and ignores what is empty", async ({ add, holds }) => {
      add(["  one\n", "", "   \n\t", " two"])
      await holds(["two", "one"])
    })

    contract.test("ignores a prompt that equals the last one, in whatever session", async ({ history, holds }) => {
      history.add("again", { sessionId: "s1" })
      history.add(" again ", { sessionId: "s2" })
      equal((await history.stats()).stored, 1, "how many are stored")
      history.add("other")
      history.add("again")
      equal((await history.stats()).stored, 3, "how many are stored")
      await holds(["again", "other"])
    })

    contract.test("keeps any text as it is, but for halves of characters and NUL", async ({ add, holds }) => {
      const texts = [
        "a\tb\nc",
        "🇪🇺 👩‍👩‍👧 e\u0301",
        "\u202eabc\u0007",
        '{"__proto__": "x"}',
        "x".repeat(100_000),
        "\\\"'%_",
      ]
      add([...texts, "half \ud800 and \0"])
      await holds(["half \ufffd and \ufffd", ...texts.reverse()])
    })

    contract.test("gives ten thousand prompts back that were added at once", async ({ history, add }) => {
      const texts = Array.from({ length: 10_000 }, (_, index) => `prompt ${index}`)
      add(texts)
      await history.flush()
      const prompts = await history.recent({ limit: 20_000 })
      equal(
        prompts.map(({ text }) => text),
        texts.reverse(),
        "the prompts",
      )
    })

    contract.test("never throws, and every other method fails once the history is closed", async ({ history, add }) => {
      add(["one"])
      await history.close()
      add(["two"])
      for (const attempt of [history.recent(), history.search("x"), history.get(1), history.stats(), history.flush()])
        await failsWith("HistoryUnavailableError", attempt, "a closed history")
      await failsWith("HistoryUnavailableError", history.import([]), "an import into a closed history")
      await failsWith("HistoryUnavailableError", history.delete({ query: "one" }), "deleting from a closed history")
    })

    contract.durableTest("keeps flushed prompts for the next process", async ({ history, add, reopen }) => {
      add(["one", "two"])
      await history.flush()
      const prompts = await (await reopen()).recent()
      equal(
        prompts.map(({ text }) => text),
        ["two", "one"],
        "the prompts",
      )
    })

    contract.durableTest("shows what others added in the meantime", async ({ add, reopen, holds, finds }) => {
      const other = await reopen()
      add(["one"])
      await holds(["one"])
      other.add("two")
      await other.flush()
      await finds("two", ["two"])
      await holds(["two", "one"])
    })
  })
}
