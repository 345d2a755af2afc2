import { basename, dirname, join } from "node:path"
import { placesOf } from "@treelog-internal/fs"
import {
  FileFacts,
  joinedStores,
  objectsIn,
  parsedObject,
  type RecordStore,
  type StoreOptions,
  sessionDatabase,
  textIn,
  withFacts,
} from "../kit.js"
import { recordsOf, sessionsIn } from "./rows.js"

const DATABASE = "crush.db"

/** The sessions in the databases of all projects that Crush lists, with the folder of the project. A database that is gone has none. */
export function crushSessions(options: StoreOptions): RecordStore {
  const list = join(options.folder, options.sessions)
  const databases = new Map<string, RecordStore>()
  const facts = new FileFacts(options)

  async function projects(): Promise<Projects> {
    return ((await facts.of(list, projectsIn)) ?? {}) as Projects
  }

  /** @param folder that has the database */
  function databaseIn(folder: string): RecordStore {
    const known = databases.get(folder)
    if (known) return known
    const made = sessionDatabase({ ...options, folder }, { file: DATABASE, sessions: sessionsIn, records: recordsOf })
    databases.set(folder, made)
    return made
  }
  const databaseOf = (key: string): RecordStore => databaseIn(dirname(dirname(key)))
  const isKey = (key: string): boolean => basename(dirname(key)) === DATABASE

  const store: RecordStore = {
    ...joinedStores([], databaseOf),
    async *list(filter) {
      for (const folder of new Set([options.folder, ...Object.keys(await projects())]))
        yield* databaseIn(folder).list(filter)
    },
    isKey,
  }
  return withFacts(options, store, async ({ key }) => {
    const folder = dirname(dirname(key))
    const found = await projects()
    return { cwd: cwdOf(folder, Object.hasOwn(found, folder) ? (found[folder] ?? []) : []) }
  })
}

/** By the folder of a database, the projects that use it. */
type Projects = Readonly<Record<string, readonly string[]>>

function projectsIn(bytes: Uint8Array): object {
  const projects: Record<string, string[]> = Object.create(null)
  for (const project of objectsIn(parsedObject(new TextDecoder().decode(bytes))?.projects)) {
    const [path, named] = [textIn(project, "path"), textIn(project, "data_dir")]
    const folders = named === undefined ? [] : [named, ...(path === undefined ? [] : [join(path, named)])]
    // In WSL, those of the side of Windows are mounted.
    const [folder] = folders.map((one) => placesOf(one).at(-1)).filter((one) => one !== undefined)
    if (folder === undefined) continue
    projects[folder] = [...(projects[folder] ?? []), ...(path === undefined ? [] : [path])]
  }
  return { ...projects }
}

/** The folder of the only project of a database. Of several, or of a list that has none, the one that `.crush` is in; else it is unknown. */
function cwdOf(folder: string, projects: readonly string[]): string | undefined {
  if (projects.length === 1) return projects[0]
  return basename(folder) === ".crush" ? dirname(folder) : undefined
}
