import type { TreelogErrorCode } from "@treelog/session-core"

/** The exit codes of the command (README.md, "Exit codes"). */
export const EXIT = {
  ok: 0,
  failed: 1,
  /** The command line cannot be understood, or fits several sessions or entries. */
  usage: 2,
  /** No such session, or no such entry. */
  notFound: 3,
  /** `verify` found damage, or `scan` found secrets. */
  damaged: 4,
  /** Someone else holds the session for writing. */
  locked: 5,
  /** No session was examined: there is none where the command looked. */
  nothing: 6,
  interrupted: 130,
} as const

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

const BY_ERROR_CODE: Readonly<Partial<Record<TreelogErrorCode, ExitCode>>> = {
  AmbiguousSessionError: EXIT.usage,
  InvalidArgumentError: EXIT.usage,
  SessionNotFoundError: EXIT.notFound,
  EntryNotFoundError: EXIT.notFound,
  SessionBusyError: EXIT.locked,
}

export function exitCodeFor(errorCode: string): ExitCode {
  if (errorCode === "UsageError" || errorCode === "AmbiguousEntryError") return EXIT.usage
  return BY_ERROR_CODE[errorCode as TreelogErrorCode] ?? EXIT.failed
}

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
