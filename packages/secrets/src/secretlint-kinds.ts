/** What messages of rules are about, where the name of their rule says too little. */
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

/** The services that rules are named after, as they write themselves. */
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

/** What a message of a secretlint rule is about, in plain words. */
export function kindOf(ruleId: string, messageId: string): string {
  const name = ruleId.replace(/^.*secretlint-rule-/, "")
  return KINDS[messageId] ?? `${NAMES[name] ?? name} token`
}
