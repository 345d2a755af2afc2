/** What went wrong, where it is an error with a code, which is told and ends nothing; undefined for any other. */
export function knownErrorMessage(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && error.code === error.name ? error.message : undefined
}
