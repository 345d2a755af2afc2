import { sourceOf } from "@treelog/session-core/adapter"
import {
  entryFacts,
  FileOperations,
  filesThatFit,
  fitsSession,
  fitsText,
  fitsTime,
  foldTerms,
  foldText,
  matchesAll,
  type PlacedFacts,
  type SearchHit,
  type SearchQuery,
  snippetOf,
} from "@treelog/session-core/search"
import type { PageSession } from "./page-session.js"

type EntryText = PlacedFacts["texts"][number]

type EntryFacts = ReturnType<typeof entryFacts>

type FoldedTerm = ReturnType<typeof foldTerms>[number]

type Snippet = SearchHit["snippet"]

/**
 * Searches the texts of all entries as an index of sessions does, in file order: yields the entry to show, for a label the labelled one.
 * Yields undefined after an entry without a match, so that the caller can pause.
 */
export function* searchEntries(session: PageSession, query: SearchQuery): Generator<number | undefined> {
  if (!isSessionSought(session, query) || !(yield* touchesFile(session, query.file))) return
  const terms = foldTerms(query.terms)
  const words = terms.flatMap((term) => (term.isExcluded ? [] : term.words))
  const found = new Set<number>()
  for (let ordinal = 0; ordinal < session.count; ordinal++) {
    const facts = mayContain(session, ordinal, words) ? entryFacts(session.entry(ordinal)) : undefined
    const shown = facts && textThatFits(facts, query, terms) ? shownEntry(session, ordinal, facts) : undefined
    if (shown === undefined || found.has(shown)) yield undefined
    else {
      found.add(shown)
      yield shown
    }
  }
}

/** The part of an entry that a search found it by, or else its beginning. */
export function snippetAt(session: PageSession, ordinal: number, query: SearchQuery): Snippet {
  const entry = session.entry(ordinal)
  const terms = foldTerms(query.terms)
  const label = session.labels.get(entry.id)?.label
  const labelText: EntryText | undefined = label === undefined ? undefined : { role: "label", text: label }
  const facts = entryFacts(entry)
  const found = textThatFits(facts, query, terms) ?? labelText ?? facts.texts[0]
  return snippetOf(found?.text ?? session.summary(ordinal).text, terms, found?.role ?? "other")
}

function isSessionSought({ header, name = "" }: PageSession, query: SearchQuery): boolean {
  const { id = "", cwd } = header ?? {}
  // Whose session it is that names no agent, the page cannot tell.
  const agent = sourceOf(header ?? {}).agent ?? query.agent
  const sought = { key: "", id, cwd: typeof cwd === "string" ? cwd : "", name, created: 0, ...(agent && { agent }) }
  return fitsSession(query, sought)
}

/** Whether the session read or changed a file, if one is requested: a call that failed did not. */
function* touchesFile(session: PageSession, path: SearchQuery["file"]): Generator<undefined, boolean> {
  if (path === undefined) return true
  const files = new FileOperations()
  for (let ordinal = 0; ordinal < session.count; ordinal++) {
    const entry = session.entry(ordinal)
    files.addEntry(entry)
    files.addResult(entry)
    // The entry of a part has lists of its own.
    if (entry.type === "custom") {
      const { readFiles, changedFiles } = entryFacts(entry)
      files.addLists({ readFiles, modifiedFiles: changedFiles })
    }
    yield undefined
  }
  const { readFiles, modifiedFiles } = files.lists()
  return filesThatFit({ readFiles, changedFiles: modifiedFiles }, { path }).length > 0
}

/** Whether an entry can contain all words: its line has them, or may have them escaped. Avoids parsing most entries. */
function mayContain(session: PageSession, ordinal: number, words: readonly string[]): boolean {
  const line = words.length === 0 ? undefined : session.line(ordinal)
  if (line === undefined || line.includes("\\u")) return true
  const folded = foldText(line)
  return words.every((word) => folded.includes(word))
}

function textThatFits(facts: EntryFacts, query: SearchQuery, terms: readonly FoldedTerm[]): EntryText | undefined {
  if (!fitsTime(query, facts.time)) return undefined
  const label = foldText(query.label ?? "")
  return facts.texts.find((text) => {
    if (!fitsText(query, text)) return false
    const folded = foldText(text.text)
    return folded.includes(label) && matchesAll(terms, folded, text.role)
  })
}

function shownEntry(session: PageSession, ordinal: number, { targetId }: EntryFacts): number | undefined {
  return targetId === undefined ? ordinal : session.tree.ordinalOf(targetId)
}
