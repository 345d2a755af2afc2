import type { CommandDefinition, LoadCommand } from "../define/command.js"
import { EXIT, type ExitCode } from "../errors/exit-codes.js"
import type { CommandContext } from "../io/command-context.js"
import { type Candidate, complete, type LookUp } from "./completion/complete.js"
import { SHELLS, type Shell, scripts } from "./completion/scripts.js"
import { sessionCandidates, storeCandidates, trashedCandidates } from "./completion/session-candidates.js"

export const command: CommandDefinition = {
  job: "in scripts",
  summary: "print a completion script for a shell",
  description: "Print a script that makes a shell complete commands, options and sessions.",
  examples: [
    ["treelog completion fish | source", "in ~/.config/fish/config.fish"],
    ['eval "$(treelog completion bash)"', "in ~/.bashrc"],
    ['eval "$(treelog completion zsh)"', "in ~/.zshrc, after compinit"],
  ],
  arguments: [
    ["<shell>", "name of the shell", { choices: SHELLS }],
    ["[words...]", "after `--`: a command line; print completions of its last word"],
  ],
  run: completion,
}

/** Prints the script that a shell needs; or, with a command line, what its last word may become. */
async function completion(
  context: CommandContext,
  shell: Shell,
  line: readonly string[],
  _: object,
  load: LoadCommand,
): Promise<ExitCode> {
  const { io, options } = context
  if (line.length === 0) {
    if (options.json) await context.printJson({ shell, script: scripts[shell] })
    else await io.stdout.write(scripts[shell])
    return EXIT.ok
  }
  const { words, spell } = shell === "bash" ? bashLine(line) : { words: line, spell: spelled[shell] }
  const { kind, candidates } = await complete(load, words, lookUpIn(context))
  await context.report({ shell, kind, candidates }, [kind, ...candidates.map(spell)])
  return EXIT.ok
}

type Spell = (candidate: Candidate) => string

/** With its description, as the shells take that. */
const spelled: Readonly<Record<"zsh" | "fish", Spell>> = {
  zsh: ({ value, description = "" }) => `${value.replaceAll(":", "\\:")}:${description}`,
  fish: ({ value, description = "" }) => (description === "" ? value : `${value}\t${description}`),
}

/**
 * bash gives the whole line, and what it takes for the last word: it breaks words at `@` and the like, and puts a candidate in the
 * place of what is behind. Within quotes it takes them as they are.
 */
function bashLine([line = "", typed = ""]: readonly string[]): { words: readonly string[]; spell: Spell } {
  const { words, last } = shellWords(line)
  const isQuoted = /^["']/.test(last)
  const whole = isQuoted ? (words.at(-1) ?? "") : last
  const skipped = whole.endsWith(typed) ? whole.length - typed.length : 0
  return { words: words.slice(1), spell: ({ value }) => (isQuoted ? value : bashQuoted(value)).slice(skipped) }
}

/** Looks sessions up with the options of the typed line. */
function lookUpIn(whole: CommandContext): LookUp {
  return async (what, given, word) => {
    if (what === "store") return storeCandidates(whole, word)
    const context = whole.with(given)
    return what === "session" ? sessionCandidates(context, word) : trashedCandidates(context, word)
  }
}

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
