import { isPassword } from "./rules/randomness.js"
import type { SecretFinding } from "./secret-finding.js"
import { kindOf } from "./secretlint-kinds.js"

/** Excluded, since with it a text could disable the other rules. */
const FILTER = "@secretlint/secretlint-rule-filter-comments"

/** Ids of access keys are not secret by themselves, but are used with a secret. */
const OPTIONS: Readonly<Record<string, object>> = { "@secretlint/secretlint-rule-aws": { enableIDScanRule: true } }

/** Account numbers are not secret. */
const NO_SECRETS: ReadonlySet<string> = new Set(["AWSAccountID"])

/** Findings of URLs with passwords, which may be placeholders. */
const URLS: ReadonlySet<string> = new Set(["BasicAuth", "MongoDBConnection", "MySQLConnection", "PostgreSQLConnection"])

type FindByRules = (text: string) => Promise<SecretFinding[]>

/** The part of a rule that is used (`SecretLintRuleCreator` of @secretlint/types). */
interface SecretlintRule {
  readonly meta: { readonly id: string }
  create(context: RuleContext, options: object): { file?(source: RuleSource): void | Promise<void> }
}

interface RuleSource {
  readonly filePath: string
  readonly ext: string
  readonly contentType: "text"
  readonly content: string
}

interface RuleContext {
  readonly sharedOptions: object
  createTranslator(messages: unknown): (messageId: string, data: unknown) => RuleMessage
  report(report: { message: RuleMessage; range: readonly [number, number] }): void
  ignore(): void
}

interface RuleMessage {
  readonly messageId: string
  readonly data: unknown
}

let loading: Promise<FindByRules> | undefined

/**
 * Loads the recommended rules of secretlint at the first call. They are not run by secretlint's core, whose profiler records each step
 * of each run and never frees the records.
 */
export function loadSecretlint(): Promise<FindByRules> {
  loading ??= load()
  return loading
}

async function load(): Promise<FindByRules> {
  const { rules }: { rules: unknown } = await import("@secretlint/secretlint-rule-preset-recommend")
  const used = (rules as readonly SecretlintRule[]).filter(({ meta }) => meta.id !== FILTER)
  return async (content) => {
    const source: RuleSource = { filePath: "text.txt", ext: ".txt", contentType: "text", content }
    const findings: SecretFinding[] = []
    for (const rule of used) {
      const { id } = rule.meta
      const context: RuleContext = {
        sharedOptions: {},
        createTranslator: () => (messageId, data) => ({ messageId, data }),
        report: ({ message, range }) => {
          const finding = findingOf(content, id, message, range)
          if (finding) findings.push(finding)
        },
        ignore: () => {},
      }
      await rule.create(context, OPTIONS[id] ?? {}).file?.(source)
    }
    return findings
  }
}

function findingOf(
  content: string,
  ruleId: string,
  { messageId, data }: RuleMessage,
  range: readonly [number, number],
): SecretFinding | undefined {
  const { start, end } = placeOf(content, range, data)
  if (NO_SECRETS.has(messageId) || (URLS.has(messageId) && !holdsPassword(content.slice(start, end)))) return undefined
  return { kind: kindOf(ruleId, messageId), start, end }
}

/** The range of a finding. Some rules report the start of the name with the length of the secret: the match gives the range. */
function placeOf(
  content: string,
  [from, to]: readonly [number, number],
  data: unknown,
): { start: number; end: number } {
  const texts = typeof data === "object" && data !== null ? Object.values(data) : []
  const found = texts.find((text) => typeof text === "string" && text.length === to - from)
  const start = typeof found === "string" ? content.indexOf(found, from) : -1
  return start === -1 ? { start: from, end: to } : { start, end: start + (to - from) }
}

function holdsPassword(url: string): boolean {
  const password = /^[^@]*?:\/\/[^:@]*:([^@]*)@/.exec(url)?.[1]
  return password === undefined || isPassword(password)
}
