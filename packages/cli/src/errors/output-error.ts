/** Standard output or standard error takes nothing, as on a full disk. Reported like a StorageError of the library, which is not loaded for it. */
export class OutputError extends Error {
  readonly code = "StorageError"
  readonly data: { readonly key: string; readonly operation: "write"; readonly errno: string | undefined }

  constructor(key: "stdout" | "stderr", cause: NodeJS.ErrnoException) {
    const name = key === "stdout" ? "Standard output" : "Standard error"
    super(`${name} cannot be written: ${cause.code ?? cause.message}.`, { cause })
    this.name = "StorageError"
    this.data = { key, operation: "write", errno: cause.code }
  }
}
