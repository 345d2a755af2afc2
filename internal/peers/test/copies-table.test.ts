import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { PAGES, withCopies } from "@treelog-internal/peers/copies-table"
import { expect, it } from "vitest"

const textOf = (path: string): string =>
  readFileSync(fileURLToPath(new URL(`../../../${path}`, import.meta.url)), "utf8")

it.each(Object.keys(PAGES))("%s has what was found when copies were tried last", (name) => {
  const page = textOf(name)
  expect(page).toBe(withCopies(name, page, JSON.parse(textOf("internal/peers/copies.json"))))
})
