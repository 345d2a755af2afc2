/**
 * What the median of one contender's figure should reach; it stands with a case. One of `atLeast`, `atMost` and `within`
 * says how much, and `beside` or `besideCase` says compared with what.
 */
export type Bar = {
  readonly contender: string
  /** `ms` (default), `cpuMs`, `sinceStartMs`, `peakRss` (in bytes), or what the work measured on its own. */
  readonly figure?: string
} & Wish

type Wish =
  /** The other's figure is so many times this one's: `beside: "pi", atLeast: 20` is 20 times as fast as pi. */
  | { readonly beside: string; readonly atLeast: number }
  /** This one's figure is so many times the other's. */
  | { readonly beside: string; readonly atMost: number }
  /** This one's figure is so much above the other's, in its unit. */
  | { readonly beside: string; readonly within: number }
  /** The figure of this contender in another case of the question, both divided by the sizes of their cases. */
  | { readonly besideCase: string; readonly atMost: number }
  /** The figure itself. */
  | { readonly atMost: number }

/** Bars on memory are in bytes. */
export const MB = 1_000_000
