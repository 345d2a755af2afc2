import { textSource } from "./prompts.js"

/** Characters of a query that are typed one by one. */
const MOST_TYPED = 20

/** What is typed into the search of prompts, keystroke by keystroke, by kind. The same at each call. */
export function typedQueries(): Record<string, readonly string[]> {
  const { text, below } = textSource(77)
  const pick = (list: readonly string[]): string => list[below(list.length)] as string
  const word = (): string => pick(text().split(" "))
  const han = (length: number): string => {
    for (;;) {
      const [start, characters] = [below(20), [...text()]]
      if (characters.length > start + length && (characters[0] as string) > "\u3000")
        return characters.slice(start, start + length).join("")
    }
  }
  const sample = (count: number, make: () => string): string[] => Array.from({ length: count }, make)
  return {
    words: sample(40, word).flatMap(keystrokes),
    "two words": sample(30, () => `${word()} ${word()}`).flatMap(keystrokes),
    infixes: sample(40, () => word().slice(1)).flatMap(keystrokes),
    "1 Chinese character": sample(60, () => han(1)),
    "2 Chinese characters": sample(60, () => han(2)),
    "3 Chinese characters": sample(60, () => han(3)),
    "words that nobody used": sample(30, () => `${word()}qz`).flatMap(keystrokes),
  }
}

function keystrokes(query: string): string[] {
  const characters = [...query]
  return characters.slice(0, MOST_TYPED).map((_, at) => characters.slice(0, at + 1).join(""))
}
