import type { Clock } from "./clock.js"

/**
 * What a user asked, in all sessions and folders, and how to find it again (FORMAT.md, section 10).
 *
 * Prompts are kept with the second they were given in. Whatever lists them gives distinct texts, newest first; of one
 * second, the one that was stored last comes first. A listing holds all that was added to this object before, but for
 * prompts that could not be stored: then it holds what is stored, and `lastError` gives the reason.
 *
 * Failures are `TreelogError`s, and only of the methods that return a promise: HistoryUnavailableError when there is
 * nothing to keep prompts in, UnsupportedVersionError when it can be read only, StorageError.
 * `@treelog/session-core/testing` exports the contract suite that an implementation proves itself with.
 */
export interface PromptHistory {
  /**
   * Adds a prompt of now. Never throws and never waits. It is stored in the background, without a `flush`; where that
   * fails, `lastError` and `onError` report it, and the next `add`, `flush` or listing tries again. The text is
   * trimmed; an empty one, and one equal to the last that this object was given, is ignored. So is what the rules
   * ignore.
   */
  add(text: string, origin?: PromptOrigin): void

  /**
   * Why the last attempt to store prompts failed, in the background or not. Undefined when all that was added is
   * stored, or is being stored for the first time.
   */
  readonly lastError: unknown

  /** The newest prompts. */
  recent(options?: PromptListOptions): Promise<Prompt[]>

  /**
   * The newest prompts in which every term of the query occurs, a term being what white space separates. A term may
   * begin and end anywhere in a word; case, accents and width do not matter. Nothing in a query is syntax. One
   * without terms finds every prompt.
   */
  search(query: string, options?: PromptListOptions): Promise<Prompt[]>

  /** The prompt that has this id; undefined where none has. */
  get(id: number): Promise<Prompt | undefined>

  /**
   * Removes prompts for good, and keeps a later `import` from bringing them back. Giving one again by `add` is no
   * import.
   * @returns how often the removed prompts were stored
   * @throws InvalidArgumentError for a query without terms, which would remove everything
   */
  delete(selection: PromptSelection): Promise<number>

  /**
   * Takes prompts of the past. One that is stored already, with the same text, second and session, is not stored
   * again; so an import can be repeated and resumed. They are trimmed, and the rules apply.
   * @throws what `options.signal` was aborted with; what was taken until then stays
   */
  import(
    prompts: AsyncIterable<ImportedPrompt> | Iterable<ImportedPrompt>,
    options?: PromptImportOptions,
  ): Promise<PromptImportReport>

  stats(): Promise<PromptStats>

  /**
   * Resolves when all that was added is stored so that it outlives the process. Where it fails, the next one tries
   * again.
   */
  flush(): Promise<void>

  /** Flushes, and gives everything free. Prompts that come later are ignored, and every other method fails. */
  close(): Promise<void>
}

/** Where a prompt was given. */
export interface PromptOrigin {
  readonly cwd?: string | undefined
  readonly sessionId?: string | undefined
}

export interface ImportedPrompt extends PromptOrigin {
  readonly text: string
  /** Milliseconds since 1970; kept to the second. */
  readonly createdAt: number
}

/** A prompt as it is stored: of several with the same text, the newest in the scope that was asked for. */
export interface Prompt extends ImportedPrompt {
  /** Names it for `get` and `delete`. */
  readonly id: number
}

/** Whose prompts are meant. */
export type PromptScope =
  | { readonly kind: "all" }
  | { readonly kind: "session"; readonly sessionId: string }
  | { readonly kind: "cwd"; readonly cwd: string }
  /** The folders of a repository: its root and those of its worktrees. What lies below them belongs to it. */
  | { readonly kind: "repository"; readonly roots: readonly string[] }

/** Which prompts are listed. */
export interface PromptListOptions {
  /** Default: all. */
  readonly scope?: PromptScope
  /** At most so many prompts. Default 100. */
  readonly limit?: number
}

/** One prompt (its text, wherever it was given), those that a search finds, or all of a scope. */
export type PromptSelection =
  | { readonly id: number }
  | { readonly query: string; readonly scope?: PromptScope }
  | { readonly scope: PromptScope }

/** How an import is followed and ended. */
export interface PromptImportOptions {
  /** Told now and then, and at the end. */
  readonly onProgress?: (progress: PromptImportProgress) => void
  readonly signal?: AbortSignal
}

/** What became of imported prompts. The other counts add up to `read`. */
export interface PromptImportReport {
  readonly read: number
  readonly added: number
  /** Stored before. */
  readonly known: number
  /** Empty, or ignored by a rule. */
  readonly ignored: number
  /** Removed by `delete` after they were given. */
  readonly deleted: number
}

/** How far an import is. */
export interface PromptImportProgress extends PromptImportReport {
  /** When all is read: how many prompts are still to be indexed. 0 until then, and where nothing has to be indexed. */
  readonly left: number
}

/** What a history holds. */
export interface PromptStats {
  /** Stored prompts, a text counted as often as it is stored. */
  readonly stored: number
  /** Distinct folders and sessions that prompts were given in. */
  readonly folders: number
  readonly sessions: number
  /** Milliseconds since 1970; undefined when nothing is stored. */
  readonly oldest: number | undefined
  readonly newest: number | undefined
  /** What the history takes up in its storage; undefined where that cannot be said. */
  readonly bytes: number | undefined
}

/** What is not to be kept. */
export interface PromptIgnoreRules {
  /** Prompts that begin with a space, as shells have it. Default false. */
  readonly leadingSpace?: boolean | undefined
  /** Prompts in which one of these matches. */
  readonly patterns?: readonly RegExp[] | undefined
  /** Prompts that look like they hold a secret; false keeps them. The default is up to the implementation. */
  readonly secrets?: SecretCheck | false | undefined
}

/** Says of each text whether it looks like it holds a secret. */
export type SecretCheck = (texts: readonly string[]) => Promise<readonly boolean[]>

/** What every implementation can be made with. */
export interface PromptHistoryOptions {
  /** Default: the system's clock. */
  readonly clock?: Clock | undefined
  readonly ignore?: PromptIgnoreRules | undefined
  /**
   * Called when prompts could not be stored and no caller gets the error: in the background, and by a listing, which
   * goes on with what is stored.
   */
  readonly onError?: ((error: unknown) => void) | undefined
}
