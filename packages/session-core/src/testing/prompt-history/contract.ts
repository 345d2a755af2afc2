import type { TestRunner } from "../runner.js"
import { addLaws } from "./add-laws.js"
import { backgroundLaws } from "./background-laws.js"
import type { PromptHistoryCandidate } from "./candidate.js"
import { deleteLaws } from "./delete-laws.js"
import { importLaws } from "./import-laws.js"
import { Laws } from "./laws.js"
import { listLaws } from "./list-laws.js"
import { ruleLaws } from "./rule-laws.js"
import { scanLaws } from "./scan-laws.js"
import { searchLaws } from "./search-laws.js"

/**
 * Registers the laws of the `PromptHistory` port with the runner, one test each. Some store twenty thousand prompts:
 * give a test a minute.
 */
export function promptHistoryContract(runner: TestRunner, candidate: PromptHistoryCandidate): void {
  const laws = new Laws(runner, candidate)
  runner.describe(`${candidate.name} keeps the PromptHistory contract`, () => {
    addLaws(laws)
    backgroundLaws(laws)
    ruleLaws(laws)
    listLaws(laws)
    searchLaws(laws)
    importLaws(laws)
    deleteLaws(laws)
    scanLaws(laws)
  })
}
