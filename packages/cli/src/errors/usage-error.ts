/** The command line is invalid. Has the shape of a TreelogError, so that it is reported like one. */
export class UsageError extends Error {
  readonly code: "UsageError" | "AmbiguousEntryError"
  readonly data: Readonly<Record<string, unknown>>

  constructor(
    message: string,
    data: Readonly<Record<string, unknown>> = {},
    code: "UsageError" | "AmbiguousEntryError" = "UsageError",
  ) {
    super(message)
    this.name = code
    this.code = code
    this.data = data
  }
}

/** `--older-than`, of the name that its value has. */
export function flagOf(option: string): string {
  return `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}
