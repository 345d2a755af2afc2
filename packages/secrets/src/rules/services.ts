import { namedRule, type SecretRule, tokenRule } from "../secret-rule.js"
import { looksRandom, mixesLetters } from "./randomness.js"

/** Keys of services for payments, messages, chats and shops. */
export const SERVICE_RULES: readonly SecretRule[] = [
  // Secret and restricted keys; publishable ones (`pk_`) are not secret.
  tokenRule(
    "Stripe key",
    ["sk_live_", "sk_test_", "sk_prod_", "rk_live_", "rk_test_", "rk_prod_"],
    "(?:sk|rk)_(?:live|test|prod)_[A-Za-z0-9]{10,250}",
  ),
  tokenRule("Stripe webhook secret", ["whsec_"], "whsec_[A-Za-z0-9+/]{24,100}={0,2}"),
  tokenRule(
    "Square token",
    ["sq0", "EAAA"],
    "(?:sq0(?:atp|csp|idb)-[A-Za-z0-9_-]{22,43}|(?<![A-Za-z0-9])EAAA[A-Za-z0-9_-]{60}(?![A-Za-z0-9_-]))",
  ),
  tokenRule(
    "Shopify token",
    ["shpat_", "shpca_", "shppa_", "shpss_", "shpua_"],
    "shp(?:at|ca|pa|ss|ua)_[A-Za-z0-9]{32,64}",
  ),
  // Of bots, users, apps, sessions and refresh tokens.
  tokenRule(
    "Slack token",
    ["xoxa-", "xoxb-", "xoxc-", "xoxd-", "xoxe-", "xoxo-", "xoxp-", "xoxr-", "xoxs-", "xapp-"],
    "(?:xox[a-z]|xapp)-[A-Za-z0-9-]{10,400}",
  ),
  tokenRule("Slack token", ["xoxe."], String.raw`xoxe\.xox[bp]-[A-Za-z0-9-]{20,400}`),
  tokenRule(
    "Slack webhook",
    ["hooks.slack.com/"],
    String.raw`hooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9+/_-]{20,200}`,
  ),
  tokenRule(
    "Discord webhook",
    ["discord.com/", "discordapp.com/"],
    String.raw`discord(?:app)?\.com/api/webhooks/\d{10,25}/[A-Za-z0-9_-]{40,100}`,
  ),
  {
    kind: "Discord token",
    hints: [],
    // The id of a bot in base64: 17 digits make 23 characters.
    pattern: /[MNO][A-Za-z0-9_-]{22,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,42}/g,
    accepts: looksRandom,
  },
  {
    kind: "Telegram token",
    hints: [],
    pattern: /(?<!:)\d{8,12}:(?<secret>AA[A-Za-z0-9_-]{33}|[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-]))/g,
    accepts: mixesLetters,
  },
  tokenRule("Twilio key", ["SK", "AC"], "(?:SK|AC)[a-f0-9]{32}"),
  // A token is 32 hex digits like any hash, so that it is recognized only by its name.
  namedRule("Twilio token", "twilio[a-z_ .-]{0,20}token", "[a-f0-9]{32}(?![A-Za-z0-9])"),
  tokenRule("SendGrid key", ["SG."], String.raw`SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{32,64}`),
  tokenRule("Mailgun key", ["key-"], "key-[a-f0-9]{32}(?![A-Za-z0-9])"),
  { kind: "Mailchimp key", hints: ["-us"], pattern: /[a-f0-9]{32}-us\d{1,2}(?!\d)/g },
  tokenRule("Shippo key", ["shippo_"], "shippo_(?:live|test)_[a-f0-9]{40}"),
  tokenRule("EasyPost key", ["EZAK", "EZTK"], "EZ[AT]K[A-Za-z0-9]{54}"),
  tokenRule("Flutterwave key", ["FLWSECK"], "FLWSECK(?:_TEST)?-[a-zA-Z0-9]{12,40}"),
  tokenRule("Duffel token", ["duffel_"], "duffel_(?:live|test)_[A-Za-z0-9_=-]{43}"),
  tokenRule(
    "Plaid token",
    ["access-"],
    "access-(?:sandbox|development|production)-[a-f0-9]{8}(?:-[a-f0-9]{4}){3}-[a-f0-9]{12}",
  ),
  tokenRule("HubSpot token", ["pat-"], String.raw`pat-[a-z]{2}\d-[a-f0-9]{8}(?:-[a-f0-9]{4}){3}-[a-f0-9]{12}`),
  tokenRule("Mapbox token", ["sk.eyJ"], String.raw`sk\.eyJ[A-Za-z0-9_-]{40,400}\.[A-Za-z0-9_-]{20,40}`),
  tokenRule("PostHog key", ["phx_"], "phx_[A-Za-z0-9]{40,60}"),
  tokenRule("Polar token", ["polar_oat_"], "polar_oat_[A-Za-z0-9_-]{30,100}", looksRandom),
  tokenRule("Matrix token", ["syt_"], "syt_[A-Za-z0-9+/_-]{2,200}_[A-Za-z0-9]{20}_[A-Za-z0-9]{6}"),
  tokenRule("Figma token", ["figd_"], "figd_[A-Za-z0-9_-]{40,200}"),
  tokenRule("1Password token", ["ops_ey"], "ops_ey[A-Za-z0-9+/]{100,1300}={0,2}"),
  tokenRule("Typeform token", ["tfp_"], "tfp_[A-Za-z0-9_.-]{40,80}"),
  tokenRule(
    "Teams webhook",
    ["webhook.office.com/"],
    String.raw`webhook\.office\.com/webhookb2/[A-Za-z0-9@/-]{60,300}`,
  ),
  tokenRule("Brevo key", ["xkeysib-"], "xkeysib-[a-f0-9]{64}-[A-Za-z0-9]{16}"),
  tokenRule("Resend key", ["re_"], "re_[A-Za-z0-9]{8}_[A-Za-z0-9]{24}", looksRandom),
  tokenRule("Facebook token", ["EAA"], "(?<![A-Za-z0-9+/])EAA[A-Za-z0-9]{80,400}(?![A-Za-z0-9+/])", mixesLetters),
]
