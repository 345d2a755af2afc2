/** A file is not a bundle, or not a complete and undamaged one. Nothing of it was stored. */
export class BundleError extends Error {
  override readonly name = "BundleError"
  readonly code = "BundleError"
  readonly data: { readonly reason: string }

  constructor(reason: string, options?: ErrorOptions) {
    super(`The bundle was refused, and nothing of it was stored: ${reason}.`, options)
    this.data = { reason }
  }
}
