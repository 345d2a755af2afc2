import { readdirSync, readFileSync, realpathSync, statSync } from "node:fs"
import { join } from "node:path"
import { Random } from "../generator/random.js"

/** A secret that was made up. */
export interface PlantedSecret {
  /** What it is of, for messages of tests. */
  readonly kind: string
  /** As people write it down. */
  readonly text: string
  /** What must not be found any more: its longest significant part. */
  readonly core: string
}

const SMALL = "abcdefghijklmnopqrstuvwxyz"
const LETTERS = `${SMALL}${SMALL.toUpperCase()}`
const DIGITS = "0123456789"
const WORD = `${LETTERS}${DIGITS}`

class Chars {
  readonly random: Random

  constructor(random: Random) {
    this.random = random
  }

  of(alphabet: string, length: number): string {
    return Array.from({ length }, () => alphabet[this.random.below(alphabet.length)]).join("")
  }

  hex(length: number): string {
    return this.random.hex(length)
  }

  /** Letters of both sizes and digits, each at least once. */
  word(length: number): string {
    return `${this.of(WORD, length - 3)}x7Q`
  }

  url(length: number): string {
    return `${this.of(`${WORD}_-`, length - 3)}x7Q`
  }

  base64(bytes: number): string {
    return Buffer.from(this.hex(bytes * 2), "hex").toString("base64")
  }

  json(value: object): string {
    return Buffer.from(JSON.stringify(value)).toString("base64url")
  }
}

// Their beginnings are put together here, so that nothing in this file looks like a secret itself.
const MAKERS: Readonly<Record<string, (chars: Chars) => { text: string; core: string } | string>> = {
  "AWS access key id": (c) => `AK${"IA"}${c.of(`${SMALL.toUpperCase()}234567`, 16)}`,
  "AWS secret key": (c) => {
    const core = c.word(40)
    return { text: `aws_secret_access_key = ${core}`, core }
  },
  "GitHub classic token": (c) => `gh${"p_"}${c.word(36)}`,
  "GitHub fine-grained token": (c) => `github${"_pat_"}${c.word(22)}_${c.word(59)}`,
  "GitHub app token": (c) => `gh${"s_"}${c.word(36)}`,
  "GitLab token": (c) => `gl${"pat-"}${c.url(20)}`,
  "Slack token": (c) => `xo${"xb-"}${c.of(DIGITS, 12)}-${c.of(DIGITS, 13)}-${c.word(24)}`,
  "Slack webhook": (c) => {
    const core = `T${c.of(SMALL.toUpperCase(), 10)}/B${c.of(SMALL.toUpperCase(), 10)}/${c.word(24)}`
    return { text: `https://hooks.slack.com/${"services"}/${core}`, core }
  },
  "Stripe key": (c) => `sk${"_live_"}${c.word(24)}`,
  "npm token": (c) => `np${"m_"}${c.word(36)}`,
  "PyPI token": (c) => `py${"pi-"}AgEIcHlwaS5vcmc${c.url(90)}`,
  "Google API key": (c) => `AI${"za"}${c.url(35)}`,
  "service account": (c) => {
    const core = c.base64(120)
    const pem = `-----BEGIN ${"PRIVATE KEY"}-----\nMII${core}\n-----END ${"PRIVATE KEY"}-----\n`
    return { text: JSON.stringify({ type: "service_account", private_key_id: c.hex(40), private_key: pem }), core }
  },
  "OpenAI key": (c) => `sk${"-"}${c.word(48)}`,
  "OpenAI project key": (c) => `sk${"-proj-"}${c.url(60)}`,
  "Anthropic key": (c) => `sk${"-ant-"}api03-${c.url(93)}AA`,
  "Azure storage key": (c) => {
    const core = c.base64(64)
    return { text: `DefaultEndpointsProtocol=https;AccountName=shop;Account${"Key"}=${core}`, core }
  },
  "SendGrid key": (c) => `S${"G."}${c.url(22)}.${c.url(43)}`,
  "Twilio key": (c) => `S${"K"}${c.hex(32)}`,
  "Telegram token": (c) => {
    const core = `AA${c.url(33)}`
    return { text: `${c.of("123456789", 10)}:${core}`, core }
  },
  "Hugging Face token": (c) => `h${"f_"}${c.of(LETTERS, 34)}`,
  "DigitalOcean token": (c) => `do${"p_v1_"}${c.hex(64)}`,
  "Linear key": (c) => `lin${"_api_"}${c.word(40)}`,
  "1Password token": (c) => `op${"s_ey"}${c.word(200)}`,
  "Docker token": (c) => `dckr${"_pat_"}${c.url(27)}`,
  "Matrix token": (c) => `sy${"t_"}YW5uYQ_${c.word(20)}_${c.word(6)}`,
  "MiniMax key": (c) => `sk${"-cp-"}${c.url(80)}`,
  "Kimi key": (c) => `sk${"-kimi-"}${c.word(60)}`,
  "Fireworks key": (c) => `fw${"_"}${c.word(24)}`,
  "Amp token": (c) => `sgamp${"_user_"}${c.of(`${SMALL.toUpperCase()}234567`, 26)}_${c.hex(64)}`,
  "Context7 key": (c) => `ctx7${"sk-"}${c.hex(8)}-${c.hex(4)}-${c.hex(4)}-${c.hex(4)}-${c.hex(12)}`,
  "Z.ai key": (c) => {
    const core = c.word(16)
    return { text: `${c.hex(32)}.${core}`, core }
  },
  "AWS Bedrock key for hours": (c) => `bedrock-api${"-key-"}${c.word(200)}`,
  "Cloudflare user token": (c) => `cfu${"t_"}${c.word(40)}${c.hex(8)}`,
  "Render key": (c) => `rn${"d_"}${c.word(28)}`,
  "Daytona key": (c) => `dt${"n_"}${c.hex(64)}`,
  "signature of a link": (c) => {
    const core = c.hex(64)
    return { text: `https://shop.s3.amazonaws.com/a.zip?X-Amz-Expires=3600&X-Amz-Signature=${core}`, core }
  },
  "PostHog key": (c) => `ph${"x_"}${c.word(48)}`,
  "Polar token": (c) => `polar${"_oat_"}${c.word(43)}`,
  "Figma token": (c) => `fig${"d_"}${c.url(40)}`,
  "Vercel token": (c) => `vc${"p_"}${c.word(24)}`,
  "Shopify token": (c) => `shp${"at_"}${c.hex(32)}`,
  "RSA key": (c) => {
    const core = `MIIEow${c.word(58)}`
    const lines = [core, ...Array.from({ length: 11 }, () => c.word(64))]
    const ends = ["BEGIN", "END"].map((end) => `-----${end} RSA ${"PRIVATE KEY"}-----`)
    return { text: [ends[0], ...lines, ends[1]].join("\n"), core }
  },
  "password in a URL": (c) => {
    const core = c.word(14)
    return { text: `https://deploy:${core}@git.example.org/shop.git`, core }
  },
  "database URL": (c) => {
    const core = c.word(16)
    return { text: `postgres://shop:${core}@db.internal:5432/shop`, core }
  },
  "JSON web token": (c) => {
    const core = c.url(43)
    return { text: `${c.json({ alg: "HS256", typ: "JWT" })}.${c.json({ sub: c.hex(8), iat: 1 })}.${core}`, core }
  },
  "bearer token": (c) => {
    const core = c.word(40)
    return { text: `Authorization: Bearer ${core}`, core }
  },
  "Discord token": (c) => {
    const id = Buffer.from(`1${c.of(DIGITS, 16)}`).toString("base64url")
    return `${id}.${c.url(6)}.${c.url(27)}`
  },
  "password in .netrc": (c) => {
    const core = c.of(SMALL, 16)
    return { text: `machine api.example.org login deploy password ${core}`, core }
  },
  "password of a command": (c) => {
    const core = c.word(14)
    return { text: `docker login -u deploy -p ${core} registry.example.org`, core }
  },
  "password of curl": (c) => {
    const core = c.of(LETTERS, 14)
    return { text: `curl -sSu deploy:${core} https://api.example.org/`, core }
  },
  cookie: (c) => {
    const core = c.word(32)
    return { text: `Cookie: theme=dark; session=${core}; lang=en`, core }
  },
  "cookie that is set": (c) => {
    const core = c.url(32)
    return { text: `Set-Cookie: sid=${core}; Path=/; HttpOnly`, core }
  },
  "credentials of a registry": (c) => {
    const core = Buffer.from(`deploy:${c.word(20)}`).toString("base64")
    return { text: `{"auths":{"registry.example.org":{"auth":"${core}"}}}`, core }
  },
  "key in a kubeconfig": (c) => {
    const pem = `-----BEGIN EC ${"PRIVATE KEY"}-----\n${c.word(64)}\n${c.word(40)}\n-----END EC ${"PRIVATE KEY"}-----\n`
    const core = Buffer.from(pem).toString("base64")
    return { text: `client-key-data: ${core}`, core }
  },
  "key in base64": (c) => {
    const pem = `-----BEGIN RSA ${"PRIVATE KEY"}-----\n${c.word(64)}\n${c.word(40)}\n-----END RSA ${"PRIVATE KEY"}-----\n`
    return Buffer.from(pem).toString("base64")
  },
  "password of letters": (c) => {
    const core = c.of(SMALL, 16)
    return { text: `--password=${core}`, core }
  },
  "variable of letters": (c) => {
    const core = c.of(LETTERS, 24)
    return { text: `API_TOKEN=${core}`, core }
  },
}

