import type { OwnerRules } from "@treelog/agents"
import { isFolder } from "@treelog-internal/fs"
import type { FileStore } from "../open-store.js"

/** What pi and its relatives list: the sessions in the folder that is named by the working directory, whatever their headers say. */
export function rulesOfFiles({ storage }: FileStore): OwnerRules {
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
