import { readdirSync, readFileSync } from "node:fs"
import postcss from "postcss"
import { expect, test } from "vitest"
import { partStyles } from "../../build/part-styles.js"

const at = (path: string): URL => new URL(`../../${path}`, import.meta.url)
const folder = "src/page/style/"
const styles = readdirSync(at(folder)).map((name) => readFileSync(at(folder + name), "utf8"))

const converted = (css: string): string => postcss([partStyles()]).process(css, { from: undefined }).css

test("Every variable that the root has can be set for a part, and the README names it.", () => {
  const settable = new Set(styles.flatMap((css) => converted(css).match(/--treelog-[\w-]+/g) ?? []))
  const named = new Set(readFileSync(at("README.md"), "utf8").match(/--treelog-[\w-]+/g))
  expect(settable.size).toBeGreaterThan(30)
  expect([...named].sort()).toEqual([...settable].sort())
})

test("The styles of a part mean nothing outside of it, and ask nothing of the page around it.", () => {
  const css = styles.map(converted).join("\n")
  expect(css).not.toMatch(/(?:^|[\s,])(?:html|body|:root)\b|#app\b/m)
  postcss.parse(css).walkDecls(({ value }) => expect(value).not.toMatch(/\drem\b/))
  expect(css).not.toMatch(/@media \((?:max|min)-width: \d+px\) \{/)
})

test("A part is like the page in all else.", () => {
  const css = ":root[data-theme=dark] { --ink: #fff } html { margin: 1.5rem } body { margin: 0 } p { top: 3px }"
  const part = `:host { all: initial } :host([data-theme=dark]) { --ink: var(--treelog-ink, #fff) }
    :host { margin: calc(1.5 * var(--size)) } p { top: 3px }`
  expect(converted(css).replace(/\s+/g, "")).toBe(part.replace(/\s+/g, ""))
})
