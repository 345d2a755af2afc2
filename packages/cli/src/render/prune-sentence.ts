import type { SessionInfo } from "@treelog/session-core"
import type { KeptFor, PrunePlan } from "@treelog/session-core/adapter"
import { numberText, plural, sizeText } from "@treelog-internal/text"

const WHY: Readonly<Record<KeptFor, string>> = {
  named: "named",
  labelled: "labelled",
  leased: "in use by another process",
}

/** What was or would be deleted, what matches but is kept, and the next command. */
export function pruneSentence(
  { items, excess }: PrunePlan,
  found: readonly SessionInfo[],
  { rows, apply, failureText, inUse }: { rows: number; apply: boolean; failureText: string; inUse: number },
): string {
  const taken = items.filter(({ keptFor }) => keptFor === undefined)
  const bytes = taken.reduce((sum, item) => sum + item.bytes, 0)
  const unreadable = found.filter(({ error }) => error).length
  const kept = (Object.keys(WHY) as KeptFor[]).flatMap((why) => {
    const count = items.filter(({ keptFor }) => keptFor === why).length
    return count > 0 ? `${numberText(count)} ${WHY[why]}` : []
  })
  const went = `${numberText(rows)} of ${plural(found.length, "session")}, ${sizeText(bytes)}, ${apply ? "moved" : "would move"} to the trash`
  return [
    rows === 0 && failureText === ""
      ? "Nothing to delete."
      : `${failureText === "" ? went : `${went}, ${failureText}`}.`,
    kept.length > 0 ? `Kept: ${kept.join(", ")}.` : "",
    inUse > 0 ? `In use: ${numberText(inUse)} active within the last hour; --older-than 0 includes them.` : "",
    unreadable > 0 ? `Skipped: ${numberText(unreadable)} that cannot be read.` : "",
    excess > 0 ? `${sizeText(excess)} more than --max-size ${apply ? "is" : "would be"} left.` : "",
    !apply && rows > 0 ? "This was a dry run; --apply moves them." : "",
  ]
    .filter(Boolean)
    .join(" ")
}
