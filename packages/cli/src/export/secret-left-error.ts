/** What is to be exported still holds a secret, and nothing was written. Has the shape of a TreelogError, so that it is reported like one. */
export class SecretLeftError extends Error {
  override readonly name = "SecretLeftError"
  readonly code = "SecretLeftError"
  readonly data: { readonly kinds: readonly string[] }

  constructor(kinds: readonly string[]) {
    super(
      `What looks like a secret (${kinds.join(", ")}) could not be taken out without breaking the form, so nothing was exported. \`treelog scan\` says where it stands.`,
    )
    this.data = { kinds }
  }
}
