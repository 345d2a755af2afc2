import { readFileSync } from "node:fs"
import { join } from "node:path"
import { codeDigest, filesOfModule } from "@treelog-internal/test-kit/code-digest"
import { expect, test } from "vitest"
import { SCAN_VERSION } from "../door.js"

const PACKAGES = join(import.meta.dirname, "..", "..", "..")

test("the version of a scan is that of its code: after a change of it, put the new digest into session-secrets.ts", () => {
  const kept = join(PACKAGES, "cli", "src", "commands", "scan", "session-secrets.ts")
  const found = filesOfModule(join(PACKAGES, "export", "src", "find-session-secrets.ts"))
  expect(found.length).toBeGreaterThan(1)
  expect(SCAN_VERSION).toBe(
    codeDigest([kept, ...found].map((path) => readFileSync(path, "utf8").replace(SCAN_VERSION, ""))),
  )
})
