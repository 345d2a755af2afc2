import { equal, failure } from "../assert.js"
import type { ContractTests } from "./contract-tests.js"

const secrets = async (texts: readonly string[]) => texts.map((text) => text.includes("hunter2"))

export function ruleTests(contract: ContractTests): void {
  contract.describe("the rules", () => {
    contract.test("keep a prompt with a leading space where they do not say otherwise", async ({ add, holds }) => {
      add([" one"])
      await holds(["one"])
    })

    contract.test(
      "ignore a prompt with a leading space",
      async ({ add, holds }) => {
        add([" one", "two ", "\nthree"])
        await holds(["three", "two"])
      },
      { leadingSpace: true },
    )

    contract.test(
      "ignore prompts that a pattern matches, each time",
      async ({ add, history, holds }) => {
        add(["keep", "the password is x", "PASSWORD", "/clear", "do /clear"])
        await history.import([{ text: "my password", createdAt: 0 }])
        await holds(["do /clear", "keep"])
      },
      { patterns: [/password/gi, /^\/clear/] },
    )

    contract.test(
      "ignore prompts that look like they hold a secret",
      async ({ add, history, holds }) => {
        add(["my login is hunter2", "fine", "hunter2"])
        const report = await history.import([
          { text: "old hunter2", createdAt: 0 },
          { text: "old", createdAt: 0 },
        ])
        equal(report, { read: 2, added: 1, known: 0, ignored: 1, deleted: 0 }, "the report")
        await holds(["fine", "old"])
      },
      { secrets },
    )

    let fails = true
    contract.test(
      "lose nothing when the check for secrets fails: the next flush tries again",
      async ({ add, history, holds }) => {
        fails = true
        add(["one"])
        const error = await failure(history.flush(), "a flush whose check fails")
        equal((error as Error).message, "no rules", "the error")
        fails = false
        add(["two"])
        await history.flush()
        await holds(["two", "one"])
      },
      {
        secrets: async (texts) => {
          if (fails) throw new Error("no rules")
          return secrets(texts)
        },
      },
    )
  })
}
