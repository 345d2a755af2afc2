/** The options that every command takes, as commander reads them. */
export interface GlobalOptions {
  readonly store?: "treelog" | "pi" | "xcsh" | "omp"
  readonly agentDir?: string
  readonly sessionDir?: string
  /** Where images and long texts are; default: where the session's are. */
  readonly blobs?: string
  /** The folder whose sessions are meant; default: the current one. */
  readonly cwd?: string
  /** Search every folder. */
  readonly all?: boolean
  readonly json?: boolean
  /** False after `--no-color`. */
  readonly color?: boolean
  /** False after `--no-input`: nobody is to be asked anything. */
  readonly input?: boolean
  readonly quiet?: boolean
  readonly debug?: boolean
}

/** What every command takes that changes a stored session as a whole. */
export interface ChangeCommandOptions {
  /** Print what would change, and change nothing. */
  readonly dryRun?: boolean
}
