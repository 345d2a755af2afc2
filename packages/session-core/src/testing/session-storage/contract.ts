import { sourceTests } from "../session-source/source-tests.js"
import { registerSuite, type TestRunner } from "../suite.js"
import { breadcrumbTests, companionTests } from "./companion-tests.js"
import { openFixture, reasonToSkip, type SessionStorageCandidate, type Tests } from "./fixture.js"
import { leaseTests, lostLeaseTests, releasedTests } from "./lease-tests.js"
import { capabilityTests, findTests, keyTests, listTests } from "./list-tests.js"
import { lostAnswerTests } from "./lost-answer-tests.js"
import { moveTests, removeTests } from "./move-tests.js"
import { newestTests } from "./newest-tests.js"
import { leaseAndAppendTests } from "./one-step-tests.js"
import { openTests } from "./open-tests.js"
import { readTests, syncReadTests } from "./read-tests.js"
import { reopenTests } from "./reopen-tests.js"
import { syncWriteTests } from "./sync-tests.js"
import { watchTests } from "./watch-tests.js"
import { appendTests, createTests, replaceTests } from "./write-tests.js"

const GROUPS: Readonly<Record<string, Tests>> = {
  capabilities: capabilityTests,
  "a source": sourceTests,
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
  "what works without promises": syncWriteTests,
  "a lost answer": lostAnswerTests,
  move: moveTests,
  remove: removeTests,
  "a session that is opened while it is moved or removed": openTests,
  companions: companionTests,
  "a second storage over the same data": reopenTests,
  breadcrumbs: breadcrumbTests,
  watch: watchTests,
}

/**
 * Registers the contract tests of the `SessionStorage` port with the runner.
 * A storage that passes them all can replace any other.
 */
export function sessionStorageContract(runner: TestRunner, candidate: SessionStorageCandidate): void {
  registerSuite(runner, {
    name: `${candidate.name} keeps the SessionStorage contract`,
    groups: GROUPS,
    reasonToSkip: (need) => reasonToSkip(candidate, need),
    open: () => openFixture(candidate),
  })
}
