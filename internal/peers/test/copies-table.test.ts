import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { withCopies } from "@treelog-internal/peers/copies-table"
import { expect, it } from "vitest"

const textOf = (path: string): string => readFileSync(fileURLToPath(new URL(path, import.meta.url)), "utf8")

it("docs/other-agents.md has what was found when copies were tried last", () => {
  const page = textOf("../../../docs/other-agents.md")
  expect(page).toBe(withCopies(page, JSON.parse(textOf("../copies.json"))))
})
