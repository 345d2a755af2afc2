/** A range of a text that looks like a secret. A finding does not contain the secret itself. */
export interface SecretFinding {
  /** The kind of secret, for display: `GitHub token`. */
  readonly kind: string
  /** UTF-16 units from the beginning of the text: `[start, end)`. */
  readonly start: number
  readonly end: number
}
