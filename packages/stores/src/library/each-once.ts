import type { SessionInfo } from "@treelog/session-core"
import { listedSession } from "@treelog/session-core/adapter"
import type { IndexedSession } from "@treelog/session-core/search"
import { type Candidate, compareCopies } from "./conversation.js"
import type { Source } from "./source.js"

/** Something that was found in a session. */
interface FoundIn {
  readonly source: Source
  readonly session: IndexedSession
}

/**
 * Drops what several sessions have in common from all of them but one: from copies of a conversation but the face of those that have it, and from
 * others, such as forks, but the oldest. Keeps the order.
 * @param nameOf a text that is equal for what sessions have in common
 */
export async function eachOnce<Found extends FoundIn>(
  found: readonly Found[],
  sources: readonly Source[],
  nameOf: (one: Found) => string,
): Promise<Found[]> {
  const placeOf = ({ source, session }: FoundIn): string => `${sources.indexOf(source)} ${session.key}`
  const placesOf = new Map<string, Set<string>>()
  const places = new Map<string, FoundIn>()
  for (const one of found) {
    const [name, place] = [nameOf(one), placeOf(one)]
    placesOf.set(name, (placesOf.get(name) ?? new Set()).add(place))
    places.set(place, one)
  }
  const known = new Map<string, Known>()
  for (const own of placesOf.values())
    if (own.size > 1)
      for (const place of own) if (!known.has(place)) known.set(place, await knownOf(places.get(place) as FoundIn))
  if (known.size === 0) return [...found]
  const compare = comparePlaces(sources)
  const firsts = new Map<string, string>()
  for (const [name, own] of placesOf)
    firsts.set(
      name,
      [...own].reduce((one, other) => (own.size > 1 && compare(known.get(other), known.get(one)) < 0 ? other : one)),
    )
  return found.filter((one) => firsts.get(nameOf(one)) === placeOf(one))
}

interface Known extends Candidate {
  readonly info: Pick<SessionInfo, "id" | "created" | "modified" | "agent">
}

async function knownOf({ source, session }: FoundIn): Promise<Known> {
  const listed = await listedSession(source.storage, session.key)
  return { source, path: session.key, info: listed ?? { ...session, modified: Number.NEGATIVE_INFINITY } }
}

function comparePlaces(sources: readonly Source[]): (a: Known | undefined, b: Known | undefined) => number {
  const compare = compareCopies(sources)
  return (a, b) => {
    if (!a || !b) return 0
    return (a.info.id === b.info.id ? 0 : a.info.created - b.info.created) || compare(a, b)
  }
}
