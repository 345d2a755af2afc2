import type { CopyChoice, HitPart, IndexedSession, SessionHits } from "../ports/session-index.js"
import { oldestFirst } from "./copy-order.js"
import type { EntryText, PlacedFacts } from "./entry-facts.js"
import type { FoldedTerm } from "./match-text.js"
import { placeOf } from "./part-of-session.js"
import { snippetOf } from "./snippet.js"
import { countWordStarts } from "./words.js"

/** A text that a search found. */
export interface FoundText {
  readonly session: IndexedSession
  /** The part of the session that has it. */
  readonly part?: HitPart | undefined
  readonly facts: PlacedFacts
  readonly text: EntryText
  /** The text, folded. */
  readonly folded: string
}

/** Of one time, the last in a session comes first, and of one place that of the oldest session. */
export function newestFirst(a: FoundText, b: FoundText): number {
  return b.facts.time - a.facts.time || b.facts.offset - a.facts.offset || oldestFirst(a.session, b.session)
}

/** The first text of each session. */
export function firstOfEach<Text extends FoundText>(found: readonly Text[]): Text[] {
  const seen = new Set<string>()
  return found.filter(({ session }) => !seen.has(placeOf(session)) && seen.add(placeOf(session)))
}

/** What was found in a session, or in a part of one. */
interface FoundIn {
  readonly session: IndexedSession
  readonly part?: HitPart | undefined
}

/**
 * Names of each hit the copy of its conversation that the query chooses, of those that have the entry.
 * @param copiesOf the entry in all sessions that fit, with itself
 */
export async function inFaces<Found extends FoundIn & { readonly facts: Pick<PlacedFacts, "id" | "content"> }>(
  found: readonly Found[],
  copiesOf: (one: Found) => readonly FoundIn[],
  { faceOf }: CopyChoice,
): Promise<Found[]> {
  if (!faceOf) return [...found]
  const named: Found[] = []
  for (const one of found) {
    const copies = copiesOf(one).filter(({ session }) => session.id === one.session.id)
    const sessions = new Map(copies.map(({ session }) => [placeOf(session), session]))
    if (sessions.size < 2) named.push(one)
    else {
      const face = placeOf(await faceOf([...sessions.values()]))
      named.push({ ...one, ...copies.find(({ session }) => placeOf(session) === face) })
    }
  }
  return named
}

/** Hits in their order, by session. */
export function groupedHits(
  found: readonly FoundText[],
  terms: readonly FoldedTerm[],
  snippet: number | undefined,
): SessionHits[] {
  const groups = new Map<string, SessionHits & { hits: SessionHits["hits"][number][] }>()
  for (const { session, part: ofSession, facts, text, folded } of found) {
    const group = groups.get(placeOf(session)) ?? { session, hits: [] }
    groups.set(placeOf(session), group)
    const { role, model, tool, part = ofSession } = text
    group.hits.push({
      entryId: facts.targetId ?? facts.id,
      role,
      time: text.time ?? facts.time,
      content: facts.content,
      ...(model !== undefined && { model }),
      ...(tool !== undefined && { tool }),
      ...(part !== undefined && { part }),
      snippet: snippetOf(text.text, terms, role, snippet, folded),
    })
  }
  return [...groups.values()]
}

// BM25, as indexes of words have it: a rare term counts more, a term more often in a text counts more, and less in a long text.
const SATURATION = 1.2
const LENGTH_SHARE = 0.75

/** Sorts texts by relevance: those first that have the words of the terms most often. */
export function byRelevance(found: readonly FoundText[], terms: readonly FoldedTerm[]): FoundText[] {
  const average = found.reduce((sum, { folded }) => sum + folded.length, 0) / Math.max(1, found.length)
  const sought = terms.filter(({ isExcluded }) => !isExcluded).flatMap((term) => term.words)
  const scores = found.map(({ folded }) => {
    const norm = SATURATION * (1 - LENGTH_SHARE + (LENGTH_SHARE * folded.length) / Math.max(1, average))
    return sought.reduce((score, word) => {
      const count = countWordStarts(folded, word)
      return score + (count * (SATURATION + 1)) / (count + norm)
    }, 0)
  })
  return found
    .map((one, at) => ({ one, score: scores[at] ?? 0 }))
    .sort((a, b) => b.score - a.score || newestFirst(a.one, b.one))
    .map(({ one }) => one)
}