/** How many kinds there are. */
export const PLANTED_KINDS: readonly string[] = Object.keys(MAKERS)

/** As many secrets as asked for, of all kinds in turn; the same for the same seed, and no two alike. */
export function plantedSecrets(count: number, seed = 1): PlantedSecret[] {
  const chars = new Chars(new Random(seed))
  return Array.from({ length: count }, (_, index) => {
    const kind = PLANTED_KINDS[index % PLANTED_KINDS.length] ?? ""
    const made = MAKERS[kind]?.(chars) ?? ""
    return typeof made === "string" ? { kind, text: made, core: made } : { kind, ...made }
  })
}

const SOURCE = /\.(?:[cm]?[jt]sx?|json|md|css)$/
/** Characters: larger files are bundles. */
const LARGEST = 400_000

/** The text of files of source code in a folder and below it, in order, until there are about so many characters. */
export function sourceTexts(folder: string, characters: number): string[] {
  const texts: string[] = []
  let size = 0
  const open = [realpathSync(folder)]
  for (let next = open.pop(); next !== undefined && size < characters; next = open.pop()) {
    for (const { name, isFolder, path } of entriesIn(next)) {
      if (isFolder) open.push(path)
      else if (size < characters && SOURCE.test(name) && statSync(path).size < LARGEST) {
        const text = readFileSync(path, "utf8")
        texts.push(text)
        size += text.length
      }
    }
  }
  return texts
}

/** Links are not followed: below a package they lead to others of its kind. */
function entriesIn(folder: string): { name: string; isFolder: boolean; path: string }[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() || entry.isFile())
    .map((entry) => ({ name: entry.name, isFolder: entry.isDirectory(), path: join(folder, entry.name) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}
