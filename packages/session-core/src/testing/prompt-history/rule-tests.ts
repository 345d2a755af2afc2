import { equal, failure } from "../assert.js"
import type { Tests } from "./fixture.js"

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
