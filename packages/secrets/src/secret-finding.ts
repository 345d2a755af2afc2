/** A stretch of a text that looks like a secret. The secret itself is never part of a finding. */
export interface SecretFinding {
  /** What it looks like, in plain words: `GitHub token`. */
  readonly kind: string
  /** UTF-16 units from the beginning of the text: `[start, end)`. */
  readonly start: number
  readonly end: number
}
