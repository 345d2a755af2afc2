import { readFileSync } from "node:fs"
import { join } from "node:path"
import { RULES_VERSION } from "@treelog/secrets"
import { codeDigest, filesOfModule } from "@treelog-internal/test-kit/code-digest"
import { expect, test } from "vitest"

const SOURCE = join(import.meta.dirname, "..", "src")

/** The digest of the code that decides what is found, without the version itself. */
function digestOfRules(change: (code: string, path: string) => string = (code) => code): string {
  const files = filesOfModule(join(SOURCE, "index.ts"))
  const codes = files.map((path) => change(readFileSync(path, "utf8").replace(RULES_VERSION, ""), path))
  return codeDigest(codes)
}

test("the version of the rules is that of the code: after a change of a rule, put the new digest into rules-version.ts", () => {
  expect(RULES_VERSION).toBe(digestOfRules())
})

test("another pattern of a rule makes another version, and another comment does not", () => {
  const changed = (from: string, to: string) =>
    digestOfRules((code, path) => {
      if (path !== join(SOURCE, "rules", "named.ts")) return code
      expect(code).toContain(from)
      return code.replace(from, to)
    })
  expect(changed("passcode", "passkode")).not.toBe(RULES_VERSION)
  expect(changed("The rest of a name", "What is left of a name")).toBe(RULES_VERSION)
})
