import type { TestRunner } from "../runner.js"
import { appendLaws } from "./append-laws.js"
import { breadcrumbLaws } from "./breadcrumb-laws.js"
import type { SessionStorageCandidate } from "./candidate.js"
import { companionLaws } from "./companion-laws.js"
import { createLaws } from "./create-laws.js"
import { keyLaws } from "./key-laws.js"
import { Laws } from "./laws.js"
import { leaseLaws } from "./lease-laws.js"
import { listLaws } from "./list-laws.js"
import { moveLaws } from "./move-laws.js"
import { readLaws } from "./read-laws.js"
import { releasedLaws } from "./released-laws.js"
import { removeLaws } from "./remove-laws.js"
import { reopenLaws } from "./reopen-laws.js"
import { replaceLaws } from "./replace-laws.js"
import { setAsideLaws } from "./set-aside-laws.js"
import { supportsLaws } from "./supports-laws.js"
import { syncReadLaws } from "./sync-read-laws.js"
import { watchLaws } from "./watch-laws.js"

/**
 * Registers the laws of the `SessionStorage` port with the runner, one test each.
 * A storage that keeps them all can take the place of any other.
 */
export function sessionStorageContract(runner: TestRunner, candidate: SessionStorageCandidate): void {
  const laws = new Laws(runner, candidate)
  runner.describe(`${candidate.name} keeps the SessionStorage contract`, () => {
    supportsLaws(laws)
    keyLaws(laws)
    createLaws(laws)
    readLaws(laws)
    syncReadLaws(laws)
    appendLaws(laws)
    replaceLaws(laws)
    listLaws(laws)
    leaseLaws(laws)
    releasedLaws(laws)
    moveLaws(laws)
    setAsideLaws(laws)
    removeLaws(laws)
    companionLaws(laws)
    reopenLaws(laws)
    breadcrumbLaws(laws)
    watchLaws(laws)
  })
}
