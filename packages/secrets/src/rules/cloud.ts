import { namedRule, type SecretRule, tokenRule } from "../secret-rule.js"
import { looksRandom, mixesLetters } from "./randomness.js"

/** Keys of cloud providers and their services. */
export const CLOUD_RULES: readonly SecretRule[] = [
  tokenRule("AWS access key id", ["AKIA", "ASIA"], "(?:AKIA|ASIA)[A-Z0-9]{16}"),
  // By its name, in code, configuration files and JSON.
  namedRule("AWS secret key", "secret_?(?:access_?)?key", "[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])", mixesLetters),
  // Without a name, after its id, as in a file of credentials.
  {
    kind: "AWS secret key",
    hints: ["AKIA", "ASIA"],
    pattern:
      /(?<![A-Za-z0-9])(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])[\s\S]{1,120}?(?<![A-Za-z0-9/+])(?<secret>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])/g,
    accepts: mixesLetters,
  },
  namedRule("AWS session token", "session_?token", "[A-Za-z0-9/+]{100,2000}={0,2}"),
  // Keys of Amazon Bedrock, for long and for some hours.
  tokenRule("AWS Bedrock key", ["ABSK"], "ABSK[A-Za-z0-9+/]{100,300}={0,2}"),
  tokenRule("AWS Bedrock key", ["bedrock-api-key-"], "bedrock-api-key-[A-Za-z0-9+/_-]{100,4000}={0,2}"),
  tokenRule("Google API key", ["AIza"], "AIza[A-Za-z0-9_-]{35}"),
  tokenRule("Google client secret", ["GOCSPX-"], "GOCSPX-[A-Za-z0-9_-]{20,40}"),
  tokenRule("Google access token", ["ya29."], String.raw`ya29\.[A-Za-z0-9_-]{20,2000}`),
  tokenRule("Google refresh token", ["1//0"], "1//0[A-Za-z0-9_-]{40,200}"),
  // Keys of storage accounts, service buses and similar services in a connection string.
  {
    kind: "Azure key",
    hints: ["AccountKey=", "SharedAccessKey=", "AccessKey="],
    pattern: /(?:Account|SharedAccess|Access)Key=(?<secret>[A-Za-z0-9+/]{40,90}={0,2})/g,
  },
  // Secrets of applications have these three characters at this position.
  {
    kind: "Azure client secret",
    hints: ["Q~"],
    pattern: /[A-Za-z0-9_~.-]{3}\dQ~[A-Za-z0-9_~.-]{31,34}/g,
  },
  // Keys of AI and other services, and tokens of DevOps, have a fixed part after the random one.
  {
    kind: "Azure key",
    hints: ["JQQJ99", "AZDO"],
    pattern: /[A-Za-z0-9]{52}(?:JQQJ99|[A-Za-z0-9]{24}AZDO)[A-Za-z0-9]{4,40}/g,
  },
  // The signature of a link that grants access.
  {
    kind: "Azure access signature",
    hints: ["sig="],
    pattern: /[?&](?:amp;)?sig=(?<secret>(?:[A-Za-z0-9+/]|%2[BbFf]){40,70}(?:%3[Dd]|=){0,2})/g,
  },
  {
    kind: "signature of a link",
    hints: ["-Signature="],
    pattern: /X-(?:Amz|Goog)-Signature=(?<secret>[a-f0-9]{64,1024})/g,
  },
  tokenRule("DigitalOcean token", ["doo_v1_", "dop_v1_", "dor_v1_", "dot_v1_"], "do[oprt]_v1_[a-f0-9]{64}"),
  tokenRule("Vault token", ["hvs.", "hvb.", "hvr."], String.raw`hv[sbr]\.[A-Za-z0-9_-]{24,300}`),
  tokenRule("Databricks token", ["dapi"], "dapi[a-fA-F0-9]{32}(?:-\\d)?"),
  tokenRule("Dynatrace token", ["dt0"], String.raw`dt0[a-z]\d\d\.[A-Z0-9]{24}\.[A-Z0-9]{64}`),
  tokenRule("Grafana token", ["glsa_", "glc_"], "(?:glsa_[A-Za-z0-9]{32}_[a-f0-9]{8}|glc_[A-Za-z0-9+/]{32,400}={0,2})"),
  tokenRule("OpenShift token", ["sha256~"], "sha256~[A-Za-z0-9_-]{43}"),
  tokenRule("Harness token", ["pat.", "sat."], String.raw`[ps]at\.[A-Za-z0-9_-]{22}\.[0-9a-f]{24}\.[0-9A-Za-z]{20}`),
  tokenRule("Prefect key", ["pnu_", "pnb_"], "pn[ub]_[A-Za-z0-9]{36}"),
  tokenRule("Infracost key", ["ico-"], "ico-[A-Za-z0-9]{32}", looksRandom),
  tokenRule("Neon key", ["napi_"], "napi_[a-z0-9]{50,70}"),
  tokenRule("Yandex key", ["AQVN"], "AQVN[A-Za-z0-9_-]{35,38}"),
  tokenRule("Alibaba access key id", ["LTAI"], "LTAI[A-Za-z0-9]{16,20}", looksRandom),
  tokenRule("Cloudflare token", ["cfut_", "cfat_", "cfk_"], "cf(?:[ua]t|k)_[A-Za-z0-9]{40}[a-f0-9]{8}"),
  tokenRule("Render key", ["rnd_"], "rnd_[A-Za-z0-9]{28,40}", mixesLetters),
  tokenRule("Daytona key", ["dtn_"], "dtn_[a-f0-9]{64}"),
  tokenRule("Cloudflare key", ["v1.0-"], String.raw`v1\.0-[a-f0-9]{24}-[a-f0-9]{146}`),
  tokenRule("Heroku key", ["HRKU-"], "HRKU-[A-Za-z0-9_-]{30,80}"),
  tokenRule(
    "Fly.io token",
    ["fo1_", "fm1_", "fm1a_", "fm1r_", "fm2_"],
    "(?:fo1_[A-Za-z0-9_-]{43}|fm[12][ar]?_[A-Za-z0-9+/]{100,2000}={0,3})",
  ),
  {
    kind: "Terraform token",
    hints: [".atlasv1."],
    pattern: /[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,70}/g,
  },
  tokenRule("Pulumi token", ["pul-"], "pul-[a-f0-9]{40}"),
  tokenRule(
    "Doppler token",
    ["dp.pt.", "dp.st.", "dp.ct.", "dp.sa.", "dp.scim.", "dp.audit."],
    String.raw`dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{40,44}`,
  ),
  tokenRule("Netlify token", ["nfp_", "nfc_", "nfo_"], "nf[pco]_[A-Za-z0-9_]{36,60}"),
  tokenRule("Supabase key", ["sbp_", "sb_secret_"], "(?:sbp_[a-f0-9]{40}|sb_secret_[A-Za-z0-9_-]{20,60})"),
  tokenRule("PlanetScale token", ["pscale_"], "pscale_(?:tkn|pw|oauth)_[A-Za-z0-9=._-]{32,64}"),
  tokenRule("Tailscale key", ["tskey-"], "tskey-[a-z]{2,12}-[A-Za-z0-9_-]{16,80}"),
]
