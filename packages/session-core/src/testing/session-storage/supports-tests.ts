import { equal } from "../assert.js"
import type { ContractTests } from "./contract-tests.js"

export function supportsTests(contract: ContractTests): void {
  contract.describe("supports", () => {
    contract.test("is the same as the one passed to the suite", async ({ storage }) => {
      equal(storage.supports, contract.supports, "storage.supports")
    })

    contract.test("has `watch`, `openRanges` and `breadcrumbs` exactly where it says so", async ({ storage }) => {
      equal(storage.openRanges !== undefined, storage.supports.syncReads, "the presence of `openRanges`")
      equal(storage.watch !== undefined, storage.supports.watch, "the presence of `watch`")
      equal(storage.breadcrumbs !== undefined, storage.supports.breadcrumbs, "the presence of `breadcrumbs`")
    })
  })
}
