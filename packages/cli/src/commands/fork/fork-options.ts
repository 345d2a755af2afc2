export interface ForkOptions {
  /** Copy only the path to this entry. */
  readonly leaf?: string
  /** Copy only the path up to this message, without it. */
  readonly before?: string
  /** Let the user choose that message. */
  readonly interactive?: boolean
  /** The folder that the copy belongs to. */
  readonly to?: string
}
