import { registerSuite, type TestRunner } from "../suite.js"
import { addTests, backgroundTests, ruleTests } from "./add-tests.js"
import { openFixture, type PromptHistoryCandidate } from "./fixture.js"
import { deleteTests, importTests } from "./import-tests.js"
import { listTests, scanTests, searchTests } from "./search-tests.js"

/** Registers the contract tests of the `PromptHistory` port with the runner. Some store ten thousand prompts: allow a minute for each test. */
export function promptHistoryContract(runner: TestRunner, candidate: PromptHistoryCandidate): void {
  registerSuite(runner, {
    name: `${candidate.name} keeps the PromptHistory contract`,
    groups: {
      add: addTests,
      "storing in the background": backgroundTests,
      "the rules": ruleTests,
      recent: listTests,
      search: searchTests,
      import: importTests,
      delete: deleteTests,
      "200 queries over 3,000 prompts": scanTests,
    },
    reasonToSkip: () => (candidate.durable ? undefined : "durable is false"),
    open: () => openFixture(candidate),
  })
}
