import { registerSuite, type TestRunner } from "../suite.js"
import { type BlobStoreCandidate, type BlobStoreSetup, openFixture } from "./fixture.js"
import { hashTests, listTests, putTests } from "./put-tests.js"
import { damageTests, readTests, reopenTests } from "./read-tests.js"

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
