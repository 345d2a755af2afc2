import type { Block } from "../frame/compare-blocks.js"
import type { AgentPlace } from "../frame/run-agent.js"
import type { ModelServer } from "../model/model-server.js"

/** An agent that sessions are written for, and how it is used. */
export interface Target {
  /** As `writeSession` names it. */
  readonly agent: string
  /** Its command. */
  readonly program: string
  /** What it adds to each request by itself. */
  readonly own: RegExp
  /** What it puts around what was said, and before it. */
  readonly words?: RegExp
  /** What was said as it is in a copy for this agent, and so in what is copied back, where the receipt names another form. Default: the same. */
  asKept?(blocks: readonly Block[]): readonly Block[]
  /** What is in a copy as this agent sends it, where that is another form. Default: the same. */
  asSent?(blocks: readonly Block[]): readonly Block[]
  /** Makes the settings of a person who has used it before. */
  start(place: AgentPlace, model: ModelServer): StartedTarget
}

/** An agent in a home, with a local server as its model. */
export interface StartedTarget {
  /** Its folder. */
  readonly dir: string
  /** Where its program is found, of one that writes its sessions itself. */
  readonly env?: AgentPlace["env"]
  /** What its own list shows. @returns a text that names a session by its id or its title, a line each */
  listed(): Promise<readonly string[]>
  /** Goes on with a session, and asks. */
  resume(id: string, prompt: string): Promise<unknown>
  /** What its model got of the session that it went on with. @param prompt what it asked */
  sent(prompt: string): Block[]
  /** Whether its list has the ids of sessions: otherwise titles tell them apart. */
  readonly hasIds: boolean
}
