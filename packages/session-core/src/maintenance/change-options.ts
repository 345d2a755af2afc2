/** For functions that change a stored session as a whole. */
export interface ChangeOptions {
  /** Where `@last` and names look. Default: everywhere. */
  readonly cwd?: string | undefined
  /** Report what would be done, and write nothing. Default false. */
  readonly dryRun?: boolean | undefined
}
