import { existsSync, statSync } from "node:fs"
import { dirname, join } from "node:path"
import { describe, expect, test } from "vitest"
import { pages, proseOf } from "./docs-pages.js"
import { ROOT } from "./repository.js"

/** The names that the headings of a page can be linked by. */
const anchorsOf = (page: string) =>
  [...proseOf(page).matchAll(/^#+ (.+)$/gm)].map(([, title = ""]) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  )

function isBroken(page: string, link: string): boolean {
  const [path = "", anchor] = link.split("#")
  const target = path === "" ? page : join(dirname(page), path)
  if (!existsSync(join(ROOT, target))) return true
  return anchor !== undefined && !(statSync(join(ROOT, target)).isFile() && anchorsOf(target).includes(anchor))
}

test.each(pages)("every link of %s resolves", (page) => {
  const links = [
    ...proseOf(page)
      .replace(/`[^`]*`/g, "")
      .matchAll(/\]\(([^)\s]+)\)/g),
  ].map(([, link = ""]) => link)
  expect(links.filter((link) => !/^https?:/.test(link) && isBroken(page, link))).toEqual([])
})

describe("the files that the pages name", () => {
  test.each(pages)("of %s exist", (page) => {
    const named = [...proseOf(page).matchAll(/`((?:packages|internal|docs|scripts|bench|examples)\/[\w./-]+)`/g)]
    expect(named.map(([, path = ""]) => path).filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
  })
})
