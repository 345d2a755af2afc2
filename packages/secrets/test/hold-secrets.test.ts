import { hasSecret } from "@treelog/secrets"
import { expect, it } from "vitest"

// Made up, and put together here so that nothing in this file looks like a secret itself.
const SECRETS = [
  `token ghp_${"wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx"} please`,
  `my key is AKIA${"QWERTYUIOPASDFGH"}`,
  `aws_secret_access_key = ${"wJalrXUtnFEMIK7MDENGbPxRfiCYzEXAMPLEKEa"}b`,
  `xoxb-${"123456789012-1234567890123-abcdefghijABCDEFGHIJklmn"}`,
  `sk-ant-api03-${"a".repeat(93)}AA`,
  `npm_${"a1B2".repeat(9)}`,
  `clone https://user:${"secretpass"}@example.com/x`,
  `mongodb+srv://root:${"hunter22"}@cluster0.mongodb.net/db`,
  `-----BEGIN RSA PRIVATE KEY-----\n${"MIIEowIBAAKCAQEA75abcDEF0123456789+/".repeat(8)}\n-----END RSA PRIVATE KEY-----`,
]
const PLAIN = [
  "fix packages/session-core/src/testing/blob-store/contract.ts",
  "what does the password field do?",
  "see https://example.com/a/very/long/path?with=query",
  "构建失败了，为什么？",
]

it("knows the secrets of common services", () => {
  expect([...SECRETS, ...PLAIN, "", " "].filter(hasSecret)).toEqual(SECRETS)
})
