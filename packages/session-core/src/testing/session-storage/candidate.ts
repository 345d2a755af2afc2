import type { SessionStorage, StorageSupports } from "../../ports/session-storage.js"

/** A storage to test. */
export interface SessionStorageCandidate {
  /** The name of the suite in the results. */
  readonly name: string
  /**
   * The `supports` of the storage. Tests are registered before the first storage is made, so it is needed
   * here too; the first test compares it with the storage. Tests that do not apply are skipped, with the reason.
   */
  readonly supports: StorageSupports
  /** Makes a new, empty storage. Called once for each test. */
  setup(): Promise<SessionStorageSetup>
  /** The working directory of the suite's sessions. Default `/home/user/project`. */
  readonly cwd?: string
}

/** A new storage for one test, and operations that the port does not have. */
export interface SessionStorageSetup {
  readonly storage: SessionStorage
  /** Opens a second, independent storage over the same data and for the same terminal. Required if `durable` or `processes`. */
  reopen?(): Promise<SessionStorage>
  /** Writes and reads the artifacts of a session. Required if `artifacts`. */
  readonly companions?: Companions
  /** Called after each test, when the suite's leases are released. */
  teardown(): Promise<void>
}

/** Access to the artifacts of a session, by file name. */
export interface Companions {
  write(key: string, name: string, bytes: Uint8Array): Promise<void>
  /** Undefined when there is none with that name. */
  read(key: string, name: string): Promise<Uint8Array | undefined>
}
