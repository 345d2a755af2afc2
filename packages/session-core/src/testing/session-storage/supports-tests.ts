import { equal } from "../assert.js"
import type { Tests } from "./fixture.js"

export const supportsTests: Tests = {
  "is the same as the one passed to the suite": async ({ storage, supports }) => {
    equal(storage.supports, supports, "storage.supports")
  },

  "has `watch`, `openRanges` and `breadcrumbs` exactly where it says so": async ({ storage }) => {
    equal(storage.openRanges !== undefined, storage.supports.syncReads, "the presence of `openRanges`")
    equal(storage.watch !== undefined, storage.supports.watch, "the presence of `watch`")
    equal(storage.breadcrumbs !== undefined, storage.supports.breadcrumbs, "the presence of `breadcrumbs`")
  },
}
