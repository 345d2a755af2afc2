import type { PageSession } from "../../session/page-session.js"
import type { ShownBranch } from "../../session/shown-branch.js"
import { type HostPage, type ViewAddress, writeViewAddress } from "./entry-address.js"

/** A session on a page, as far as its address is concerned. */
interface Addressed {
  readonly host: HostPage
  readonly session: PageSession | undefined
  readonly branch: ShownBranch
  readonly current: number | undefined
  goToId(id: string): boolean
  setBeside(ordinal: number | undefined): void
  say(notice: string): void
}

/** The address of what a viewer shows: written for the page, and followed when the page has another one. */
export class ShownAddress {
  readonly #viewer: Addressed
  /** The last fragment that was followed. */
  #followed: string | undefined

  constructor(viewer: Addressed) {
    this.#viewer = viewer
  }

  get now(): ViewAddress {
    const { session, current } = this.#viewer
    return this.#of(current === undefined ? undefined : session?.summary(current).id)
  }

  /** The fragment of the address of an entry in what is shown; undefined where it has none. */
  hrefOf(entry: string): string | undefined {
    return this.#viewer.host.hrefOf(this.#of(entry))
  }

  /** Gives the page the address of what is shown, so that it can be shared. */
  write(): void {
    this.#viewer.host.wentTo(this.now)
  }

  /** Shows what the address of the page names, once it was read. @param isRead whether everything stored was */
  followOnce(isRead: boolean): void {
    const address = this.#viewer.host.address()
    const hash = writeViewAddress(address)
    if (hash === this.#followed || this.#viewer.current !== undefined) return
    const isThere = this.#goTo(address)
    if (isThere || isRead) this.#followed = hash
    if (!isThere && isRead) this.#sayMissing(address)
  }

  /** Shows what an address names, and says what is missing. */
  follow(address: ViewAddress): void {
    if (!this.#goTo(address)) this.#sayMissing(address)
  }

  #of(entry: string | undefined): ViewAddress {
    const { session, branch, host } = this.#viewer
    const { beside, leaf } = branch
    const idOf = (ordinal: number | undefined): string | undefined =>
      beside && ordinal !== undefined ? session?.summary(ordinal).id : undefined
    return { entry, agent: host.agent, branch: idOf(leaf), beside: idOf(beside?.leaf) }
  }

  #sayMissing({ entry, agent }: ViewAddress): void {
    if (entry !== undefined && agent === this.#viewer.host.agent)
      this.#viewer.say("There is no such entry in this session.")
  }

  /** @returns whether there is what the address names; nothing, if it is that of another transcript */
  #goTo({ agent, entry, branch, beside }: ViewAddress): boolean {
    const viewer = this.#viewer
    if (agent !== viewer.host.agent) return false
    const [first, second] = [branch, beside].map((id) =>
      id === undefined ? undefined : viewer.session?.tree.ordinalOf(id),
    )
    if (first !== undefined && second !== undefined) {
      viewer.branch.setBeside(undefined)
      viewer.branch.choose(first)
      viewer.setBeside(second)
    } else if (viewer.branch.beside) viewer.setBeside(undefined)
    return entry === undefined ? second !== undefined : viewer.goToId(entry)
  }
}
