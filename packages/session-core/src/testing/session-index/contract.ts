import { registerSuite, type TestRunner } from "../suite.js"
import { openFixture, type SessionIndexCandidate, type SessionIndexSetup } from "./fixture.js"
import { partTests } from "./part-tests.js"
import { filterTests, resultTests, wordTests } from "./search-tests.js"
import { fileTests, usageTests } from "./sum-tests.js"
import { updateTests, verifyTests } from "./update-tests.js"

/** Registers the contract tests of the `SessionIndex` port with the runner. An index that passes them all can replace any other. */
export function sessionIndexContract<Setup extends SessionIndexSetup>(
  runner: TestRunner,
  candidate: SessionIndexCandidate<Setup>,
): void {
  registerSuite(runner, {
    name: `${candidate.name} keeps the SessionIndex contract`,
    groups: {
      words: wordTests,
      filters: filterTests,
      results: resultTests,
      usage: usageTests,
      files: fileTests,
      parts: partTests,
      update: updateTests,
      verify: verifyTests,
    },
    reasonToSkip: (need) => (candidate[need] ? undefined : `the candidate has no ${need}`),
    open: () => openFixture(candidate),
  })
}
