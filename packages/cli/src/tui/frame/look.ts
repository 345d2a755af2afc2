import type { CommandContext } from "../../io/command-context.js"
import { type Style, styleFor } from "../../render/style.js"

/** How a picker draws, and what it measures ages and folders by. */
export interface Look {
  readonly style: Style
  /** Milliseconds since 1970. */
  readonly now: number
  readonly home: string | undefined
}

/** Pickers draw on stderr: stdout is for what is picked. */
export function lookOf({ io, options }: CommandContext): Look {
  return { style: styleFor(io.stderr, io.env, options), now: io.now(), home: io.env.HOME }
}
