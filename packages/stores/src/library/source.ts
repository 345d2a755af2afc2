import { isTreelogError, type SessionManager, type SessionSource, type TreelogError } from "@treelog/session-core"
import type { ProjectOf } from "@treelog/session-core/adapter"

/** Where sessions are that can be listed and found. */
export interface ListedSource {
  readonly storage: SessionSource
  /** As `storeNamed` takes it; of a store that was named by its folder or address, that. */
  readonly name: string
  /** The agent of the sessions whose headers name none. */
  readonly madeBy: string
  /** How the source groups sessions: a shared one by project, files by folder. */
  readonly projectOf: ProjectOf
}

/** Where one program has its sessions, and what a library has to know of it. */
export interface Source extends ListedSource {
  /** Opens the session at a key: with the blobs that it has. */
  readonly manager: (key: string) => Promise<SessionManager<SessionSource>>
  /** Where it is, unlike any other source: the index knows it by that, with `madeBy` as its agent. */
  readonly address: string
}

/** Called with a source that cannot be read, and why. */
export type OnSourceError<From extends ListedSource = ListedSource> = (source: From, error: TreelogError) => void

/**
 * The answers of each source. One that cannot be read ends nothing where there are others.
 * @throws what the only source throws; errors that are no `TreelogError`
 */
export async function ofEach<From extends ListedSource, Answer>(
  sources: readonly From[],
  onError: OnSourceError<From>,
  ask: (source: From) => Promise<Answer>,
): Promise<Answer[]> {
  const answers: Answer[] = []
  for (const source of sources)
    try {
      answers.push(await ask(source))
    } catch (error) {
      if (sources.length === 1 || !isTreelogError(error)) throw error
      onError(source, error)
    }
  return answers
}
