import { cleanLine } from "@treelog-internal/text"
import type { StoreOptions } from "./command-context.js"

/** A command line to copy: the words, and the options that name the store. Clean. */
export function commandLine(words: readonly string[], { store, agentDir, sessionDir }: StoreOptions): string {
  const options = Object.entries({ "--store": store, "--agent-dir": agentDir, "--session-dir": sessionDir })
  const named = options.flatMap(([name, value]) => (value === undefined ? [] : [name, value]))
  return ["treelog", ...words, ...named].map((word) => shellWord(cleanLine(word))).join(" ")
}

/** Quoted as one word of a POSIX shell. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./~-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
