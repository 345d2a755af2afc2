import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { AgentPlace } from "../frame/run-agent.js"
import type { Json } from "../model/blocks.js"
import type { ModelServer } from "../model/model-server.js"

export const ARGS = ["-m", "gemini-2.5-pro", "-y", "--skip-trust"]
export const RESUME = ["--resume", "latest"]

/** A place where Gemini CLI asks the local model. */
export function prepared(place: AgentPlace, { url }: ModelServer, more: Json = {}): AgentPlace {
  mkdirSync(join(place.home, ".gemini"), { recursive: true })
  const settings = {
    security: { auth: { selectedType: "gemini-api-key" } },
    general: { disableAutoUpdate: true },
    ...more,
  }
  writeFileSync(join(place.home, ".gemini", "settings.json"), JSON.stringify(settings))
  return { ...place, env: { ...place.env, GEMINI_API_KEY: "none", GOOGLE_GEMINI_BASE_URL: url } }
}
