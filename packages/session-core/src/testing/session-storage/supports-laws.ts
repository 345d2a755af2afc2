import { equal } from "../assert.js"
import type { Laws } from "./laws.js"

export function supportsLaws(laws: Laws): void {
  laws.about("supports", () => {
    laws.law("is what the suite was told", async ({ storage }) => {
      equal(storage.supports, laws.supports, "storage.supports")
    })

    laws.law("has `watch`, `openRanges` and `breadcrumbs` exactly where it says so", async ({ storage }) => {
      equal(storage.openRanges !== undefined, storage.supports.syncReads, "the presence of `openRanges`")
      equal(storage.watch !== undefined, storage.supports.watch, "the presence of `watch`")
      equal(storage.breadcrumbs !== undefined, storage.supports.breadcrumbs, "the presence of `breadcrumbs`")
    })
  })
}
