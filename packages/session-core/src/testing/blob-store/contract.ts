import type { TestRunner } from "../runner.js"
import type { BlobStoreCandidate, BlobStoreSetup } from "./candidate.js"
import { BlobContractTests } from "./contract-tests.js"
import { damageTests } from "./damage-tests.js"
import { hashTests } from "./hash-tests.js"
import { listTests } from "./list-tests.js"
import { putTests } from "./put-tests.js"
import { readTests } from "./read-tests.js"
import { reopenTests } from "./reopen-tests.js"

/**
 * Registers the contract tests of the `BlobStore` port with the runner.
 * A store that passes them all can replace any other.
 */
export function blobStoreContract<Setup extends BlobStoreSetup>(
  runner: TestRunner,
  candidate: BlobStoreCandidate<Setup>,
): void {
  const contract = new BlobContractTests(runner, candidate)
  runner.describe(`${candidate.name} keeps the BlobStore contract`, () => {
    hashTests(contract)
    putTests(contract)
    readTests(contract)
    listTests(contract)
    reopenTests(contract)
    damageTests(contract)
  })
}
