/** The words of a command line, as a shell would read it up to its end; the last one may be unfinished. */
export function shellWords(line: string): { words: string[]; last: string } {
  const words: string[] = []
  let word: string | undefined
  let start = 0
  let quote = ""
  for (let at = 0; at < line.length; at++) {
    const character = line[at] ?? ""
    // Shells split at these alone, not at the other white space of Unicode.
    if (quote === "" && /[ \t\r\n]/.test(character)) {
      if (word !== undefined) words.push(word)
      word = undefined
      continue
    }
    if (word === undefined) {
      word = ""
      start = at
    }
    if (character === quote) quote = ""
    else if (quote === "" && (character === '"' || character === "'")) quote = character
    else if (character === "\\" && quote !== "'") {
      at += 1
      word += line[at] ?? ""
    } else word += character
  }
  const isOpen = word !== undefined
  return { words: [...words, word ?? ""], last: isOpen ? line.slice(start) : "" }
}

export function bashQuoted(word: string): string {
  return word.replace(/[^\w@%+=:,./\u0080-\uffff-]/g, (character) => `\\${character}`)
}
