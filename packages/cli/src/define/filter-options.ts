import { FILTER_NAMES, FILTERS } from "@treelog/session-core/search"
import type { OptionDefinition } from "./command.js"

/** The options that limit a command to some sessions. */
export const FILTER_OPTIONS: readonly OptionDefinition[] = FILTER_NAMES.map((name) => [
  `--${name} <${FILTERS[name].value}>`,
  FILTERS[name].help,
])
