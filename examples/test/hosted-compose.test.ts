import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { describe, expect, test } from "vitest"
import { parse } from "yaml"

const textOf = (name: string) => readFileSync(fileURLToPath(new URL(`../hosted/${name}`, import.meta.url)), "utf8")

interface Service {
  readonly image: string
  readonly command?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly ports?: readonly string[]
  readonly volumes?: readonly string[]
  readonly depends_on?: Readonly<Record<string, unknown>> | readonly string[]
}

const compose = parse(textOf("docker-compose.yml")) as {
  readonly services: Readonly<Record<"postgres" | "pgbouncer" | "s3" | "bucket", Service>>
  readonly volumes: object
  readonly configs: { readonly s3: { readonly content: string } }
}
const { postgres, pgbouncer, s3, bucket } = compose.services

/** What the README tells to set. */
const readme = textOf("README.md")
const set = Object.fromEntries(
  [...readme.matchAll(/\b(DATABASE_URL|S3_[A-Z]+|PORT)=(\S+)/g)].map(([, name, value]) => [name, value]),
)

/** The port of this machine that leads to a port of the service. */
const published = (service: Service, port: string) =>
  service.ports?.map((line) => line.split(":")).find(([, , inside]) => inside === port)?.[1]

describe("examples/hosted/docker-compose.yml agrees with the README and the server", () => {
  test("the database", () => {
    const { POSTGRES_USER, POSTGRES_PASSWORD, POSTGRES_DB } = postgres.environment ?? {}
    const url = `postgres://${POSTGRES_USER}:${POSTGRES_PASSWORD}@localhost:${published(postgres, "5432")}/${POSTGRES_DB}`
    expect(set.DATABASE_URL).toBe(url)
    expect(postgres.image).toMatch(/^postgres:18/)
    // Images of version 18 and later refuse a volume at /var/lib/postgresql/data.
    expect(postgres.volumes).toEqual(["postgres:/var/lib/postgresql"])
  })

  test("the pooler", () => {
    const { POSTGRES_USER: DB_USER, POSTGRES_PASSWORD: DB_PASSWORD, POSTGRES_DB: DB_NAME } = postgres.environment ?? {}
    expect(pgbouncer.environment).toMatchObject({ DB_HOST: "postgres", DB_USER, DB_PASSWORD, DB_NAME })
    expect(pgbouncer.environment).toMatchObject({ POOL_MODE: "transaction", AUTH_TYPE: "scram-sha-256" })
    expect(readme).toContain(`port ${published(pgbouncer, "5432")} is pgbouncer`)
  })

  test("the bucket", () => {
    const [identity] = JSON.parse(compose.configs.s3.content).identities
    expect(identity.credentials).toEqual([{ accessKey: set.S3_KEY, secretKey: set.S3_SECRET }])
    const [port = ""] = s3.command?.join(" ").match(/(?<=-s3\.port=)\d+/) ?? []
    expect(set.S3_ENDPOINT).toBe(`http://localhost:${published(s3, port)}`)
    expect(bucket.command).toHaveLength(1)
    expect(bucket.command?.[0]).toContain(`s3.bucket.create -name ${set.S3_BUCKET}'`)
    expect(bucket.image).toBe(s3.image)
  })

  test("each image has a version, each port is of this machine only, and each name is defined", () => {
    for (const { image, ports = [], volumes = [], depends_on = [] } of Object.values(compose.services)) {
      expect(image).toMatch(/:v?\d+/)
      for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:\d+:\d+$/)
      for (const volume of volumes) expect(Object.keys(compose.volumes)).toContain(volume.split(":")[0])
      for (const name of Array.isArray(depends_on) ? depends_on : Object.keys(depends_on))
        expect(Object.keys(compose.services)).toContain(name)
    }
  })

  test("the server reads each variable of the README, and no other", () => {
    const read = [...textOf("server.ts").matchAll(/^const \{ (.*) \} = process\.env$/gm)]
      .flatMap(([, names = ""]) => names.split(", "))
      .map((name) => name.split(" = ")[0])
    const [, table = ""] = /\n\| variable \|.*?\n\|---\|---\|\n(.*?)\n\n/s.exec(readme) ?? []
    const described = table.split("\n").flatMap((row) => row.split("|")[1]?.match(/[A-Z0-9_]+/g) ?? [])
    expect(described.sort()).toEqual(read.sort())
    for (const name of Object.keys(set)) expect(read).toContain(name)
  })
})
