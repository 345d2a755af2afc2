// The contract suites for implementations of the ports. You pass the test runner.

export { blobStoreContract } from "./blob-store/contract.js"
export type { BlobStoreCandidate, BlobStoreSetup } from "./blob-store/fixture.js"
export { sessionStorageContract } from "./session-storage/contract.js"
export type {
  Companions,
  SessionStorageCandidate,
  SessionStorageSetup,
  StoredSample,
  StoredSessions,
} from "./session-storage/fixture.js"
export type { TestRunner } from "./suite.js"
