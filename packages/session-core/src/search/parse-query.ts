import { FILTER_NAMES } from "../entry/filters.js"
import { TreelogError } from "../errors.js"
import { QUERY_VALUES, type SearchQuery, type SearchTerm, type TextRole } from "../ports/session-index.js"
import { timeSpan } from "./time-span.js"

/** What stands behind `role:`. */
const ROLES: Readonly<Record<(typeof QUERY_VALUES.role)[number], readonly TextRole[]>> = {
  user: ["user"],
  assistant: ["assistant"],
  thinking: ["thinking"],
  tool: ["toolCall", "toolResult"],
  call: ["toolCall"],
  result: ["toolResult"],
  summary: ["summary"],
  label: ["label"],
  name: ["name"],
  other: ["other"],
}

/** A filter: `key:value`, `key:"some values"`. */
const FILTER = new RegExp(
  `^(role|cwd|since|until|tool|file|label|session|${FILTER_NAMES.join("|")}):(?:"([^"]*)"?|(\\S*))`,
)
/** Times of two words need no quotes: a shell removes those of `since:"last week"`. */
const NAMED_TIME = /^(since|until):((?:this|last)\s+(?:week|month|year))(?!\S)/
/** `"a phrase"`, `word*`, `-excluded`; `--flag` is a word. A quote that is not closed goes to the end. */
const TERM = /^(-(?!-))?(?:"([^"]*)"?|(\S+))/

/**
 * Reads what a user typed: words, all of which must be there; `"phrases"`; `-excluded` words; `prefix*`; and filters: `role:` (one
 * of `QUERY_VALUES`), those of `FILTERS`, such as `agent:`, `cwd:`, `since:` and `until:` (see `timeSpan`), `tool:`, `file:`, `label:`, `session:`. Anything else is a word, whatever signs it has: also `--flag`, and `-f` where nothing else is asked for.
 * @param now milliseconds since 1970
 * @throws InvalidArgumentError for an unknown role or time
 */
export function parseQuery(text: string, now: number): SearchQuery {
  const terms: SearchTerm[] = []
  let filters: Omit<SearchQuery, "terms"> = {}
  for (let rest = text.trimStart(); rest !== ""; ) {
    const filter = NAMED_TIME.exec(rest) ?? FILTER.exec(rest)
    const value = filter?.[2] ?? filter?.[3] ?? ""
    const match = filter && value !== "" ? filter : (TERM.exec(rest) as RegExpExecArray)
    if (match === filter) filters = withFilter(filters, filter?.[1] as string, value, now)
    else terms.push(...termOf(match))
    rest = rest.slice(match[0].length).trimStart()
  }
  const areFlags =
    Object.keys(filters).length === 0 &&
    text
      .trim()
      .split(/\s+/)
      .every((word) => /^-\w/.test(word))
  return { terms: areFlags ? terms.map(pastedFlag) : terms, ...filters }
}

/** What would be everything without a word is rather a flag, as it was copied. */
function pastedFlag({ isExcluded: _, text, ...term }: SearchTerm): SearchTerm {
  return { text: `-${text}`, ...term }
}

function termOf([, minus, phrase, word]: RegExpExecArray): SearchTerm[] {
  const isPrefix = phrase === undefined && word !== undefined && word.length > 1 && word.endsWith("*")
  const text = phrase ?? (isPrefix ? word.slice(0, -1) : (word ?? ""))
  if (text.trim() === "") return []
  return [{ text, ...(isPrefix && { isPrefix }), ...(minus === "-" && { isExcluded: true }) }]
}

function withFilter(query: SearchQuery, key: string, value: string, now: number): SearchQuery {
  switch (key) {
    case "since":
      return { ...query, since: timeSpan(value, now).from }
    case "until":
      return { ...query, until: timeSpan(value, now).to }
    case "role":
      return { ...query, roles: [...new Set([...(query.roles ?? []), ...rolesOf(value)])] }
    default:
      return { ...query, [key]: value }
  }
}

function rolesOf(name: string): readonly TextRole[] {
  const known = QUERY_VALUES.role.find((role) => role === name.toLowerCase())
  if (known) return ROLES[known]
  const message = `${JSON.stringify(name)} is not a role: use one of ${QUERY_VALUES.role.join(", ")}.`
  throw new TreelogError("InvalidArgumentError", message, { argument: "role", value: name })
}
