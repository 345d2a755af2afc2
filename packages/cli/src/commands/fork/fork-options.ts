export interface ForkOptions {
  /** Copy only the way to this entry. */
  readonly leaf?: string
  /** Copy only the way to what precedes this message. */
  readonly before?: string
  /** Let the user choose that message. */
  readonly interactive?: boolean
  /** The folder that the copy belongs to. */
  readonly to?: string
}
