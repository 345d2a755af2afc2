import type { StoreFault } from "../../wire.js"
import { readableLine } from "../text/readable-text.js"

/** What is said of a store that could not be read. */
export function storeFaultText({ store, code }: StoreFault): string {
  return `${store === "" ? "The store" : readableLine(store, 80)} cannot be read: ${readableLine(code, 80)}`
}
