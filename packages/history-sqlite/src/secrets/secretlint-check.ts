import type { SecretCheck } from "@treelog/session-core"
import { joinTexts } from "./join-texts.js"

/** Characters that are looked at in one go. Each go costs about as much as this many characters do. */
const GO = 200_000

/**
 * Every rule looks for at least so many characters without a space, for the head of a key, or for a password in a
 * URL.
 */
const SUSPECT = /[\x21-\x7e]{16}|-----BEGIN |:\/\//

/**
 * The check of secretlint's recommended rules: keys and tokens of the known services, private keys, passwords in URLs.
 * secretlint is loaded when the first text comes that may hold one.
 */
export function secretlintCheck(): SecretCheck {
  let loading: ReturnType<typeof loadRules> | undefined
  return async (texts) => {
    const verdicts = texts.map(() => false)
    const suspects = texts.flatMap((text, index) => (SUSPECT.test(text) ? [{ text, index }] : []))
    if (suspects.length === 0) return verdicts
    loading ??= loadRules()
    const findSecrets = await loading
    for (const { joined, indexAt } of joinTexts(suspects, GO))
      for (const [start, end] of await findSecrets(joined))
        for (const index of indexAt(start, end)) verdicts[index] = true
    return verdicts
  }
}

/** It would let a text switch the other rules off. */
const FILTER = "@secretlint/secretlint-rule-filter-comments"
/** Ids of access keys are no secrets by themselves, but come with one. */
const OPTIONS: Readonly<Record<string, object>> = { "@secretlint/secretlint-rule-aws": { enableIDScanRule: true } }

async function loadRules(): Promise<(content: string) => Promise<readonly (readonly [number, number])[]>> {
  const [{ lintSource }, preset] = await Promise.all([
    import("@secretlint/core"),
    import("@secretlint/secretlint-rule-preset-recommend"),
  ])
  const rules = preset.rules
    .filter(({ meta }) => meta.id !== FILTER)
    .map((rule) => ({ id: rule.meta.id, rule, options: OPTIONS[rule.meta.id] ?? {} }))
  return async (content) => {
    const source = { filePath: "prompt.txt", content, contentType: "text" } as const
    const { messages } = await lintSource({ source, options: { config: { rules }, noPhysicFilePath: true } })
    return messages.map(({ range }) => range)
  }
}
