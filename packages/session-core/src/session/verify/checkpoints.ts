import { settingsAt } from "../../context/settings.js"
import type { Checkpoint } from "../../entry/settings.js"
import type { SessionState } from "../session-state.js"

/** The settings that hold at compactions, each worked out from those at the compaction before it on the path. */
export class Checkpoints {
  readonly #state: SessionState
  readonly #known = new Map<number, Checkpoint>()

  constructor(state: SessionState) {
    this.#state = state
  }

  /** What a compaction's checkpoint must hold: the settings on the path to it. */
  at(compaction: number): Checkpoint {
    const unknown: { ordinal: number; since: number[] }[] = []
    let before: Checkpoint | undefined
    for (let at: number | undefined = compaction; at !== undefined && !before; ) {
      const stretch = this.#stretchTo(at)
      unknown.push({ ordinal: at, since: stretch.ordinals })
      at = stretch.compaction
      before = at === undefined ? undefined : this.#known.get(at)
    }
    for (const { ordinal, since } of unknown.reverse()) {
      before = settingsAt(this.#state.pathOf(since), before)
      this.#known.set(ordinal, before)
    }
    return before ?? settingsAt(this.#state.pathOf([]))
  }

  /** The entries from behind the compaction before, and that compaction. */
  #stretchTo(ordinal: number): { ordinals: number[]; compaction: number | undefined } {
    const ordinals: number[] = []
    let at = this.#state.tree.parentOf(ordinal)
    while (at !== undefined && this.#state.headAt(at)?.type !== "compaction") {
      ordinals.push(at)
      at = this.#state.tree.parentOf(at)
    }
    return { ordinals: ordinals.reverse(), compaction: at }
  }
}
