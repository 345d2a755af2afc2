import { equal, failsWith, failure, ok } from "../assert.js"
import { sleep } from "../platform.js"
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

const PATIENCE = 60_000

/** Prompts are stored without a flush, and errors are reported. Observed through the check for secrets. */
export const backgroundTests: Tests = {
  "stores what is added while other prompts are being stored": async ({ withRules }) => {
    const seen: string[] = []
    let open = () => {}
    const opened = new Promise<void>((resolve) => (open = resolve))
    const { history, stores, holds } = await withRules({
      secrets: async (texts) => {
        seen.push(...texts)
        await opened
        return texts.map(() => false)
      },
    })
    history.add("one")
    await eventually(() => seen.length === 1, "the first prompt is being stored")
    history.add("two")
    history.add("three")
    await sleep(5)
    history.add("four")
    open()
    await eventually(() => seen.length === 4, "the other prompts are being stored")
    history.add("five")
    await eventually(() => seen.length === 5, "the last prompt is being stored")
    equal(seen, ["one", "two", "three", "four", "five"], "the prompts in the order of their storing")
    await holds(["five", "four", "three", "two", "one"])
    await stores(5)
  },

  "reports what failed, to searches as well, until it is stored": async ({ withRules }) => {
    let fails = false
    const { history, errors, stores, holds } = await withRules({
      secrets: async (texts) => {
        if (fails) throw new Error("no rules")
        return texts.map(() => false)
      },
    })
    history.add("one")
    await holds(["one"])
    equal([history.lastError, errors.length], [undefined, 0], "the errors before")
    fails = true
    history.add("two")
    await eventually(() => history.lastError !== undefined, "lastError reports the write")
    equal(message(history.lastError), "no rules", "the error")
    equal(errors.map(message), ["no rules"], "what onError was called with")
    await holds(["one"])
    equal(message(history.lastError), "no rules", "the error after a search")
    equal(errors.map(message), ["no rules", "no rules"], "what onError was called with after a search")
    await failure(history.flush(), "a flush that fails")
    equal(errors.length, 2, "calls of onError, where flush itself failed")
    fails = false
    history.add("three")
    await eventually(() => history.lastError === undefined, "the next prompt takes the others with it")
    await holds(["three", "two", "one"])
    await stores(3)
  },

  ...where("durable", {
    "shows others what was added, without a flush": async ({ history, reopen }) => {
      history.add("one")
      const other = await reopen()
      await eventually(async () => (await other.recent()).length > 0, "the prompt is stored")
    },
  }),
}

async function eventually(condition: () => boolean | Promise<boolean>, claim: string): Promise<void> {
  for (let waited = 0; !(await condition()); waited += 5) {
    ok(waited < PATIENCE, claim)
    await sleep(5)
  }
}

function message(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

const secrets = async (texts: readonly string[]) => texts.map((text) => text.includes("hunter2"))

export const ruleTests: Tests = {
  "keep a prompt with a leading space where they do not say otherwise": async ({ add, holds }) => {
    add([" one"])
    await holds(["one"])
  },

  "ignore a prompt with a leading space": async ({ withRules }) => {
    const { add, holds } = await withRules({ leadingSpace: true })
    add([" one", "two ", "\nthree"])
    await holds(["three", "two"])
  },

  "ignore prompts that a pattern matches, each time": async ({ withRules }) => {
    const { add, history, holds } = await withRules({ patterns: [/password/gi, /^\/clear/] })
    add(["keep", "the password is x", "PASSWORD", "/clear", "do /clear"])
    await history.import([{ text: "my password", createdAt: 0 }])
    await holds(["do /clear", "keep"])
  },

  "ignore prompts that look like they hold a secret": async ({ withRules }) => {
    const { add, history, holds } = await withRules({ secrets })
    add(["my login is hunter2", "fine", "hunter2"])
    const report = await history.import(["old hunter2", "old"].map((text) => ({ text, createdAt: 0 })))
    equal(report, { read: 2, added: 1, known: 0, ignored: 1, deleted: 0 }, "the report")
    await holds(["fine", "old"])
  },

  "lose nothing when the check for secrets fails: the next flush tries again": async ({ withRules }) => {
    let fails = true
    const { add, history, holds } = await withRules({
      secrets: async (texts) => {
        if (fails) throw new Error("no rules")
        return secrets(texts)
      },
    })
    add(["one"])
    const error = await failure(history.flush(), "a flush whose check fails")
    equal((error as Error).message, "no rules", "the error")
    fails = false
    add(["two"])
    await history.flush()
    await holds(["two", "one"])
  },
}
