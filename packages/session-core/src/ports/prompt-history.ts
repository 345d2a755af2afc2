import type { Clock } from "./clock.js"

/**
 * A history of the prompts of a user, across sessions and folders, with search (FORMAT.md, section 10).
 *
 * Prompts are stored with their time in seconds. Listings return distinct texts, newest first; among prompts of the same second, the
 * last stored one comes first. A listing includes everything that was added to this object before, except prompts that could not be
 * stored, in which case `lastError` has the reason.
 *
 * Only methods that return a promise fail, with a `TreelogError`: HistoryUnavailableError when the storage cannot be used,
 * UnsupportedVersionError when it can only be read, StorageError.
 * `@treelog/session-core/testing` exports the contract suite for implementations.
 */
export interface PromptHistory {
  /**
   * Adds a prompt with the current time. Never throws and never waits. It is stored in the background, without a `flush`; if that
   * fails, `lastError` and `onError` report it, and the next `add`, `flush` or listing tries again. The text is
   * trimmed; an empty one, one equal to the last that was added to this object, and one that the rules
   * exclude are ignored.
   */
  add(text: string, origin?: PromptOrigin): void

  /**
   * The error of the last attempt to store prompts, in the background or not. Undefined when all that was added is
   * stored, or is being stored for the first time.
   */
  readonly lastError: unknown

  /** Lists the newest prompts. */
  recent(options?: PromptListOptions): Promise<Prompt[]>

  /**
   * Lists the newest prompts that contain every term of the query. Terms are separated by white space. A term may
   * begin and end anywhere in a word; case, accents and width do not matter. There is no query syntax. A query
   * without terms finds every prompt.
   */
  search(query: string, options?: PromptListOptions): Promise<Prompt[]>

  /** The prompt with this id; undefined when there is none. */
  get(id: number): Promise<Prompt | undefined>

  /**
   * Removes prompts for good, and prevents a later `import` from restoring them. Adding one again by `add` is not an
   * import.
   * @returns the number of removed rows: a text counts as often as it was stored
   * @throws InvalidArgumentError for a query without terms, which would remove everything
   */
  delete(selection: PromptSelection): Promise<number>

  /**
   * Imports prompts of the past. One that is stored already, with the same text, second and session, is not stored
   * again; so an import can be repeated and resumed. They are trimmed, and the rules apply.
   * @throws the reason of `options.signal` when it aborts; prompts imported until then are kept
   */
  import(
    prompts: AsyncIterable<ImportedPrompt> | Iterable<ImportedPrompt>,
    options?: PromptImportOptions,
  ): Promise<PromptImportReport>

  stats(): Promise<PromptStats>

  /**
   * Resolves when all that was added is stored and survives the process. If it fails, the next one tries
   * again.
   */
  flush(): Promise<void>

  /** Flushes and releases all resources. Later `add` calls are ignored, and every other method fails. */
  close(): Promise<void>
}

/** The folder and session of a prompt. */
export interface PromptOrigin {
  readonly cwd?: string | undefined
  readonly sessionId?: string | undefined
}

/** A prompt with its time, folder and session, as `import` takes it. */
export interface ImportedPrompt extends PromptOrigin {
  readonly text: string
  /** Milliseconds since 1970; kept to the second. */
  readonly createdAt: number
}

/** A stored prompt: of several with the same text, the newest in the requested scope. */
export interface Prompt extends ImportedPrompt {
  /** Identifies it for `get` and `delete`. */
  readonly id: number
}

/** Which prompts to include: all, or those of a folder, a repository or a session. */
export type PromptScope =
  | { readonly kind: "all" }
  | { readonly kind: "session"; readonly sessionId: string }
  | { readonly kind: "cwd"; readonly cwd: string }
  /** `roots` are the folders of a repository: its root and those of its worktrees. Folders below them are included. */
  | { readonly kind: "repository"; readonly roots: readonly string[] }

/** Options for listing prompts. */
export interface PromptListOptions {
  /** Default: all. */
  readonly scope?: PromptScope
  /** The maximum number of prompts. Default 100. */
  readonly limit?: number
}

/** The prompts to delete: one (its text, in every folder and session), those that a search finds, or all of a scope. */
export type PromptSelection =
  | { readonly id: number }
  | { readonly query: string; readonly scope?: PromptScope }
  | { readonly scope: PromptScope }

/** Options for an import. */
export interface PromptImportOptions {
  /** Called repeatedly during the import, and at the end. */
  readonly onProgress?: (progress: PromptImportProgress) => void
  readonly signal?: AbortSignal
}

/** The counts of an import. `read` is the sum of the others. */
export interface PromptImportReport {
  readonly read: number
  readonly added: number
  /** Prompts that were stored already. */
  readonly known: number
  /** Prompts that are empty, or that a rule excludes. */
  readonly ignored: number
  /** Prompts that `delete` removed after their time. */
  readonly deleted: number
}

/** The progress of an import. */
export interface PromptImportProgress extends PromptImportReport {
  /** After everything is read: how many prompts are still to be indexed. 0 until then, and if there is no index. */
  readonly left: number
}

/** Statistics of a history. */
export interface PromptStats {
  /** The number of stored prompts; a text counts as often as it is stored. */
  readonly stored: number
  /** The number of distinct folders of prompts. */
  readonly folders: number
  /** The number of distinct sessions of prompts. */
  readonly sessions: number
  /** The time of the oldest prompt. Milliseconds since 1970; undefined when nothing is stored. */
  readonly oldest: number | undefined
  readonly newest: number | undefined
  /** The size of the storage in bytes; undefined if it is unknown. */
  readonly bytes: number | undefined
}

/** Rules for prompts that are not stored. */
export interface PromptIgnoreRules {
  /** Ignores prompts that begin with a space, as shells do. Default false. */
  readonly leadingSpace?: boolean | undefined
  /** Ignores prompts that match one of these. */
  readonly patterns?: readonly RegExp[] | undefined
  /** Ignores prompts that look like they contain a secret; false stores them. The default depends on the implementation. */
  readonly secrets?: SecretCheck | false | undefined
}

/** Checks for each text whether it looks like it contains a secret. */
export type SecretCheck = (texts: readonly string[]) => Promise<readonly boolean[]>

/** Options that every implementation accepts. */
export interface PromptHistoryOptions {
  /** Default: the system's clock. */
  readonly clock?: Clock | undefined
  readonly ignore?: PromptIgnoreRules | undefined
  /**
   * Called when prompts could not be stored and no caller gets the error: in the background, and before a listing, which
   * then returns what is stored.
   */
  readonly onError?: ((error: unknown) => void) | undefined
}
