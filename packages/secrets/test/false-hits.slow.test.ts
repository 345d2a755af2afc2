import { fileURLToPath } from "node:url"
import { redactValue } from "@treelog/secrets"
import { sourceTexts } from "@treelog-internal/test-kit/secrets"
import { expect, it } from "vitest"

/** Characters. */
const TEN_MEGABYTES = 10_000_000
const PACKAGES = [
  "typescript",
  "vite",
  "vitest",
  "knip",
  "dependency-cruiser",
  "fast-check",
  "esbuild",
  "turbo",
  "@types/node",
]

it("takes less than 5 things for secrets in 10 MB of source code that tools read", async () => {
  const texts = PACKAGES.flatMap((name) =>
    sourceTexts(fileURLToPath(new URL(`../../../node_modules/${name}`, import.meta.url)), 4_000_000),
  )
  expect(texts.join("").length).toBeGreaterThan(TEN_MEGABYTES)
  const results = texts.map((text, index) => ({
    type: "message",
    id: index.toString(16).padStart(8, "0"),
    message: { role: "toolResult", toolCallId: `call_${index}`, toolName: "read", content: [{ type: "text", text }] },
  }))
  const findings = results.flatMap((result) => redactValue(result).findings)
  expect(findings.length).toBeLessThan(5)
})
