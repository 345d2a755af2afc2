import { fitsModel, type foldTerms, foldText, isSpaced, type SearchQuery, wordsOf } from "@treelog/session-core/search"
import type { SqliteConnection, SqliteValue } from "@treelog-internal/sqlite"
import { modelToken, roleToken, sessionToken, toolToken, WITHIN_WORDS } from "../tokens/mark-tokens.js"
import { HAS_NEIGHBOURS, neighbourValues } from "../tokens/neighbours.js"
import { pairsOf } from "../tokens/pairs.js"
import { quoteToken } from "../tokens/quote-token.js"
import type { FittingSessions } from "./session-filter.js"
import type { WordParts } from "./word-parts.js"

type FoldedTerm = ReturnType<typeof foldTerms>[number]

// What FTS5 is asked for. Each condition holds for every text that the term matches, and for some others: what is found is compared with
// the text itself. Nothing that a user typed is syntax.

/** With more sessions, the session of each found row is checked instead. */
const MOST_SESSIONS = 300

/** What FTS5 is asked for rows with ids below `before`. */
export interface QueryExpression {
  /** Undefined if every row can match. */
  readonly expression: string | undefined
  /** What must hold of the neighbours of words besides. */
  readonly neighbours: readonly NeighbourCondition[]
  /** Other rows need another expression. */
  readonly before: number
}

/** The conditions of a query that are the same for all rows. Undefined if no row can match. */
export function filterConditions(
  connection: SqliteConnection,
  query: SearchQuery,
  fitting: FittingSessions,
): string[] | undefined {
  const conditions: string[] = []
  const oneOf = (tokens: readonly string[]): boolean => {
    if (tokens.length > 0) conditions.push(`(${tokens.map(quoteToken).join(" OR ")})`)
    return tokens.length > 0
  }
  if (query.roles !== undefined && query.roles.length > 0) oneOf(query.roles.map(roleToken))
  if (query.label !== undefined) oneOf([roleToken("label")])
  const { tool } = query
  if (tool !== undefined) {
    const folded = foldText(tool)
    if (!oneOf(namesThat(connection, (name) => foldText(name) === folded).map(toolToken))) return undefined
  }
  if (!fitsModel(query, undefined) && !oneOf(namesThat(connection, (name) => fitsModel(query, name)).map(modelToken)))
    return undefined
  if (fitting?.size === 0) return undefined
  if (fitting !== undefined && fitting.size <= MOST_SESSIONS) oneOf([...fitting.keys()].map(sessionToken))
  return conditions
}

export function queryExpression(
  parts: WordParts,
  filters: readonly string[],
  terms: readonly FoldedTerm[],
  effort: Effort,
): QueryExpression {
  const found = terms.map((term) => termCondition(parts, term, effort))
  const conditions = [
    ...filters,
    ...found.flatMap(({ expression }) => (expression === undefined ? [] : `(${expression})`)),
  ]
  const excluded = terms.flatMap((term) => excludedWord(term) ?? [])
  const before = Math.min(Number.POSITIVE_INFINITY, ...found.map((one) => one.before))
  const neighbours = found.flatMap((one) => one.neighbours ?? [])
  if (conditions.length === 0) return { expression: undefined, neighbours, before }
  const all = conditions.join(" AND ")
  return { expression: excluded.length > 0 ? `(${all}) NOT (${excluded.join(" OR ")})` : all, neighbours, before }
}

function namesThat(connection: SqliteConnection, fits: (name: string) => boolean): number[] {
  const names = connection.sql("SELECT n, text FROM name").all<{ n: number; text: string }>()
  return names.filter(({ text }) => fits(text)).map(({ n }) => n)
}

/** The condition of a term for rows with ids below `before`. */
interface TermCondition {
  /** Undefined if it holds for every row. */
  readonly expression: string | undefined
  /** What must hold of the neighbours besides; undefined if nothing. */
  readonly neighbours: NeighbourCondition | undefined
  /** Other rows need another condition. */
  readonly before: number
}

/** A condition in SQL for the columns of `neighbours`, and its values. */
export interface NeighbourCondition {
  readonly sql: string
  readonly values: readonly SqliteValue[]
}

