// The contract suites for implementations of the ports. You pass the test runner.
export type { BlobStoreCandidate, BlobStoreSetup } from "./blob-store/candidate.js"
export { blobStoreContract } from "./blob-store/contract.js"
export type { PromptHistoryCandidate, PromptHistorySetup } from "./prompt-history/candidate.js"
export { promptHistoryContract } from "./prompt-history/contract.js"
export type { Companions, SessionStorageCandidate, SessionStorageSetup } from "./session-storage/candidate.js"
export { sessionStorageContract } from "./session-storage/contract.js"
export type { TestRunner } from "./suite.js"
