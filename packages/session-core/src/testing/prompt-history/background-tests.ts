import { equal, failure, ok } from "../assert.js"
import { sleep } from "../platform.js"
import { type Tests, where } from "./fixture.js"

const PATIENCE = 20_000

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
