import { readdirSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { pages } from "./docs-pages.js"
import { ROOT, readText } from "./repository.js"

/** Words that this project once used for plain terms: repair, architecture, report, re-parented, restore. */
const DIALECT = /\b(?:mend(?:s|ed)?|the house|roof|told|tells|hung|as one types|put back)\b/gi

const changesets = readdirSync(join(ROOT, ".changeset"))
  .filter((name) => name.endsWith(".md"))
  .map((name) => `.changeset/${name}`)

test.each([...pages, ...changesets, "fixtures/README.md", "scripts/tour.mjs"])("%s uses plain terms", (page) => {
  expect(readText(page).match(DIALECT)).toBeNull()
})
