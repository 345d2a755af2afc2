import type { TestRunner } from "../runner.js"
import type { BlobStoreCandidate, BlobStoreSetup } from "./candidate.js"
import { damageLaws } from "./damage-laws.js"
import { hashLaws } from "./hash-laws.js"
import { BlobLaws } from "./laws.js"
import { listLaws } from "./list-laws.js"
import { putLaws } from "./put-laws.js"
import { readLaws } from "./read-laws.js"
import { reopenLaws } from "./reopen-laws.js"

/**
 * Registers the laws of the `BlobStore` port with the runner, one test each.
 * A store that keeps them all can take the place of any other.
 */
export function blobStoreContract<Setup extends BlobStoreSetup>(
  runner: TestRunner,
  candidate: BlobStoreCandidate<Setup>,
): void {
  const laws = new BlobLaws(runner, candidate)
  runner.describe(`${candidate.name} keeps the BlobStore contract`, () => {
    hashLaws(laws)
    putLaws(laws)
    readLaws(laws)
    listLaws(laws)
    reopenLaws(laws)
    damageLaws(laws)
  })
}
