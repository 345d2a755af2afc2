// The contract suites, with the test runner injected.
export type { TestRunner } from "./runner.js"
export type { Companions, SessionStorageCandidate, SessionStorageSetup } from "./session-storage/candidate.js"
export { sessionStorageContract } from "./session-storage/contract.js"
