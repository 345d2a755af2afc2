export interface StoreOptions {
  /** A program, a folder, an address, or `all`. */
  readonly store?: string
  readonly agentDir?: string
  readonly sessionDir?: string
}

/** The options of every command, as commander reads them. */
export interface GlobalOptions extends StoreOptions {
  /** Where images and long texts are, a folder or an address; default: where the session's are. */
  readonly blobs?: string
  /** The folder whose sessions are meant; default: the current one. */
  readonly cwd?: string
  /** Search every folder. */
  readonly all?: boolean
  readonly json?: boolean
  /** False after `--no-color`. */
  readonly color?: boolean
  /** False after `--no-pager`. */
  readonly pager?: boolean
  /** False after `--no-input`: ask nothing. */
  readonly input?: boolean
  readonly quiet?: boolean
  /** As `store` with `all`, which the command has instead. */
  readonly allStores?: true
  readonly debug?: boolean
}
