import { ChangingState } from "./use-changes.js"

/** The visible part of the branch. It changes with every scroll, so that only listeners are notified, not the whole page. */
export class Seen extends ChangingState {
  first: number | undefined
  last: number | undefined

  set(first: number | undefined, last: number | undefined): void {
    if (first === this.first && last === this.last) return
    this.first = first
    this.last = last
    this.notify()
  }
}
