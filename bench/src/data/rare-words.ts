import type { Random } from "@treelog-internal/test-kit/generator"

// The words of generated texts are few, so that each is in most texts. Some are replaced by others of a large vocabulary, whose shares
// are those of a language (Zipf): a few are in many texts, most in one or two.

/** Words of the generator that others take the place of: about one of twelve. */
const REPLACED = / (?:cursor|offset|limit|lexer|chunk|stream|trace|node|volume)\b/g
const VOCABULARY = 200_000
const SYLLABLES =
  "ba ko ri me tu lo sa ni de pu ga vo ze fi ha jo ku la mo ne pi qua re su te ul va wi xe yo za br cl dr fl gr ind ken lor man nor pen ran sol tan ver win zor ack ell ist orm unt ash erk ilm onk und arp ept ift obs uck elf".split(
    " ",
  )

/** The word with a rank: from 0, the most frequent one, on. */
export function rareWord(rank: number): string {
  // Neighbours in rank have nothing in common.
  const mixed = Math.imul(rank + 1, 0x9e3779b1) >>> 14
  return [mixed >>> 12, mixed >>> 6, mixed].map((part) => SYLLABLES[part & 63]).join("")
}

export function withRareWords(line: string, random: Random): string {
  return line.replace(REPLACED, () => ` ${rareWord(Math.floor(VOCABULARY ** random.next()) - 1)}`)
}
