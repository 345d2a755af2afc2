// The contract suites for implementations of the ports. You pass the test runner.

export { blobStoreContract } from "./blob-store/contract.js"
export { sessionSourceContract } from "./session-source/contract.js"
export { sessionStorageContract } from "./session-storage/contract.js"
export type { Companions } from "./session-storage/fixture.js"
export type { TestRunner } from "./suite.js"
