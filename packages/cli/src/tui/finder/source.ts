import type { SessionInfo } from "@treelog/session-core"
import type { IndexedSession, SearchHit } from "@treelog/session-core/search"
import type { FoundPrompt } from "../../search/prompt-sources.js"
import type { CommandSource } from "../../sessions/open-library.js"

/** What a row of the finder is of: a session, with what a query found in it; a text that was found; or a prompt of a history. */
export type Source =
  | { readonly kind: "session"; readonly store: CommandSource; readonly info: SessionInfo; readonly hit?: SearchHit }
  | { readonly kind: "hit"; readonly store: CommandSource; readonly session: IndexedSession; readonly hit: SearchHit }
  | { readonly kind: "prompt"; readonly prompt: FoundPrompt }

/** The session of a row, and the part of it that has the entry; nothing for a prompt. */
export function sessionOf(source: Source):
  | {
      readonly store: CommandSource
      readonly path: string
      readonly id: string
      readonly openedBy: string
      readonly entryId?: string
    }
  | undefined {
  if (source.kind === "prompt") return undefined
  const { store, hit } = source
  const path = source.kind === "session" ? source.info.path : source.session.key
  const { id } = source.kind === "session" ? source.info : source.session
  return { store, path, id, openedBy: hit?.part?.key ?? path, ...(hit && { entryId: hit.entryId }) }
}
