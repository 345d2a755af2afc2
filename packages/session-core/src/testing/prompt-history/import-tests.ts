import type { ImportedPrompt, PromptImportProgress } from "../../ports/prompt-history.js"
import { equal, failure } from "../assert.js"
import { abortController } from "../platform.js"
import type { ContractTests } from "./contract-tests.js"
import { past } from "./fixture.js"

async function* stream(prompts: readonly ImportedPrompt[]): AsyncGenerator<ImportedPrompt> {
  yield* prompts
}

export function importTests(contract: ContractTests): void {
  contract.describe("import", () => {
    contract.test("takes what an async source gives, with its time and origin", async ({ history, holds }) => {
      const origin = { cwd: "/a", sessionId: "s1" }
      const report = await history.import(stream([past(" one ", 1, origin), past("two", 2), past("", 3)]))
      equal(report, { read: 3, added: 2, known: 0, ignored: 1, deleted: 0 }, "the report")
      await holds(["two", "one"])
      const [prompt] = await history.recent({ scope: { kind: "cwd", cwd: "/a" } })
      const { text, createdAt, cwd, sessionId } = prompt ?? {}
      equal({ text, createdAt, cwd, sessionId }, { ...past("one", 1), ...origin }, "the prompt")
    })

    contract.test("can be repeated", async ({ history, add, holds }) => {
      const prompts = [
        past("one", 1),
        past("two", 2, { sessionId: "s1" }),
        past("one", 3),
        past("two", 2, { sessionId: "s2" }),
      ]
      equal((await history.import(prompts)).added, 4, "how many are added")
      const again = await history.import([...prompts, past("three", 4), past("three", 4)])
      equal(again, { read: 6, added: 1, known: 5, ignored: 0, deleted: 0 }, "the report of the second import")
      equal((await history.stats()).stored, 5, "how many are stored")
      add(["now"])
      await holds(["now", "three", "one", "two"])
    })

    contract.test("knows what was added in the session already", async ({ history, add }) => {
      add(["one"], { cwd: "/a", sessionId: "s1" })
      const stored = await history.recent()
      const sameSecond = stored.map((prompt) => ({ ...prompt, createdAt: prompt.createdAt + 999 }))
      equal((await history.import(sameSecond)).known, 1, "how many are known")
    })

    contract.test("accepts impossible times", async ({ history }) => {
      const times = [Number.NaN, Number.POSITIVE_INFINITY, -5, 0.5, 1e20]
      const report = await history.import(times.map((createdAt, index) => ({ text: `prompt ${index}`, createdAt })))
      equal(report.added, 5, "how many are added")
      const prompts = await history.recent()
      equal(
        prompts.map(({ text }) => text),
        [4, 3, 2, 1, 0].map((index) => `prompt ${index}`),
        "the prompts",
      )
    })

    contract.test("reports its progress, including the end", async ({ history }) => {
      const reports: PromptImportProgress[] = []
      const prompts = Array.from({ length: 5000 }, (_, minute) => past(`prompt ${minute}`, minute))
      const report = await history.import(stream(prompts), { onProgress: (progress) => reports.push(progress) })
      equal(reports.at(-1), { ...report, left: 0 }, "the last progress")
      equal(report, { read: 5000, added: 5000, known: 0, ignored: 0, deleted: 0 }, "the report")
    })

    contract.test("stops when it is aborted, and can be taken up again", async ({ history, holds }) => {
      const controller = abortController()
      const prompts = Array.from({ length: 10 }, (_, minute) => past(`prompt ${minute}`, minute))
      async function* aborting(): AsyncGenerator<ImportedPrompt> {
        yield* prompts.slice(0, 5)
        controller.abort()
        yield* prompts.slice(5)
      }
      await failure(history.import(aborting(), { signal: controller.signal }), "an aborted import")
      await history.import(prompts)
      await holds(prompts.map(({ text }) => text).reverse())
    })

    contract.test("lets other things happen meanwhile", async ({ history, add, finds }) => {
      const prompts = Array.from({ length: 6000 }, (_, minute) => past(`prompt ${minute}`, minute))
      const importing = history.import(stream(prompts))
      add(["asked meanwhile"])
      await finds("meanwhile", ["asked meanwhile"])
      await importing
      await finds("prompt 5999", ["prompt 5999"])
      equal((await history.stats()).stored, 6001, "how many are stored")
    })
  })
}
