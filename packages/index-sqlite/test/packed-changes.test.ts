import type { PlacedFacts } from "@treelog/session-core/search"
import { expect, test } from "vitest"
import { ChangePacker, ChangeReader, type PackedText, TextTokenizer } from "./door.js"

const USAGE = {
  model: "a/b",
  usage: { calls: 1, input: 2, output: 3, cacheRead: 0, cacheWrite: 0, totalTokens: 5, cost: 0.5 },
}

function factsOf(id: string, texts: PlacedFacts["texts"], more: Partial<PlacedFacts> = {}): PlacedFacts {
  const place = { offset: 7, length: 2 ** 40, digest: 2 ** 52 + 1, content: 2 ** 52 + 3 }
  return { id, timestamp: `at ${id}`, time: 1.5, texts, usages: [], readFiles: [], changedFiles: [], ...place, ...more }
}

test("packed changes have what was put in, each from its last entry on, and the tokens of its texts", () => {
  const packer = new ChangePacker(new TextTokenizer())
  const long = Array.from({ length: 60_000 }, (_, at) => `w${at % 300} w${at % 7}`).join(" ")
  const first = factsOf("\0\ud800", [{ role: "user", text: "Retry 修复重试", model: "a/b" }], {
    usages: [USAGE] as PlacedFacts["usages"],
  })
  const second = factsOf(
    "two",
    [
      { role: "toolResult", text: long, tool: "bash" },
      { role: "other", text: "!" },
    ],
    { changedFiles: ["é.ts"] },
  )
  for (let round = 0; round < 2; round++) {
    packer.add({ former: undefined, state: {} as never, from: 3, facts: [first, second, factsOf("none", [])] })
    packer.remove({} as never)
    // As a thread receives it.
    const packed = structuredClone(packer.take())
    expect(packed.changes.map(({ from, entries, state }) => [from, entries, state !== undefined])).toEqual([
      [3, 3, true],
      [undefined, undefined, false],
    ])
    const reader = new ChangeReader(packed)
    const tokenizer = new TextTokenizer()
    for (const { texts, ...facts } of [factsOf("none", []), second, first]) {
      expect(reader.entry()).toEqual({ ...facts, texts: texts.length })
      for (const { role, text, model, tool } of texts) {
        const tokens: PackedText = { role, model, tool, ...tokenizer.tokens(text, role === "user") }
        expect(reader.text()).toEqual(tokens)
      }
    }
  }
  expect(packer.take().changes).toEqual([])
})
