/** Names that programs give to providers of the table. */
const ALIASES: Readonly<Record<string, string>> = {
  bedrock: "amazon-bedrock",
  "aws-bedrock": "amazon-bedrock",
  aws: "amazon-bedrock",
  "bedrock-converse": "amazon-bedrock",
  vertex: "google-vertex",
  vertex_ai: "google-vertex",
  vertexai: "google-vertex",
  "google-vertex-anthropic": "google-vertex",
  "anthropic-vertex": "google-vertex",
  gemini: "google",
  "google-generative-ai": "google",
  "google-ai-studio": "google",
  "google-gemini-cli": "google",
  "azure-openai": "azure",
  "azure-openai-responses": "azure",
  azure_openai: "azure",
  "openai-responses": "openai",
  "openai-chat": "openai",
  chatgpt: "openai-codex",
  codex: "openai-codex",
  claude: "anthropic",
  "claude-code": "anthropic",
  copilot: "github-copilot",
  github: "github-copilot",
  "x-ai": "xai",
  grok: "xai",
  "z-ai": "zai",
  "z.ai": "zai",
  zhipu: "zai",
  moonshot: "moonshotai",
  kimi: "moonshotai",
  vercel: "vercel-ai-gateway",
  "ai-gateway": "vercel-ai-gateway",
  hf: "huggingface",
  together_ai: "together",
  togetherai: "together",
  fireworks_ai: "fireworks",
  "fireworks-ai": "fireworks",
  mistralai: "mistral",
}

/** As the table names it, or in lower case. */
export function providerName(provider: string): string {
  const name = provider.trim().toLowerCase()
  return Object.hasOwn(ALIASES, name) ? (ALIASES[name] ?? name) : name
}

/** Whose lists are searched where no provider has the model under its own name: makers, then those who pass models on at their price. */
export const MAKERS: readonly string[] = [
  "anthropic",
  "openai",
  "google",
  "xai",
  "deepseek",
  "moonshotai",
  "zai",
  "minimax",
  "xiaomi",
  "ant-ling",
  "mistral",
  "meta",
]
export const RESELLERS: readonly string[] = ["openai-codex", "openrouter", "vercel-ai-gateway", "amazon-bedrock"]

/** Whether agents are read as that whose files name no provider: their models can be those of any. */
export function isAssumed(provider: string | undefined): boolean {
  return provider === "anthropic" || provider === "openai"
}
