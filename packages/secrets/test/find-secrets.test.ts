import { findSecrets, redactText } from "@treelog/secrets"
import { PLANTED_KINDS, plantedSecrets } from "@treelog-internal/test-kit/secrets"
import { expect, it } from "vitest"

const SETTINGS: readonly (readonly [place: string, around: (secret: string) => string])[] = [
  ["alone", (secret) => secret],
  ["in a sentence", (secret) => `Use ${secret} for now, please.`],
  ["in quotes", (secret) => `const key = "${secret}";`],
  ["in brackets", (secret) => `<a>(${secret})[${secret}]</a>`],
  ["in JSON", (secret) => JSON.stringify({ id: 7, value: secret })],
  ["in JSON within JSON", (secret) => JSON.stringify({ out: JSON.stringify({ value: `\n${secret}` }) })],
  ["in a path", (secret) => `/home/me/${secret}/x`],
  ["behind a line number", (secret) => `    12\t${secret.replaceAll("\n", "\n    13\t")}`],
  ["beside text that is no ASCII", (secret) => `密钥：${secret}。それだけ`],
]

it.each(SETTINGS)("finds a secret %s, whatever it is of, and nothing in what is left", async (_, around) => {
  for (const { kind, text, core } of plantedSecrets(PLANTED_KINDS.length * 3)) {
    const redacted = redactText(around(text))
    for (const line of core.split("\n")) expect(redacted.text, kind).not.toContain(line)
    expect(redacted.text, kind).toMatch(/\[redacted [A-Za-z.0-9 ]+\]/)
    expect(findSecrets(redacted.text), kind).toEqual([])
  }
})

it("reports what a secret is of, and where it begins and ends", async () => {
  const [secret] = plantedSecrets(5).filter(({ kind }) => kind === "GitHub classic token")
  const text = `push with ${secret?.text}, then stop`
  expect(findSecrets(text)).toEqual([{ kind: "GitHub token", start: 10, end: 50 }])
  expect(redactText(text).text).toBe("push with [redacted GitHub token], then stop")
})

it("finds the value behind a name, to its end, and leaves the name", async () => {
  const value = "wJalrXUtnFEMIK7MDENGbPxRfiCYzzzzzzzzKEa1"
  for (const text of [
    `aws_secret_access_key = ${value}`,
    `"SecretAccessKey": "${value}"`,
    `AWS_SECRET_ACCESS_KEY=${value}`,
  ])
    expect(redactText(text).text).toBe(text.replace(value, "[redacted AWS secret key]"))
})

it("finds a secret key without a name behind the id that it belongs to", async () => {
  const id = `AKIA${"QWERTYUIOPASDFGH"}`
  const { text } = redactText(`User,Key,Secret\nbot,${id},wJalrXUtnFEMIK7MDENGbPxRfiCYzzzzzzzzKEa1\n`)
  expect(text).toBe("User,Key,Secret\nbot,[redacted AWS access key id],[redacted AWS secret key]\n")
})

it("finds what is left of a private key that was cut off", async () => {
  const text = `-----BEGIN ${"OPENSSH PRIVATE KEY"}-----\n${"b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2gt\n".repeat(3)}(cut)`
  expect(redactText(text).text).toBe("[redacted private key]\n(cut)")
})

it.each([
  ["base64", "iVBORw0K/GgoAAAA+NSUhEUgAA".repeat(20)],
  ["base64 in lines", `${`${"iVBORw0K/GgoAAAA+NSUhEUgAA".repeat(3).slice(0, 76)}\n`.repeat(6)}iVBORw0K/`],
  ["base64url", "iVBORw0K-GgoAAAA_NSUhEUgAA".repeat(20)],
])("takes nothing within the %s of a file for a token", (form, noise) => {
  const token = form === "base64url" ? `sk${"-"}proj-aB3_xY7Qz1Lm5Nq8Rt2V` : `cio${"aB3xY7Qz".repeat(4)}`
  const all = [`${noise}${token}${noise.slice(5)}`, `data:image/png;base64,${noise}${token}${noise}`]
  for (const text of all) expect(findSecrets(text)).toEqual([])
  // One that stands alone, or in a list of them.
  for (const text of [token, `${noise} ${token}`, `${noise}\n${token}\n`, `${token}\n`.repeat(9)])
    expect(findSecrets(text).length).toBeGreaterThan(0)
})

