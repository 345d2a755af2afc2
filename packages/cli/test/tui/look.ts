import { TEST_START } from "@treelog-internal/test-kit"
import type { KeyName, KeyPress, Look } from "../door.js"
import { styleFor } from "../door.js"

/** Without colours, in Unicode. */
export const LOOK: Look = {
  style: styleFor({ isTTY: true, columns: 80 }, { NO_COLOR: "1" }, {}),
  now: TEST_START,
  home: "/home/me",
}

export function text(written: string): KeyPress & { kind: "text" } {
  return { kind: "text", text: written, isPasted: false }
}

export function key(name: KeyName): KeyPress {
  return { kind: "key", name }
}
