import { CodexStorage } from "@treelog/codex"
import type { OpenAgent } from "./agent-storage.js"
import { loadDriver } from "./load-driver.js"

/** The sessions of Codex in its own folder. */
export const open: OpenAgent = ({ env, onCacheError, onWarning }) =>
  new CodexStorage({
    env,
    onCacheError,
    onTitlesError: (error) =>
      onWarning(error, `${error.message}. Sessions without another name are shown without one.`),
    loadDriver,
  })
