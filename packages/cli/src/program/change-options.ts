/** What every command takes that changes a stored session as a whole. */
export interface ChangeCommandOptions {
  /** Say what would be done, and do nothing. */
  readonly dryRun?: boolean
}
