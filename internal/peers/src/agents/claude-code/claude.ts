import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { AgentInTerminal } from "../frame/in-terminal.js"
import { type AgentPlace, killAgent, runAgent } from "../frame/run-agent.js"
import type { ModelServer } from "../model/model-server.js"

const KEY = "sk-ant-none-00000000000000000000"
const TOOLS = "Bash,Write,Edit,Read,Agent"

/** Claude Code in a place, with a local server as its model. */
export class Claude {
  /** Where it asks the local model. */
  readonly place: AgentPlace
  /** Its folder in the home, `.claude`. */
  readonly folder: string

  /**
   * Makes the settings of a person who has used it before, and trusts the project.
   * @param settings of `settings.json`
   * @param state more of `.claude.json`
   */
  constructor(place: AgentPlace, model: ModelServer, settings: object = {}, state: object = {}) {
    const env = { ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: KEY, CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1" }
    this.place = { ...place, env: { ...env, ...place.env } }
    this.folder = join(place.home, ".claude")
    mkdirSync(this.folder, { recursive: true })
    const projects = { [place.project]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } }
    const known = { hasCompletedOnboarding: true, theme: "dark", customApiKeyResponses: { approved: [KEY.slice(-20)] } }
    writeFileSync(join(place.home, ".claude.json"), JSON.stringify({ ...known, ...state, projects }))
    writeFileSync(join(this.folder, "settings.json"), JSON.stringify(settings))
  }

  /** Asks once without a terminal. @returns the id of the session */
  async ask(prompt: string, ...args: readonly string[]): Promise<string> {
    const output = await runAgent(this.place, "claude", [
      "-p",
      prompt,
      "--output-format",
      "json",
      "--allowedTools",
      TOOLS,
      ...args,
    ])
    return JSON.parse(output).session_id
  }

  /** Asks once without a terminal, and kills it once something holds. */
  kill(prompt: string, holds: () => boolean, ...args: readonly string[]): Promise<void> {
    return killAgent(this.place, "claude", ["-p", prompt, "--allowedTools", TOOLS, ...args], holds)
  }

  /** Whether a session has a text. */
  hasSaid(text: string): boolean {
    const folder = join(this.folder, "projects")
    const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".jsonl"))
    return names.some((name) => readFileSync(join(folder, name), "utf8").includes(text))
  }

  inTerminal(...args: readonly string[]): AgentInTerminal {
    return new AgentInTerminal(this.place, "claude", ["--allowedTools", TOOLS, ...args])
  }
}
