import { registerSuite, type TestRunner } from "../suite.js"
import { appendTests } from "./append-tests.js"
import { breadcrumbTests } from "./breadcrumb-tests.js"
import type { SessionStorageCandidate } from "./candidate.js"
import { companionTests } from "./companion-tests.js"
import { createTests } from "./create-tests.js"
import { openFixture } from "./fixture.js"
import { keyTests } from "./key-tests.js"
import { leaseTests } from "./lease-tests.js"
import { listTests } from "./list-tests.js"
import { moveTests } from "./move-tests.js"
import { quarantineTests } from "./quarantine-tests.js"
import { readTests } from "./read-tests.js"
import { releasedTests } from "./released-tests.js"
import { removeTests } from "./remove-tests.js"
import { reopenTests } from "./reopen-tests.js"
import { replaceTests } from "./replace-tests.js"
import { supportsTests } from "./supports-tests.js"
import { syncReadTests } from "./sync-read-tests.js"
import { watchTests } from "./watch-tests.js"

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
