import type { ModelServer } from "../model/model-server.js"
import type { AgentPlace } from "./run-agent.js"

/** An agent that npm has, and what is tried with it. */
export interface Agent {
  /** The command. */
  readonly program: string
  /** Packages of npm in which the command and what it needs are, with a version where it is not the newest. */
  readonly packages: readonly string[]
  /** Packages whose commands are bundles: what they depend on is not installed. */
  readonly bundles?: readonly string[]
  /** Commands that the packages have and do not name: their paths in `node_modules`. */
  readonly commands?: Readonly<Record<string, string>>
  /** A script to run after the installation, for npm runs no scripts of packages; from `node_modules`. */
  readonly installScript?: string
  readonly scenarios: readonly Scenario[]
}

/** A piece of work with an agent, in a home and a project of its own. */
export interface Scenario {
  readonly name: string
  run(place: AgentPlace, model: ModelServer): Promise<Findings>
}

export interface Findings {
  /** What treelog reads otherwise than the agent, a line each. */
  readonly differences: readonly string[]
  /** Kinds of records and fields that treelog does not know. */
  readonly unknown: readonly string[]
}
