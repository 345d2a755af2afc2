import { findSecrets } from "@treelog/secrets"
import { plantedSecrets } from "@treelog-internal/test-kit/secrets"
import { expect, it } from "vitest"

it("looks at a text of many megabytes as a whole", async () => {
  const [first, last] = plantedSecrets(10).slice(2, 4)
  const text = `${first?.text} ${"word ".repeat(1_000_000)}${last?.text}`
  const found = findSecrets(text)
  expect(found.map(({ start }) => start)).toEqual([0, text.length - (last?.text.length ?? 0)])
})

it("looks at a word of many megabytes to its end, such as an image that stands in a line", async () => {
  const [secret] = plantedSecrets(5).filter(({ kind }) => kind === "GitHub classic token")
  const word = `${"Ab1/".repeat(3_000_000)}${secret?.text}`
  expect(findSecrets(`{"data":"${word}"}`)).toEqual([
    { kind: "GitHub token", start: 12_000_009, end: 12_000_009 + (secret?.text.length ?? 0) },
  ])
})
