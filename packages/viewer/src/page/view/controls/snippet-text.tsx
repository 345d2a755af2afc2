import type { SearchHit } from "@treelog/session-core/search"
import { cleanTabbed } from "@treelog-internal/text"
import type { JSX } from "preact"
import { useMemo } from "preact/hooks"
import { snippetAt } from "../../session/search-entries.js"
import { useViewer } from "../state/viewer-context.js"

type Snippet = SearchHit["snippet"]

/** The part of an entry that the search found, with its matches marked. */
export function SnippetText({ ordinal, ...rest }: { readonly ordinal: number; readonly class?: string }): JSX.Element {
  const { session, searching } = useViewer()
  const { query } = searching
  const snippet = useMemo(() => session && snippetAt(session, ordinal, query), [session, ordinal, query])
  return <bdi {...rest}>{snippet && <SnippetPieces snippet={snippet} />}</bdi>
}

export function SnippetPieces({ snippet }: { readonly snippet: Snippet }): JSX.Element {
  const { text, matches, isCutBefore, isCutAfter } = snippet
  const pieces: JSX.Element[] = []
  let end = 0
  for (const [from, to] of matches) {
    pieces.push(<span key={`before ${from}`}>{cleanTabbed(text.slice(end, from))}</span>)
    pieces.push(<mark key={from}>{cleanTabbed(text.slice(from, to))}</mark>)
    end = to
  }
  return (
    <>
      {isCutBefore && "…"}
      {pieces}
      {cleanTabbed(text.slice(end))}
      {isCutAfter && "…"}
    </>
  )
}
