import { describe, expect, test } from "vitest"
import { proseOf } from "./docs-pages.js"
import { readText } from "./repository.js"

const section = proseOf("README.md").split("## Benchmarks")[1]?.split("\n## ")[0] ?? ""
const figures = (text: string) => [...text.matchAll(/\d[\d,]*(?:\.\d+)?/g)].map(([figure]) => figure)

/** The rows of a table, without its head. */
const rows = (text: string) =>
  text
    .split("\n")
    .filter((line) => /^\|(?! *-)/.test(line))
    .slice(1)

describe("README.md", () => {
  test("has only figures of bench/README.md", () => {
    const measured = new Set(figures(proseOf("bench/README.md")))
    expect(rows(section).length).toBeGreaterThan(0)
    expect(
      rows(section)
        .flatMap(figures)
        .filter((figure) => !measured.has(figure)),
    ).toEqual([])
  })

  test("has figures only in its benchmarks", () => {
    const rest = proseOf("README.md").replace(section, "")
    expect(rest.match(/\d(?:[\d.,]*) ?(?:ms|µs|seconds?|[KMG]B|times as|x faster)\b/g)).toBeNull()
  })
})

test("bench/README.md has a row for each question, and no other", () => {
  const table = proseOf("bench/README.md").split("| question | |")[1]?.split("\n\n")[0] ?? ""
  const named = [...table.matchAll(/^\| (\w+) \|/gm)].map(([, name = ""]) => name)
  const asked = [...readText("bench/src/questions.ts").matchAll(/^ {2}(\w+): async/gm)].map(([, name]) => name)
  expect(named.sort()).toEqual(asked.sort())
})
