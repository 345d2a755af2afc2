import { isWritable } from "@treelog/session-core/adapter"
import type { EntryName, IndexFilter, SessionIndex } from "@treelog/session-core/search"
import type { Source } from "./source.js"

type Sums = Pick<SessionIndex, "usageQuarters" | "usageTimes" | "usageEntries">

/** An index of which sums are asked. */
interface Summed {
  readonly index: Sums
  readonly filter: IndexFilter
  readonly source: Origin
  quarters?: ReadonlySet<number>
}

/** Where entries are. */
type Origin = Pick<Source, "madeBy" | "storage">

/** Whether sessions of one may be copies of the other's: those of two agents, where both are converted, are not, though their ids may be equal. */
function mayShare(a: Origin, b: Origin): boolean {
  return isWritable(a.storage) || isWritable(b.storage) || a.madeBy === b.madeBy
}

/** Finds entries that several indexes have, so that their usage counts once: in the first of them. */
export class CountedEntries {
  readonly #before: Summed[] = []

  /** What an earlier index has of this one, too, which counts before the next: most have nothing of one quarter of an hour in common. */
  async copiesIn(index: Sums, filter: IndexFilter, source: Origin): Promise<EntryName[]> {
    const own: Summed = { index, filter, source }
    const copies: EntryName[][] = []
    for (const before of this.#before) {
      if (!mayShare(before.source, source)) continue
      const quarters = await quartersOf(before)
      const shared = [...(await quartersOf(own))].filter((quarter) => quarters.has(quarter))
      if (shared.length === 0) continue
      copies.push(await before.index.usageEntries(before.filter, await index.usageTimes(filter, shared)))
    }
    this.#before.push(own)
    return copies.flat()
  }
}

/** Asked once, whatever it is compared with. */
async function quartersOf(summed: Summed): Promise<ReadonlySet<number>> {
  summed.quarters ??= new Set(await summed.index.usageQuarters(summed.filter))
  return summed.quarters
}