it("finds a password that people make up behind its name", async () => {
  const { text } = redactText('{"user":"anna","password":"Tr0ub4dor&3"}')
  expect(text).toBe('{"user":"anna","password":"[redacted password]"}')
})

it.each([
  "sshpass -p 'KEY' ssh deploy@10.0.0.1",
  "sshpass -pKEY scp a b:",
  "docker login -u deploy -p KEY registry.example.com",
  "docker login \\\n  -u deploy \\\n  -p KEY",
  "az login -u ci@example.com -p KEY",
  "redis-cli -h cache.example.com -a KEY ping",
  "mysql -uroot -pKEY shop",
  "mysqldump -u root -p'KEY' shop > shop.sql",
  "mongosh -u admin -p KEY --authenticationDatabase admin",
  "ldapsearch -x -D cn=admin -w KEY",
  "sqlcmd -S db -U sa -P KEY -Q x",
  "smbclient //host/share -U anna%KEY",
  "lftp -u anna,KEY ftp.example.com",
  "htpasswd -b users anna KEY",
  "zip -r -P KEY a.zip b",
  "7z x -pKEY a.7z",
  "openssl enc -aes-256-cbc -k KEY -in a",
  "gh auth login --with-token <<< KEY",
  "wrangler secret put MAIN <<< 'KEY'",
  "echo 'KEY' | docker login --username me --password-stdin",
  "printf '%s\\n' KEY | gh auth login --with-token",
  "echo KEY | sudo -S ls",
  "echo 'root:KEY' | chpasswd",
])("finds the password of a command: %s", (command) => {
  const key = "qT7xR2mK9vLp"
  expect(redactText(command.replace("KEY", key)).text).toBe(command.replace("KEY", "[redacted password]"))
})

it.each([
  "docker run -p 8080:80 -u 1000:1000 shop",
  "ssh -p 2222 deploy@10.0.0.1; mkdir -p a/b; git push -u origin main",
  "mysql -u root -p shop; mysql -P 3306 -h db",
  'docker login -u deploy -p "$TOKEN" registry.example.com',
  'echo "$TOKEN" | docker login --password-stdin',
  "docker login; docker run -p 127.0.0.1:80:80 shop",
  "redis-cli -a $REDIS_PASSWORD ping",
  "echo hello-world-2024 | sudo tee /etc/motd",
  "zip -r shop-2024.zip shop; 7z x shop.7z -oout; grep -w word ldap.conf",
  "mongod -p 27018 --bind_ip 127.0.0.1; mongodump -p 27017",
  'chpasswd <<< "root:$PASSWORD"',
  "mongorestore --port 27017 dump; ldapsearch -x -W",
  "https://user:password@example.com",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of a shell
  "https://user:${PASSWORD}@example.com",
  "Authorization: Bearer YOUR_API_TOKEN_GOES_HERE",
  "Authorization: Bearer <token>",
  "sha512-vXh8KnqzhRmvFnPdbfVjOnvoDKnA3vfZ7zlwHJk5k7pF8ATtKzKUaUsPFkJ2UDiSSdFDZWIyQVNXX0tkZqMOVg==",
  "const accessTokenProvider = createAccessTokenProvider(options.accessTokenOptions)",
  "token: string | undefined, apiKey: process.env.ANTHROPIC_API_KEY",
  "commit 9f2c4d1e8b7a6f5e4d3c2b1a0f9e8d7c6b5a4f3e",
  "id 01a1ffe2-7c3d-7a4b-9f21-3e5d6c7b8a90, max_tokens=4096, sk-cube-grid",
  "AWS account_id = 1234-5678-9012",
  "构建失败了，为什么？",
  `const BEGIN = "-----BEGIN ${"PRIVATE KEY"}-----"\n${"import { readPrivateKeyFile } from 'node:crypto/keys'\n".repeat(9)}${"/usr/lib/".repeat(5)}\nconst END = "-----END ${"PRIVATE KEY"}-----"`,
  "[redacted GitHub token] [redacted password in a URL]",
])("finds nothing in %s", async (text) => {
  expect(findSecrets(text)).toEqual([])
})
