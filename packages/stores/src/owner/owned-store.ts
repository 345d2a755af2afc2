import { type OwnedStore, type OwnerRules, ownerRules } from "@treelog/agents"
import { isFolder, nodeFs } from "@treelog-internal/fs"
import { loadDriver } from "../agents/load-driver.js"
import { isKeptStore } from "../kept/kept-stores.js"
import { type FileStore, openStore } from "../open-store.js"
import { storeNamed } from "../store-name.js"
import type { Surroundings } from "../surroundings.js"

/** A store, and what its agent does with the sessions in there. */
export interface RuledStore {
  readonly store: OwnedStore
  readonly rules: OwnerRules
}

/** @param name as `storeNamed` takes it @returns undefined where the rules of its agent are not known */
export async function ownedStore(surroundings: Surroundings, name: string): Promise<RuledStore | undefined> {
  // What `keep` copied is listed by no agent.
  if (isKeptStore(name)) return undefined
  const named = storeNamed(surroundings, name)
  const { env } = surroundings
  if (named.kind === "agent") {
    // What an app lists is not known.
    if (named.isOfApp) return undefined
    const rules = await ownerRules(named.agent)
    const [sessions] = named.sessions
    return rules && { rules, store: { folder: named.folder, sessions, fs: nodeFs, env, loadDriver } }
  }
  // Only pi and its relatives list what is in files of pi's format.
  if (named.kind !== "files" || named.preset === undefined || named.preset === "treelog") return undefined
  const { files } = await openStore(named, { env })
  const store = { folder: named.agentDir, sessions: "sessions", fs: nodeFs, env, loadDriver }
  return files && { rules: rulesOfFiles(files as FileStore), store }
}

/** What pi and its relatives list: the sessions in the folder that is named by the working directory, whatever their headers say. */
function rulesOfFiles({ storage }: FileStore): OwnerRules {
  return {
    whyHidden:
      async () =>
      async ({ path, cwd, error }) => {
        if (error) return { reason: "damaged", detail: error.message }
        if (!(await isFolder(cwd))) return { reason: "folder-gone", detail: cwd }
        return storage.keyMoved(path, cwd) === path ? undefined : { reason: "other-folder", detail: path }
      },
    deletion: async () => undefined,
  }
}
