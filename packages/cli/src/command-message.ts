/** An error of treelog's, as far as it takes to report it: the library itself is not loaded for that. */
type Reported = Error & { readonly data?: { readonly path?: unknown; readonly errno?: unknown } }

/**
 * What is wrong, as a command reports it. Where the library's message names a method that its caller can call, this names what a
 * user can do: a command that failed keeps nothing in memory.
 */
export function commandMessage({ name, message, cause, data }: Reported): string {
  if (name === "PersistError" && cause instanceof Error) return `${data?.path} could not be written: ${cause.message}`
  if (name === "EntryNotFoundError") return message.replace(/ getEntries\(\) .*$/, " `treelog tree` lists them.")
  return message
}

/** The system's code that an error, or what caused it, stands for. */
export function errnoOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const { data, cause }: Reported = error
  return typeof data?.errno === "string" ? data.errno : errnoOf(cause)
}
