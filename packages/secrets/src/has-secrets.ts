import { findSecretsIn } from "./find-secrets.js"

/** Checks for each text whether it looks like it contains a secret. */
export async function hasSecrets(texts: readonly string[]): Promise<boolean[]> {
  const found = await findSecretsIn(texts.map((text) => ({ text })))
  return found.map((findings) => findings.length > 0)
}
