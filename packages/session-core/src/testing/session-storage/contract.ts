import { registerSuite, type TestRunner } from "../suite.js"
import { breadcrumbTests, companionTests } from "./companion-tests.js"
import { openFixture, type SessionStorageCandidate } from "./fixture.js"
import { leaseTests, lostLeaseTests, releasedTests } from "./lease-tests.js"
import { findTests, keyTests, listTests, supportsTests } from "./list-tests.js"
import { lostAnswerTests } from "./lost-answer-tests.js"
import { moveTests, quarantineTests, removeTests } from "./move-tests.js"
import { newestTests } from "./newest-tests.js"
import { leaseAndAppendTests } from "./one-step-tests.js"
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
      find: findTests,
      "summaries.newest": newestTests,
      lease: leaseTests,
      "a released lease": releasedTests,
      "a lost lease": lostLeaseTests,
      leaseAndAppend: leaseAndAppendTests,
      "a lost answer": lostAnswerTests,
      move: moveTests,
      quarantine: quarantineTests,
      remove: removeTests,
      companions: companionTests,
      "a second storage over the same data": reopenTests,
      breadcrumbs: breadcrumbTests,
      watch: watchTests,
    },
    reasonToSkip: (need) => {
      if (need === "losesAnswers") return candidate.losesAnswers ? undefined : "setup() gives no `loseNextAnswer`"
      if (need === "findsNewest") return candidate.findsNewest ? undefined : "its summaries have no `newest`"
      return candidate.supports[need] ? undefined : `supports.${need} is false`
    },
    open: () => openFixture(candidate),
  })
}