const ALWAYS: TermCondition = { expression: undefined, neighbours: undefined, before: Number.POSITIVE_INFINITY }

/** How much is looked for. */
interface Effort {
  /** About how many words with a part. */
  readonly words: number
  /** Whether a beginning of very many words is not looked for: the newest texts, most of which have one of them, are read instead. */
  readonly isFirst: boolean
}

function termCondition(parts: WordParts, term: FoldedTerm, { words: most, isFirst }: Effort): TermCondition {
  if (term.isExcluded || (isFirst && isOften(parts, term))) return ALWAYS
  if (term.opensWord && term.part !== undefined && !term.isPrefix && term.words.every(isSpaced))
    return phraseCondition(parts, term, most)
  const expression = wordConditions(parts, term)
  const last = term.words.length - 1
  const words = term.words.map((word, at) => (term.isPrefix && at === last ? undefined : [word]))
  const neighbours = neighbourCondition(words)
  const whole: TermCondition = { expression, neighbours, before: ALWAYS.before }
  const within = term.part === undefined ? undefined : partCondition(parts, term, most)
  return within === undefined ? whole : either(whole, within)
}

/** The condition of whole words, or that of a part of a word, if it is needed. */
function either(whole: TermCondition, part: TermCondition): TermCondition {
  if (part.expression === undefined) return { ...whole, before: part.before }
  if (whole.expression === undefined) return part
  return {
    expression: `(${whole.expression}) OR (${part.expression})`,
    neighbours: eitherNeighbours(whole.neighbours, part.neighbours),
    before: part.before,
  }
}

/** The condition of whole words; in texts that terms match by their characters, that of a part of a word. */
function eitherNeighbours(
  whole: NeighbourCondition | undefined,
  part: NeighbourCondition | undefined,
): NeighbourCondition | undefined {
  return (
    whole && {
      sql: `(${whole.sql} OR (within AND ${part?.sql ?? 1}))`,
      values: [...whole.values, ...(part?.values ?? [])],
    }
  )
}

/** Of a phrase, which begins where a word does: its last word may go on in texts that terms match by their characters. */
function phraseCondition(parts: WordParts, { words }: FoldedTerm, most: number): TermCondition {
  const [first, last] = [words.slice(0, -1), words.at(-1) as string]
  const found = parts.find(last, { isStart: true, isEnd: false }, most)
  const longer = found?.tokens.filter((token) => token !== last)
  const within = quoteToken(WITHIN_WORDS)
  const ends = [quoteToken(last)]
  if (longer === undefined) ends.push(within)
  else if (longer.length > 0) ends.push(`(${within} AND (${longer.map(quoteToken).join(" OR ")}))`)
  const exact = words.map((word) => [word])
  const goingOn = [...exact.slice(0, -1), longer && [last, ...longer]]
  return {
    expression: longest([...new Set(first.map(quoteToken)), `(${ends.join(" OR ")})`]).join(" AND "),
    neighbours: eitherNeighbours(neighbourCondition(exact), neighbourCondition(goingOn)),
    before: found?.before ?? ALWAYS.before,
  }
}

/** Whether a term is the beginning of very many words. */
export function isOften(parts: WordParts, { words, isPrefix, isExcluded }: FoldedTerm): boolean {
  const [word, ...others] = words
  return isPrefix && !isExcluded && others.length === 0 && word !== undefined && isSpaced(word) && parts.isOften(word)
}

/** The words of an excluded term that no text may have; undefined if that takes more than looking for one word. */
function excludedWord({ words, isPrefix, isExcluded }: FoldedTerm): string | undefined {
  const [word, ...others] = words
  if (!isExcluded || isPrefix || word === undefined || others.length > 0) return undefined
  return isSpaced(word) ? quoteToken(word) : undefined
}

/** So many tokens of a term narrow a search as far as all of them, and FTS5 refuses expressions of very many. */
const MOST_TOKENS = 32

function longest(conditions: string[]): readonly string[] {
  if (conditions.length <= MOST_TOKENS) return conditions
  return conditions.sort((a, b) => b.length - a.length).slice(0, MOST_TOKENS)
}

