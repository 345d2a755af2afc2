import { registerSuite, type TestRunner } from "../suite.js"
import type { BlobStoreCandidate, BlobStoreSetup } from "./candidate.js"
import { damageTests } from "./damage-tests.js"
import { openFixture } from "./fixture.js"
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
  registerSuite(runner, {
    name: `${candidate.name} keeps the BlobStore contract`,
    groups: {
      "a hash": hashTests,
      put: putTests,
      reading: readTests,
      list: listTests,
      "a second store over the same data": reopenTests,
      "bytes that are not those that were stored": damageTests,
    },
    reasonToSkip: (need) => (candidate[need] ? undefined : `the candidate has no ${need}`),
    open: () => openFixture(candidate),
  })
}
