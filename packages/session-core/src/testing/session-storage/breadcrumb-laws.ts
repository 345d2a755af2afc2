import { equal } from "../assert.js"
import type { Laws } from "./laws.js"

export function breadcrumbLaws(laws: Laws): void {
  laws.about("breadcrumbs", () => {
    laws.lawWhere("breadcrumbs", "are not there before one is written", async ({ storage }) => {
      equal(await storage.breadcrumbs?.read(), undefined, "the breadcrumb")
    })

    laws.lawWhere("breadcrumbs", "give what was written last", async ({ storage, newKey }) => {
      const [first, second] = [newKey(), newKey()]
      await storage.breadcrumbs?.write("/a folder/of the first", first)
      await storage.breadcrumbs?.write("/作業/second", second)
      equal(await storage.breadcrumbs?.read(), { cwd: "/作業/second", key: second }, "the breadcrumb")
    })

    laws.lawWhere(
      "breadcrumbs",
      "name sessions that are not stored, and store none",
      async ({ storage, newKey, holdsNothing }) => {
        const key = newKey()
        await storage.breadcrumbs?.write("/somewhere", key)
        await holdsNothing(key)
      },
    )
  })
}
