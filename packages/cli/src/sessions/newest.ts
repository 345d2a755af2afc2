/** The session that reading commands mean when none is named. */
export const NEWEST = "@last"
