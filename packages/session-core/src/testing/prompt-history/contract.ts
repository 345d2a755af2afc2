import type { TestRunner } from "../runner.js"
import { addTests } from "./add-tests.js"
import { backgroundTests } from "./background-tests.js"
import type { PromptHistoryCandidate } from "./candidate.js"
import { ContractTests } from "./contract-tests.js"
import { deleteTests } from "./delete-tests.js"
import { importTests } from "./import-tests.js"
import { listTests } from "./list-tests.js"
import { ruleTests } from "./rule-tests.js"
import { scanTests } from "./scan-tests.js"
import { searchTests } from "./search-tests.js"

/**
 * Registers the contract tests of the `PromptHistory` port with the runner. Some store twenty thousand prompts: allow a minute for
 * each test.
 */
export function promptHistoryContract(runner: TestRunner, candidate: PromptHistoryCandidate): void {
  const contract = new ContractTests(runner, candidate)
  runner.describe(`${candidate.name} keeps the PromptHistory contract`, () => {
    addTests(contract)
    backgroundTests(contract)
    ruleTests(contract)
    listTests(contract)
    searchTests(contract)
    importTests(contract)
    deleteTests(contract)
    scanTests(contract)
  })
}
