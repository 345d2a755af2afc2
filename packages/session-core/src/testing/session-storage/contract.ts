import type { TestRunner } from "../runner.js"
import { appendTests } from "./append-tests.js"
import { breadcrumbTests } from "./breadcrumb-tests.js"
import type { SessionStorageCandidate } from "./candidate.js"
import { companionTests } from "./companion-tests.js"
import { ContractTests } from "./contract-tests.js"
import { createTests } from "./create-tests.js"
import { keyTests } from "./key-tests.js"
import { leaseTests } from "./lease-tests.js"
import { listTests } from "./list-tests.js"
import { moveTests } from "./move-tests.js"
import { quarantineTests } from "./quarantine-tests.js"
import { readTests } from "./read-tests.js"
import { releasedTests } from "./released-tests.js"
import { removeTests } from "./remove-tests.js"
import { reopenTests } from "./reopen-tests.js"
import { replaceTests } from "./replace-tests.js"
import { supportsTests } from "./supports-tests.js"
import { syncReadTests } from "./sync-read-tests.js"
import { watchTests } from "./watch-tests.js"

/**
 * Registers the contract tests of the `SessionStorage` port with the runner.
 * A storage that passes them all can replace any other.
 */
export function sessionStorageContract(runner: TestRunner, candidate: SessionStorageCandidate): void {
  const contract = new ContractTests(runner, candidate)
  runner.describe(`${candidate.name} keeps the SessionStorage contract`, () => {
    supportsTests(contract)
    keyTests(contract)
    createTests(contract)
    readTests(contract)
    syncReadTests(contract)
    appendTests(contract)
    replaceTests(contract)
    listTests(contract)
    leaseTests(contract)
    releasedTests(contract)
    moveTests(contract)
    quarantineTests(contract)
    removeTests(contract)
    companionTests(contract)
    reopenTests(contract)
    breadcrumbTests(contract)
    watchTests(contract)
  })
}
