import { describe, expect, test } from "vitest"
import { readText } from "./repository.js"

const storage = readText("packages/storage-fs/src/file-session-storage.ts")

/** What the pages say is not built yet, and how one sees in the code that it is. */
const CLAIMS = [
  { page: "docs/FORMAT.md", says: "The cache as files is not built yet", isBuilt: /\bsummaries\b/.test(storage) },
  { page: "docs/ARCHITECTURE.md", says: "`FileSessionStorage` keeps none yet", isBuilt: /\bsummaries\b/.test(storage) },
]

describe("what is said not to be built yet", () => {
  test.each(CLAIMS)("is not: $page says that $says", ({ page, says, isBuilt }) => {
    expect(readText(page).replace(/\s+/g, " ").includes(says)).toBe(!isBuilt)
  })
})
