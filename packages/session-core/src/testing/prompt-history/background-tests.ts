import type { PromptIgnoreRules } from "../../ports/prompt-history.js"
import { equal, failure, ok } from "../assert.js"
import { sleep } from "../platform.js"
import type { ContractTests } from "./contract-tests.js"

const PATIENCE = 20_000

/** Prompts are stored without a flush, and errors are reported. Observed through the check for secrets. */
export function backgroundTests(contract: ContractTests): void {
  contract.describe("storing in the background", () => {
    const gate = new GatedCheck()
    contract.test(
      "stores what is added while other prompts are being stored",
      async ({ history, holds }) => {
        const { seen, open } = gate.close()
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
        equal((await history.stats()).stored, 5, "how many are stored")
      },
      { secrets: gate.check },
    )

    let fails = false
    contract.test(
      "reports what failed, to searches as well, until it is stored",
      async ({ history, errors, holds }) => {
        fails = false
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
        equal((await history.stats()).stored, 3, "how many are stored")
      },
      {
        secrets: async (texts) => {
          if (fails) throw new Error("no rules")
          return texts.map(() => false)
        },
      },
    )

    contract.durableTest("shows others what was added, without a flush", async ({ history, reopen }) => {
      history.add("one")
      const other = await reopen()
      for (let waited = 0; (await other.recent()).length === 0; waited += 5) {
        ok(waited < PATIENCE, "the prompt is stored")
        await sleep(5)
      }
    })
  })
}

/** A check for secrets that finds none, and can be paused. */
class GatedCheck {
  #seen: string[] = []
  #opened: Promise<void> = Promise.resolve()

  readonly check: NonNullable<Exclude<PromptIgnoreRules["secrets"], false>> = async (texts) => {
    this.#seen.push(...texts)
    await this.#opened
    return texts.map(() => false)
  }

  close(): { readonly seen: readonly string[]; readonly open: () => void } {
    const seen: string[] = []
    this.#seen = seen
    let open = () => {}
    this.#opened = new Promise((resolve) => {
      open = resolve
    })
    return { seen, open }
  }
}

async function eventually(condition: () => boolean, claim: string): Promise<void> {
  for (let waited = 0; !condition(); waited += 5) {
    ok(waited < PATIENCE, claim)
    await sleep(5)
  }
}

function message(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
