import type { SessionManager as PiSessionManager } from "@earendil-works/pi-coding-agent"
import { TreelogSessionManager } from "./session-manager.js"

/** What a session manager of this package has beside the members of pi's. */
export interface Durable {
  /** Resolves when all that was appended is on the disk. @throws PersistError */
  flush(): Promise<void>
  /** `flush` without promises. @throws PersistError */
  flushSync(): void
  /**
   * Writes again what a failed append left in memory. Each append does so as well. With `recreate`, a session whose file was moved or deleted
   * is stored again where it was, all of it. @throws PersistError
   */
  retry(options?: { readonly recreate?: boolean }): Promise<void>
  /** Flushes, and releases the open file. */
  close(): Promise<void>
}

/**
 * pi's `SessionManager`, with its files, on treelog. Its type is that of the installed pi, whose private fields would make any other
 * class a different type: so it can be passed wherever pi's types ask for theirs.
 */
export type SessionManager = PiSessionManager & Durable

type Managing<Method> = Method extends (...args: infer Args) => PiSessionManager
  ? (...args: Args) => SessionManager
  : Method

/** The static members: those of pi. */
export type SessionManagerStatics = {
  readonly [Name in Exclude<keyof typeof PiSessionManager, "prototype">]: Managing<(typeof PiSessionManager)[Name]>
} & typeof PiSessionManager

export const SessionManager = TreelogSessionManager as unknown as SessionManagerStatics
