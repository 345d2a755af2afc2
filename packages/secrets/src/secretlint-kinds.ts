/** The kinds of messages for which the name of the rule is too general. */
const KINDS: Readonly<Record<string, string>> = {
  AWSAccessKeyID: "AWS access key id",
  AWSSecretAccessKey: "AWS secret key",
  SLACK_TOKEN: "Slack token",
  IncomingWebhook: "Slack webhook",
  BasicAuth: "password in a URL",
  MongoDBConnection: "database URL",
  MySQLConnection: "database URL",
  PostgreSQLConnection: "database URL",
  PrivateKey: "private key",
  NPM_ACCESS_TOKEN: "npm token",
  PackageJSON_xOauthToken: "GitHub token",
}

/** The names of services, by the names of rules. */
const NAMES: Readonly<Record<string, string>> = {
  "1password": "1Password",
  databricks: "Databricks",
  docker: "Docker",
  figma: "Figma",
  github: "GitHub",
  gitlab: "GitLab",
  grafana: "Grafana",
  groq: "Groq",
  "hashicorp-vault": "Vault",
  huggingface: "Hugging Face",
  linear: "Linear",
  notion: "Notion",
  openai: "OpenAI",
  anthropic: "Anthropic",
  sendgrid: "SendGrid",
  shopify: "Shopify",
  vercel: "Vercel",
}

/** The kind of secret of a secretlint message, for display. */
export function kindOf(ruleId: string, messageId: string): string {
  const name = ruleId.replace(/^.*secretlint-rule-/, "")
  return KINDS[messageId] ?? `${NAMES[name] ?? name} token`
}
