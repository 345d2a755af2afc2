import { expect, test } from "vitest"
import { proseOf } from "./docs-pages.js"
import { readText } from "./repository.js"

test.each([
  ["README.md", 200],
  ["bench/README.md", 150],
])("%s has at most %i lines", (page, most) => {
  expect(readText(page).trimEnd().split("\n").length).toBeLessThanOrEqual(most)
})

test("README.md has no figures of benchmarks: they are in bench/README.md", () => {
  expect(proseOf("README.md").match(/\d(?:[\d.,]*) ?(?:ms|µs|seconds?|[KMG]B|times as|x faster)\b/g)).toBeNull()
})

test("bench/README.md has a row for each question, and no other", () => {
  const table = proseOf("bench/README.md").split("| question | |")[1]?.split("\n\n")[0] ?? ""
  const named = [...table.matchAll(/^\| (\w+) \|/gm)].map(([, name = ""]) => name)
  const asked = [...readText("bench/src/questions.ts").matchAll(/^ {2}(\w+): async/gm)].map(([, name]) => name)
  expect(named.sort()).toEqual(asked.sort())
})
