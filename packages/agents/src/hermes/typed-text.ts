/** Before a prompt that names a skill, or several, stands what they say. Earlier versions said SYSTEM. */
const INVOKED = /^\[(?:IMPORTANT|SYSTEM): The user has invoked the "([^"]*)"/
/** Before the first prompt of a channel that has a skill of its own. */
const LOADED = /^\[IMPORTANT: The "([^"]*)" skill is auto-loaded\./
/** The last words of a skill that is loaded. */
const END_OF_SKILL = "then run them with the terminal tool using the absolute path."
const INSTRUCTION = "The user has provided the following instruction alongside the skill invocation: "
const RUNTIME_NOTE = "\n\n[Runtime note:"
/** Of several skills, the instruction stands before them. */
const BUNDLE = " skill bundle,"
const OF_BUNDLE = "\nUser instruction: "
const FIRST_OF_BUNDLE = "\n\n[Loaded as part of the "

/** What the user typed of a prompt with skills, as the lists of Hermes show it: `/review check it`. Undefined of one without. */
export function typedText(text: string): string | undefined {
  const loaded = LOADED.exec(text)?.[1]
  const named = INVOKED.exec(text)?.[1]
  if (loaded !== undefined) return between(text, text.lastIndexOf(END_OF_SKILL), END_OF_SKILL) || `/${loaded}`
  if (named === undefined) return undefined
  const instruction = text.includes(BUNDLE)
    ? between(text, text.indexOf(OF_BUNDLE), OF_BUNDLE, FIRST_OF_BUNDLE)
    : between(text, text.lastIndexOf(INSTRUCTION), INSTRUCTION, RUNTIME_NOTE)
  return `${named.startsWith("/") ? "" : "/"}${named} ${instruction}`.trim()
}

/** What stands behind a mark, which is at a place, before another one or the end; nothing where it is not there. */
function between(text: string, at: number, mark: string, end?: string): string {
  const behind = at < 0 ? "" : text.slice(at + mark.length)
  const to = end === undefined ? -1 : behind.indexOf(end)
  return (to < 0 ? behind : behind.slice(0, to)).trim()
}
