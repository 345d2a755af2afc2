import { readViewAddress, type ViewAddress, writeViewAddress } from "./entry-address.js"

/** The page that a session is shown on: the viewer's own, or one that hosts parts. */
export interface HostPage {
  /** Called with the title of the session. Safe to display. */
  setTitle(title: string): void
  /** What the address names. */
  address(): ViewAddress
  /** Called when something else is shown. */
  wentTo(address: ViewAddress): void
  /** The address of an entry; undefined where it has none. */
  hrefOf(address: ViewAddress): string | undefined
  /** The id of the transcript of a sub-agent that is shown; undefined for the session itself. */
  readonly agent?: string | undefined
  /** Shows the transcript of a sub-agent instead; undefined where only the session can be shown. */
  openAgent?(id: string): void
  /** Shows the session instead of the transcript of a sub-agent. */
  closeAgent?(): void
}

/** Switches between a session and the transcripts of its sub-agents. */
export interface AgentSwitch {
  isShown(agent: string | undefined): boolean
  openAgent(id: string): void
  closeAgent(): void
}

/** The viewer's own page: its title and its address are those of the session. */
export class OwnPage implements HostPage {
  readonly agent: string | undefined
  readonly #agents: AgentSwitch

  constructor(agents: AgentSwitch, agent: string | undefined) {
    this.#agents = agents
    this.agent = agent
  }

  setTitle(title: string): void {
    if (this.#agents.isShown(this.agent)) document.title = title
  }

  address(): ViewAddress {
    return readViewAddress()
  }

  wentTo(address: ViewAddress): void {
    const href = writeViewAddress(address)
    if (href !== (location.hash || "#")) history.replaceState(history.state, "", href)
  }

  hrefOf(address: ViewAddress): string {
    return writeViewAddress(address)
  }

  openAgent(id: string): void {
    this.#agents.openAgent(id)
  }

  closeAgent(): void {
    this.#agents.closeAgent()
  }
}
