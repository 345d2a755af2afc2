import { CodexStorage } from "@treelog/agents/codex"
import type { OpenAgent } from "./agent-storage.js"
import { loadDriver } from "./load-driver.js"

/** The sessions of Codex. */
export const open: OpenAgent = ({ dir, env, onCacheError, onWarning }) =>
  new CodexStorage({
    dir,
    env,
    onCacheError,
    onTitlesError: (error) =>
      onWarning(error, `${error.message}. Sessions without another name are shown without one.`),
    loadDriver,
  })
