import { equal } from "../assert.js"
import { where } from "./fixture.js"

export const breadcrumbTests = where("breadcrumbs", {
  "are not there before one is written": async ({ storage }) => {
    equal(await storage.breadcrumbs?.read(), undefined, "the breadcrumb")
  },

  "give what was written last": async ({ storage, newKey }) => {
    const [first, second] = [newKey(), newKey()]
    await storage.breadcrumbs?.write("/a folder/of the first", first)
    await storage.breadcrumbs?.write("/作業/second", second)
    equal(await storage.breadcrumbs?.read(), { cwd: "/作業/second", key: second }, "the breadcrumb")
  },

  "name sessions that are not stored, and store none": async ({ storage, newKey, holdsNothing }) => {
    const key = newKey()
    await storage.breadcrumbs?.write("/somewhere", key)
    await holdsNothing(key)
  },
})
