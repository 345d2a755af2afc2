import { isWordEdge, wordsBehind } from "./words.js"

/** Begin and end of a match in a text. UTF-16 units. */
export type MatchRange = readonly [from: number, to: number]

interface Part {
  readonly part: string | undefined
  readonly opensWord: boolean
}

interface Phrase {
  readonly words: readonly string[]
  readonly isPrefix: boolean
}

// Each text is read once, whatever is looked for: by the algorithm of Knuth, Morris and Pratt, for units and for words. No pattern is made of
// what a user typed.

/** Up to this length, what V8 searches for takes time in proportion to the text. UTF-16 units. */
const SHORT = 250

/** Where the characters of a text stand in another one: all places, in their order. */
function* placesOf(sought: string, folded: string): Generator<number> {
  if (sought.length > folded.length) return
  if (sought.length <= SHORT) {
    for (let at = folded.indexOf(sought); at !== -1; at = folded.indexOf(sought, at + 1)) yield at
    return
  }
  const borders = bordersOf(sought)
  let held = 0
  for (let at = 0; at < folded.length; at++) {
    held = nextLength(sought, borders, held, folded[at])
    if (held === sought.length) yield at + 1 - held
  }
}

/** Where the characters of a term stand in a folded text. */
export function* partsIn(folded: string, { part, opensWord }: Part): Generator<MatchRange> {
  if (part === undefined) return
  for (const at of placesOf(part, folded)) if (!opensWord || isWordEdge(folded, at)) yield [at, at + part.length]
}

/** Where the words of a term stand in a folded text, one behind the other; of a prefix, the last may go on. In their order. */
export function* phrasesIn(folded: string, { words, isPrefix }: Phrase): Generator<MatchRange> {
  const [first] = words
  if (first === undefined || words.length > folded.length) return
  const last = words.length > 1 ? words.at(-1) : undefined
  const borders = bordersOf(words)
  let at = 0
  for (const place of placesOf(first, folded)) {
    if (place < at || !isWordEdge(folded, place)) continue
    at = place + first.length
    if (last === undefined) {
      if (isPrefix || isWordEdge(folded, at)) yield [place, at]
      continue
    }
    /** Where the words begin that were read since `place`. */
    const starts: number[] = []
    let held = 0
    for (const { word, from } of wordsBehind(folded, place)) {
      starts.push(from)
      at = from + word.length
      const start = starts.at(-words.length)
      // Another one may begin within it.
      if (held === words.length) held = borders.at(-1) ?? 0
      const isLast = held === words.length - 1 && (isPrefix ? word.startsWith(last) : word === last)
      if (isLast && start !== undefined) yield [start, from + last.length]
      held = nextLength(words, borders, held, word)
      if (held === 0) break
    }
  }
}

/** For each beginning of a sequence, the length of the longest shorter one that it ends with. */
function bordersOf(sequence: string | readonly string[]): number[] {
  const borders = [0]
  for (let at = 1; at < sequence.length; at++)
    borders.push(nextLength(sequence, borders, borders[at - 1] ?? 0, sequence[at]))
  return borders
}

/** How many items of a sequence were read last, after the next item, where `held` of them were read before it. */
function nextLength(
  sequence: string | readonly string[],
  borders: readonly number[],
  held: number,
  next: string | undefined,
): number {
  let length = held
  while (length > 0 && sequence[length] !== next) length = borders[length - 1] ?? 0
  return sequence[length] === next ? length + 1 : length
}
