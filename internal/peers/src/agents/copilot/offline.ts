import type { AgentPlace } from "../frame/run-agent.js"
import type { ModelServer } from "../model/model-server.js"

export const MODEL = "claude-sonnet-4.5"

/** A place where Copilot asks the local model. */
export function offline(place: AgentPlace, { url }: ModelServer): AgentPlace {
  const provider = { COPILOT_PROVIDER_TYPE: "anthropic", COPILOT_PROVIDER_BASE_URL: url }
  const offline = { COPILOT_OFFLINE: "true", COPILOT_MODEL: MODEL, COPILOT_PROVIDER_API_KEY: "none" }
  return { ...place, env: { ...place.env, ...provider, ...offline } }
}
