import { registerSuite, type TestRunner } from "../suite.js"
import { breadcrumbTests, companionTests } from "./companion-tests.js"
import { openFixture, type SessionStorageCandidate } from "./fixture.js"
import { leaseTests, releasedTests } from "./lease-tests.js"
import { keyTests, listTests, supportsTests } from "./list-tests.js"
import { moveTests, quarantineTests, removeTests } from "./move-tests.js"
import { readTests, syncReadTests } from "./read-tests.js"
import { reopenTests } from "./reopen-tests.js"
import { watchTests } from "./watch-tests.js"
import { appendTests, createTests, replaceTests } from "./write-tests.js"

/**
 * Registers the contract tests of the `SessionStorage` port with the runner.
 * A storage that passes them all can replace any other.
 */
export function sessionStorageContract(runner: TestRunner, candidate: SessionStorageCandidate): void {
  registerSuite(runner, {
    name: `${candidate.name} keeps the SessionStorage contract`,
    groups: {
      supports: supportsTests,
      keys: keyTests,
      create: createTests,
      readRange: readTests,
      openRanges: syncReadTests,
      append: appendTests,
      replace: replaceTests,
      list: listTests,
      lease: leaseTests,
      "a released lease": releasedTests,
      move: moveTests,
      quarantine: quarantineTests,
      remove: removeTests,
      companions: companionTests,
      "a second storage over the same data": reopenTests,
      breadcrumbs: breadcrumbTests,
      watch: watchTests,
    },
    reasonToSkip: (need) => (candidate.supports[need] ? undefined : `supports.${need} is false`),
    open: () => openFixture(candidate),
  })
}
