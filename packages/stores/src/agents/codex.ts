import { CodexStorage } from "@treelog/agents/codex"
import type { OpenAgent } from "./agent-storage.js"
import { loadDriver } from "./load-driver.js"

/** The sessions of Codex. */
export const open: OpenAgent = ({ dir, env, onCacheError, keptOf, onWarning }) =>
  new CodexStorage({
    dir,
    env,
    onCacheError,
    keptOf,
    onTitlesError: (error) =>
      onWarning(error, `${error.message}. Sessions without another name are shown without one.`),
    loadDriver,
  })
