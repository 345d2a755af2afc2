import { equal } from "../assert.js"
import type { ContractTests } from "./contract-tests.js"

export function breadcrumbTests(contract: ContractTests): void {
  contract.describe("breadcrumbs", () => {
    contract.testWhere("breadcrumbs", "are not there before one is written", async ({ storage }) => {
      equal(await storage.breadcrumbs?.read(), undefined, "the breadcrumb")
    })

    contract.testWhere("breadcrumbs", "give what was written last", async ({ storage, newKey }) => {
      const [first, second] = [newKey(), newKey()]
      await storage.breadcrumbs?.write("/a folder/of the first", first)
      await storage.breadcrumbs?.write("/作業/second", second)
      equal(await storage.breadcrumbs?.read(), { cwd: "/作業/second", key: second }, "the breadcrumb")
    })

    contract.testWhere(
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
