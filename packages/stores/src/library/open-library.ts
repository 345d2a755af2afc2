import { SessionManager } from "@treelog/session-core"
import type { SessionIndex } from "@treelog/session-core/search"
import { findStores } from "../find-stores.js"
import type { OpenOptions } from "../open-options.js"
import { type OpenStore, openStore } from "../open-store.js"
import { madeIn } from "../program-of.js"
import { ProjectFolders } from "../project-folders.js"
import { storeNamed } from "../store-name.js"
import type { Surroundings } from "../surroundings.js"
import { Library } from "./library.js"
import type { Source } from "./source.js"

/** Which stores a library has, and how they are opened. */
export interface LibraryOptions extends Surroundings, Omit<OpenOptions, "env"> {
  /** As `storeNamed` takes them. Default: those of all programs and agents on this machine. */
  readonly stores?: readonly string[]
  /** Called with a store that cannot be read, and why; the others are read nevertheless. */
  readonly onError?: (store: string, error: unknown) => void
}

/**
 * Opens the sessions of a machine. Their index is in treelog's cache folder, and is that of the command.
 * @throws what `openStore` throws, where one store is named
 */
export async function openLibrary({ stores, onError = () => {}, ...options }: LibraryOptions): Promise<Library> {
  const projectOf = new ProjectFolders().nameOf
  const sources: Source[] = []
  for (const name of stores ?? (await findStores(options, onError)))
    try {
      const store = await openStore(storeNamed(options, name), options)
      sources.push(sourceOf(name, store, { ...options, projectOf }))
    } catch (error) {
      if (stores?.length === 1) throw error
      onError(name, error)
    }
  let index: Promise<SessionIndex> | undefined
  return new Library(sources, {
    index: () => {
      index ??= openIndex(sources, options)
      return index
    },
    onError: ({ name }, error) => onError(name, error),
  })
}

function sourceOf(
  name: string,
  store: OpenStore,
  { projectOf, ...surroundings }: Surroundings & Pick<Source, "projectOf">,
): Source {
  const { storage } = store
  const madeBy = madeIn(surroundings, name, store)
  const manager = new SessionManager({ storage, projectOf, anyFile: true })
  return { name, address: store.address, storage, projectOf, madeBy, manager: async () => manager }
}

async function openIndex(sources: readonly Source[], { env }: Surroundings): Promise<SessionIndex> {
  const [{ SqliteSessionIndex }, { indexPath }] = await Promise.all([
    import("@treelog/index-sqlite"),
    import("../index-path.js"),
  ])
  const own = sources.map(({ address, storage, madeBy }) => ({ name: address, storage, agent: madeBy }))
  return new SqliteSessionIndex({ sources: own, path: indexPath(env) })
}
