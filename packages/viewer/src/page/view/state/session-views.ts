import type { SessionSource } from "../../source/session-source.js"
import { type HostPage, readViewAddress, writeViewAddress } from "./entry-address.js"
import { ChangingState } from "./use-changes.js"
import { Viewer } from "./viewer.js"

/** The session of the page, and the transcript of a sub-agent that is shown instead of it. The address has which. */
export class SessionViews extends ChangingState {
  readonly main: Viewer
  #agent: Viewer | undefined

  constructor() {
    super()
    this.main = new Viewer(this.#page(undefined))
    this.main.listen(() => this.follow())
  }

  get shown(): Viewer {
    return this.#agent ?? this.main
  }

  open(source: SessionSource): void {
    this.main.open(source)
  }

  /** Opens files, as the session of the page. */
  openFiles(files: readonly File[]): Promise<void> {
    if (this.#agent) this.#close()
    return this.main.openFiles(files)
  }

  /** Shows the transcript that the address names. */
  follow(): void {
    const { agent } = readViewAddress()
    if (agent === this.#agent?.host.agent) return
    const source = agent === undefined ? undefined : this.main.agents?.source(agent)
    if (agent === undefined) this.#back()
    else if (source) this.#show(agent, source)
  }

  #show(id: string, source: SessionSource): void {
    const viewer = new Viewer(this.#page(id))
    this.#agent?.close()
    this.#agent = viewer
    this.notify()
    const unlisten = viewer.listen(() => {
      if (viewer.phase.kind !== "failed" || this.#agent !== viewer) return
      unlisten()
      this.main.say(`The sub-agent's transcript cannot be shown: ${viewer.phase.message}`)
      this.#close()
    })
    viewer.open(source)
  }

  /** Leaves the transcript, at the entry that began it. */
  #close(): void {
    history.pushState(null, "", writeViewAddress(this.main.address.now))
    this.#back()
  }

  #back(): void {
    this.#agent?.close()
    this.#agent = undefined
    this.main.showAgain()
    this.notify()
  }

  /** The page of the viewer itself: its title and its address are those of what is shown. */
  #page(agent: string | undefined): HostPage {
    return {
      agent,
      setTitle: (title) => {
        if (this.#agent?.host.agent === agent) document.title = title
      },
      address: () => readViewAddress(),
      wentTo: (address) => {
        const href = writeViewAddress(address)
        if (href !== (location.hash || "#")) history.replaceState(history.state, "", href)
      },
      hrefOf: writeViewAddress,
      openAgent: (id) => {
        history.pushState(null, "", writeViewAddress({ agent: id }))
        this.follow()
      },
      closeAgent: () => this.#close(),
    }
  }
}
