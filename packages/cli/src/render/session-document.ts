import type { SessionInfo } from "@treelog/session-core"
import { type Cost, costOf, type PriceUsage } from "@treelog/session-core/search"

/** A session of a list in a document: with its cost in place of the usage that it is made of. */
export function sessionDocument<Info extends SessionInfo>(
  { usages, ...info }: Info,
  price: PriceUsage | undefined,
): Omit<Info, "usages"> & { readonly cost?: Cost } {
  return { ...info, ...(usages && { cost: costOf(usages, price) }) }
}
