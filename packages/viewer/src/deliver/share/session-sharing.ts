import type { SecretPlace } from "../../wire.js"

/** Makes files of sessions for others, without their secrets. */
export interface SessionSharing {
  /** Finds what would be taken out. Never the secrets. */
  findSecrets(key: string): AsyncIterable<SharedSecret>
  /** The session as one HTML file without them. */
  page(key: string): AsyncIterable<string>
}

/** Where a secret is, and of what kind. */
export interface SharedSecret extends SecretPlace {
  readonly kind: string
}