/** Every text with the words of the term has these tokens. */
function wordConditions(parts: WordParts, { words, isPrefix }: FoldedTerm): string | undefined {
  const last = words.length - 1
  const from = (prefix: string): string => {
    const found = parts.wordsFrom(prefix)
    // FTS5 has no condition that never holds.
    return found === undefined || found.length === 0
      ? `${quoteToken(prefix)}*`
      : `(${found.map(quoteToken).join(" OR ")})`
  }
  const tokens = words.flatMap((word, at) => {
    const mayGoOn = isPrefix && at === last
    if (!isSpaced(word)) return pairsOf(word).map((pair) => (mayGoOn && pair === word ? from(pair) : quoteToken(pair)))
    return mayGoOn ? from(word) : quoteToken(word)
  })
  if (tokens.length === 0) return undefined
  return longest([...new Set(tokens)]).join(" AND ")
}

/** Two words of a part that can be so many pairs narrow a search no further, and no search by so many pairs. */
const [MOST_PAIRS, MOST_NEIGHBOURS] = [16, 8]

/** Of every text that has words one behind the other. @param words what each of them can be; undefined if that is not known */
function neighbourCondition(words: readonly (readonly string[] | undefined)[]): NeighbourCondition | undefined {
  const pairs = words.slice(1).flatMap((next, at) => {
    const word = words[at]
    if (word === undefined || next === undefined || word.length * next.length > MOST_PAIRS) return []
    return [{ word, next }]
  })
  const tested = pairs
    .slice(0, MOST_NEIGHBOURS)
    .map(({ word, next }) => word.flatMap((one) => next.map((other) => neighbourValues(one, other))))
  if (tested.length === 0) return undefined
  return {
    sql: tested.map((bits) => `(${bits.map(() => HAS_NEIGHBOURS).join(" OR ")})`).join(" AND "),
    values: tested.flat(2),
  }
}

/**
 * Every text that contains the part has these tokens; an undefined expression if the condition for whole words holds for all of these texts.
 * Undefined if no text can contain the part.
 */
function partCondition(parts: WordParts, { part = "", isPrefix }: FoldedTerm, most: number): TermCondition | undefined {
  const conditions = [quoteToken(WITHIN_WORDS)]
  let { before } = ALWAYS
  // Most words are part of no other. FTS5 would join the same rows by two conditions.
  let isByWords = true
  const whole: (readonly string[] | undefined)[] = []
  const placed = placedWords(part)
  for (const { text, opensAt, closesAt } of placed) {
    const [isFirst, isLast] = [opensAt === 0, closesAt === part.length]
    whole.push(isFirst || isLast ? undefined : [text])
    if (!isSpaced(text)) {
      conditions.push(...pairsOf(text).map(quoteToken))
      // Where it is a part of a word, that word has the neighbours.
      if (placed.length > 1 && (isFirst || isLast)) isByWords = false
    } else if (!isFirst && !isLast) conditions.push(quoteToken(text))
    else {
      const words = parts.find(text, { isStart: !isFirst, isEnd: !isLast }, most)
      isByWords &&=
        words?.tokens.every((token) => (isPrefix && isLast ? token.startsWith(text) : token === text)) ?? false
      if (words === undefined) continue
      if (words.tokens.length === 0) return undefined
      whole[whole.length - 1] = words.tokens
      conditions.push(`(${words.tokens.map(quoteToken).join(" OR ")})`)
      before = Math.min(before, words.before)
    }
  }
  // Without a word, there is only this condition.
  const isNeeded = !isByWords || conditions.length === 1
  const expression = isNeeded ? longest(conditions).join(" AND ") : undefined
  return { expression, neighbours: neighbourCondition(whole), before }
}

interface PlacedWord {
  readonly text: string
  readonly opensAt: number
  readonly closesAt: number
}

function placedWords(part: string): PlacedWord[] {
  let from = 0
  return wordsOf(part).map((text) => {
    const opensAt = part.indexOf(text, from)
    from = opensAt + text.length
    return { text, opensAt, closesAt: from }
  })
}
