import type { TestRunner } from "@treelog/session-core/testing"
import { openFixture, type SessionIndexCandidate, type SessionIndexSetup } from "./fixture.js"
import { partTests } from "./part-tests.js"
import { filterTests, reopenTests, resultTests, wordTests } from "./search-tests.js"
import { fileTests, usageTests } from "./sum-tests.js"
import { updateTests } from "./update-tests.js"

/** Registers the tests that all indexes of sessions share: in memory and in SQLite, they give the same answers. */
export function sessionIndexContract<Setup extends SessionIndexSetup>(
  { describe, it }: TestRunner,
  candidate: SessionIndexCandidate<Setup>,
): void {
  const groups = {
    words: wordTests,
    filters: filterTests,
    results: resultTests,
    usage: usageTests,
    files: fileTests,
    parts: partTests,
    update: updateTests,
    ...(candidate.reopen && { "another process": reopenTests }),
  }
  describe(`${candidate.name} keeps the contract of an index`, () => {
    for (const [group, tests] of Object.entries(groups))
      describe(group, () => {
        for (const [name, body] of Object.entries(tests))
          it(name, async () => {
            const fixture = await openFixture(candidate)
            try {
              await body(fixture)
            } finally {
              await fixture.close()
            }
          })
      })
  })
}
