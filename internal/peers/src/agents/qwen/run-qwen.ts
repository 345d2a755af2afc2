import { type AgentPlace, runAgent } from "../frame/run-agent.js"
import { blocksOf, type Json } from "../model/blocks.js"
import type { ModelServer } from "../model/model-server.js"

export const MODEL = "claude-sonnet-4-5"

export function ask(place: AgentPlace, model: ModelServer, prompt: string, more: readonly string[] = [], name = MODEL) {
  return runAgent(...programOf(place, model, prompt, more, name))
}

export function programOf(
  place: AgentPlace,
  model: ModelServer,
  prompt: string,
  more = ["--continue"] as readonly string[],
  name = MODEL,
) {
  const args = ["--auth-type", "anthropic", "-m", name, "-y", "-p", prompt, ...more]
  return [localPlace(place, model, name), "qwen", args] as const
}

/** A place where Qwen Code asks the local model. */
export function localPlace(place: AgentPlace, { url }: ModelServer, name = MODEL): AgentPlace {
  const api = { ANTHROPIC_API_KEY: "none", ANTHROPIC_BASE_URL: url, ANTHROPIC_MODEL: name }
  return { ...place, env: { ...place.env, ...api } }
}

/** The messages of the last request for the session, and not for what looks for memories or for a sub-agent, without what Qwen Code does not store. */
export function lastFor({ requests }: ModelServer): readonly Json[] {
  const own = requests.filter(({ messages, tools }) => {
    const [first] = messages as Json[]
    return ((tools ?? []) as Json[]).length > 10 && !JSON.stringify(first).includes('Find the thing"')
  })
  return ((own.at(-1)?.messages ?? []) as Json[]).map(({ role, content }) => ({
    role,
    content: blocksOf(content).filter(({ text }) => !NOT_STORED.test(String(text))),
  }))
}

const NOT_STORED =
  /^<system-reminder>\n(?:The following (?:skills|tools) are|The current date is|This is the Qwen Code\.)/
