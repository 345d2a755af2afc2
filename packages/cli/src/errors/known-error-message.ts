/** The message of an error with a code, which a picker shows and survives; undefined for any other error. */
export function knownErrorMessage(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && error.code === error.name ? error.message : undefined
}
