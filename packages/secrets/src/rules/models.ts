import { type SecretRule, tokenRule } from "../secret-rule.js"
import { looksRandom, mixesLetters } from "./randomness.js"

/** Keys of model providers. */
export const MODEL_RULES: readonly SecretRule[] = [
  // Keys, admin keys and OAuth tokens.
  tokenRule("Anthropic key", ["sk-ant-"], String.raw`sk-ant-(?:[a-z]{2,8}\d{0,2}-)?[A-Za-z0-9_-]{20,200}`),
  tokenRule("OpenAI key", ["sk-"], "sk-(?:proj|svcacct|admin|service)-[A-Za-z0-9_-]{20,250}"),
  tokenRule("OpenRouter key", ["sk-or-"], String.raw`sk-or-v\d-[a-f0-9]{40,80}`),
  // The old format of OpenAI, which other providers use too.
  tokenRule("OpenAI key", ["sk-"], "sk-[A-Za-z0-9]{32,80}", (key) => /\d/.test(key)),
  tokenRule("Hugging Face token", ["hf_"], "hf_[A-Za-z0-9]{30,60}", looksRandom),
  tokenRule("Hugging Face token", ["api_org_"], "api_org_[A-Za-z0-9]{30,60}"),
  tokenRule("Groq key", ["gsk_"], "gsk_[A-Za-z0-9]{40,80}"),
  tokenRule("Replicate token", ["r8_"], "r8_[A-Za-z0-9]{37,40}", mixesLetters),
  tokenRule("Perplexity key", ["pplx-"], "pplx-[A-Za-z0-9]{40,64}"),
  tokenRule("xAI key", ["xai-"], "xai-[A-Za-z0-9]{60,100}"),
  tokenRule("LangSmith key", ["lsv2_"], "lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}"),
  tokenRule("ElevenLabs key", ["sk_"], "sk_[a-f0-9]{48}"),
  tokenRule("Langfuse key", ["sk-lf-"], "sk-lf-[a-f0-9]{8}(?:-[a-f0-9]{4}){3}-[a-f0-9]{12}"),
  tokenRule("NVIDIA key", ["nvapi-"], "nvapi-[A-Za-z0-9_-]{50,90}"),
  tokenRule("Pinecone key", ["pcsk_"], "pcsk_[A-Za-z0-9_]{50,90}"),
  tokenRule("Together key", ["tgp_v1_"], "tgp_v1_[A-Za-z0-9_-]{40,60}"),
  tokenRule("Cerebras key", ["csk-"], "csk-[a-z0-9]{40,60}"),
  tokenRule("Jina key", ["jina_"], "jina_[a-f0-9]{32}[A-Za-z0-9_-]{20,40}"),
  tokenRule("Firecrawl key", ["fc-"], "(?<![A-Za-z0-9])fc-[a-f0-9]{32}"),
  tokenRule("E2B key", ["e2b_"], "e2b_[a-f0-9]{40}"),
  tokenRule("Vercel token", ["vcp_", "vci_", "vca_", "vcr_", "vck_"], "vc[piark]_[A-Za-z0-9]{20,80}", looksRandom),
  tokenRule("Cursor key", ["crsr_"], "crsr_[a-f0-9]{64}"),
  tokenRule("Google API key", ["AQ.Ab"], String.raw`AQ\.Ab[A-Za-z0-9_-]{40,80}`),
  tokenRule("MiniMax key", ["sk-cp-", "sk-api-"], "sk-(?:cp|api)-[A-Za-z0-9_-]{40,200}", looksRandom),
  tokenRule("Kimi key", ["sk-kimi-"], "sk-kimi-[A-Za-z0-9_-]{40,120}"),
  tokenRule("Fireworks key", ["fw_"], "fw_[A-Za-z0-9]{22,40}", mixesLetters),
  tokenRule("Amp token", ["sgamp_user_"], "sgamp_user_[A-Z0-9]{26}_[a-f0-9]{64}"),
  tokenRule("Context7 key", ["ctx7sk-"], "ctx7sk-[a-f0-9]{8}(?:-[a-f0-9]{4}){3}-[a-f0-9]{12}"),
  // Behind its id.
  {
    kind: "Z.ai key",
    hints: [],
    pattern: /\.(?<=[a-f0-9]{32}\.)(?<secret>[A-Za-z0-9]{16})/g,
    accepts: mixesLetters,
  },
  tokenRule("Tavily key", ["tvly-"], "tvly-(?:dev-|prod-)?[A-Za-z0-9]{24,60}"),
]
