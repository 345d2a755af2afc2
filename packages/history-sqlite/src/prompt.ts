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
  readonly limit?: number | undefined
}

/** The prompts to delete: one (its text, in every folder and session), those that a search finds, or all of a scope. */
export type PromptSelection =
  | { readonly id: number }
  | { readonly query: string; readonly scope?: PromptScope }
  | { readonly scope: PromptScope }

/** Options for an import. */
export interface PromptImportOptions {
  /** Called repeatedly during the import, and at the end, with the counts so far. */
  readonly onProgress?: ((progress: PromptImportReport) => void) | undefined
  readonly signal?: AbortSignal | undefined
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
  /** The size of the database and its log in bytes. */
  readonly bytes: number
}

/** Rules for prompts that are not stored. */
export interface PromptIgnoreRules {
  /** Ignores prompts that begin with a space, as shells do. Default false. */
  readonly leadingSpace?: boolean | undefined
  /** Ignores prompts that match one of these. */
  readonly patterns?: readonly RegExp[] | undefined
  /** Ignores prompts that look like they contain a secret; false stores them. Default: those in which `@treelog/secrets` finds one. */
  readonly secrets?: SecretCheck | false | undefined
}

/** Checks whether a text looks like it contains a secret. */
export type SecretCheck = (text: string) => boolean
