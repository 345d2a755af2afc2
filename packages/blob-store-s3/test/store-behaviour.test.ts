import { createHash } from "node:crypto"
import { request } from "node:http"
import { setTimeout as sleep } from "node:timers/promises"
import { serveS3 } from "@treelog-internal/test-kit/s3"
import { describe, expect, test } from "vitest"
import { signRequest } from "./door.js"
import { ask, engines, newPrefix } from "./engines.js"

// What `S3BlobStore` relies on. The fake has to answer as the real store does.

const md5 = (text: string) => createHash("md5").update(text).digest("hex")
const bare = (etag: string | null | undefined) => (etag ?? "").replace(/&quot;|"/g, "")

describe.each(await engines())("$name", (engine) => {
  test("stores an object, and returns it with its size, its time and its ETag", async () => {
    const key = `${newPrefix()}/a`
    const put = await ask(engine, "PUT", key, { body: "hello" })
    expect([put.status, bare(put.headers.get("etag"))]).toEqual([200, md5("hello")])
    const get = await ask(engine, "GET", key)
    expect([get.status, get.text, bare(get.headers.get("etag"))]).toEqual([200, "hello", md5("hello")])
    const head = await ask(engine, "HEAD", key)
    expect([head.status, head.text, head.headers.get("content-length")]).toEqual([200, "", "5"])
    const age = Date.parse(head.headers.get("date") ?? "") - Date.parse(head.headers.get("last-modified") ?? "")
    expect(Math.abs(age)).toBeLessThan(5_000)
    expect(head.headers.get("x-amz-request-id")).not.toBeNull()
  })

  test("creates an object only once with If-None-Match: *", async () => {
    const key = `${newPrefix()}/a`
    const create = (body: string) => ask(engine, "PUT", key, { body, headers: { "if-none-match": "*" } })
    expect((await create("first")).status).toBe(200)
    const second = await create("second")
    expect([second.status, second.code]).toEqual([412, "PreconditionFailed"])
    expect((await ask(engine, "GET", key)).text).toBe("first")
    await ask(engine, "DELETE", key)
    expect((await create("third")).status).toBe(200)
  })

  test("lets one of 20 writers create an object", async () => {
    const key = `${newPrefix()}/a`
    const writers = Array.from({ length: 20 }, (_, number) =>
      ask(engine, "PUT", key, { body: `${number}`, headers: { "if-none-match": "*" } }),
    )
    const statuses = (await Promise.all(writers)).map(({ status }) => status).sort()
    expect(statuses).toEqual([200, ...Array.from({ length: 19 }, () => 412)])
  })

  test("reports what is not there", async () => {
    const key = `${newPrefix()}/none`
    const of = async (method: string, asked = {}) => {
      const { status, code } = await ask(engine, method, key, asked)
      return [status, code]
    }
    const bucket = "no-such-bucket"
    expect(await of("GET")).toEqual([404, "NoSuchKey"])
    expect(await of("GET", { headers: { range: "bytes=0-0" } })).toEqual([404, "NoSuchKey"])
    expect(await of("HEAD")).toEqual([404, undefined])
    expect(await of("GET", { bucket })).toEqual([404, "NoSuchBucket"])
    expect(await of("PUT", { bucket, body: "x" })).toEqual([404, "NoSuchBucket"])
    expect(await of("HEAD", { bucket })).toEqual([404, undefined])
    expect(await of("DELETE")).toEqual([204, undefined])
  })

  test("returns the first byte, of an object that has one", async () => {
    const prefix = newPrefix()
    await ask(engine, "PUT", `${prefix}/full`, { body: "hello" })
    await ask(engine, "PUT", `${prefix}/empty`, { body: "" })
    const first = (key: string) => ask(engine, "GET", `${prefix}/${key}`, { headers: { range: "bytes=0-0" } })
    expect(await first("full")).toMatchObject({ status: 206, text: "h" })
    expect(await first("empty")).toMatchObject({ status: 416, code: "InvalidRange" })
  })

  test("makes an object younger that is copied onto itself", async () => {
    const key = `${newPrefix()}/a b+ü`
    await ask(engine, "PUT", key, { body: "hello" })
    const modified = async () => {
      const { text } = await ask(engine, "GET", "", { query: { "list-type": "2", prefix: key } })
      return Date.parse(/<LastModified>(.*?)</.exec(text)?.[1] ?? "")
    }
    const before = await modified()
    await sleep(20)
    const source = `/${engine.bucket}/${key.split("/").map(encodeURIComponent).join("/")}`
    const copy = (headers = {}) => ask(engine, "PUT", key, { headers: { "x-amz-copy-source": source, ...headers } })
    expect(await copy()).toMatchObject({ status: 400, code: "InvalidRequest" })
    const copied = await copy({ "x-amz-metadata-directive": "REPLACE" })
    expect(copied).toMatchObject({ status: 200, text: expect.stringContaining("<CopyObjectResult") })
    expect(bare(/<ETag>(.*?)</.exec(copied.text)?.[1])).toBe(md5("hello"))
    expect(await modified()).toBeGreaterThan(before)
    expect((await ask(engine, "GET", key)).text).toBe("hello")
    await ask(engine, "DELETE", key)
    const gone = await copy({ "x-amz-metadata-directive": "REPLACE" })
    expect(gone).toMatchObject({ status: 404, code: "NoSuchKey" })
  })

  test("lists keys in pages, without those below the next delimiter", async () => {
    const prefix = `${newPrefix()}/`
    const names = ["b c", "d+e", "f%20g", "ü&<>", "z"]
    for (const name of [...names, "below/x", "below/y"]) await ask(engine, "PUT", `${prefix}${name}`, { body: name })
    const found: string[] = []
    let token: string | undefined
    let pages = 0
    do {
      const more = token === undefined ? {} : { "continuation-token": token }
      const basic = { "list-type": "2", "encoding-type": "url", delimiter: "/", "max-keys": "2" }
      const page = await ask(engine, "GET", "", { query: { ...basic, prefix, ...more } })
      expect([page.status, page.text.includes("<ListBucketResult")]).toEqual([200, true])
      expect(page.text).toContain("<EncodingType>url</EncodingType>")
      const keys = [...page.text.matchAll(/<Contents><Key>(.*?)<\/Key>/g)].map(([, key = ""]) =>
        decodeURIComponent(key),
      )
      expect(keys.length).toBeLessThanOrEqual(2)
      found.push(...keys)
      pages++
      const isTruncated = page.text.includes("<IsTruncated>true</IsTruncated>")
      token = isTruncated ? /<NextContinuationToken>(.*?)</.exec(page.text)?.[1] : undefined
    } while (token !== undefined)
    expect(found.map((key) => key.slice(prefix.length)).sort()).toEqual([...names].sort())
    expect(pages).toBe(3)
  })

  test("stores nothing of an upload that breaks off", async ({ onTestFinished }) => {
    const key = `${newPrefix()}/a`
    const served = engine.fake && (await serveS3(engine.fake))
    if (served) onTestFinished(served.stop)
    const url = new URL(`${served?.endpoint ?? engine.endpoint}/${engine.bucket}/${key}`)
    const body = Buffer.alloc(2_000_000)
    const bodyHash = createHash("sha256").update(body).digest("hex")
    const signer = { credentials: engine.credentials, region: engine.region, now: Date.now() }
    const signed = await signRequest({ method: "PUT", url, headers: {}, bodyHash }, signer)
    const upload = request(url, { method: "PUT", headers: { ...signed, "content-length": body.length } })
    const broken = new Promise((resolve) => upload.on("error", resolve))
    await new Promise((resolve) => upload.write(body.subarray(1), resolve))
    await sleep(200)
    upload.destroy()
    expect(await broken).toMatchObject({ code: "ECONNRESET" })
    await sleep(500)
    expect((await ask(engine, "GET", key)).code).toBe("NoSuchKey")
  })

  test("refuses what is signed wrongly, too late, or was changed on its way", async () => {
    const key = `${newPrefix()}/a`
    await ask(engine, "PUT", key, { body: "hello" })
    const { accessKeyId, secretAccessKey } = engine.credentials
    const get = async (asked: object) => {
      const { status, code } = await ask(engine, "GET", key, asked)
      return [status, code]
    }
    const withKeys = (credentials: object) => get({ credentials })
    expect(await withKeys({ accessKeyId, secretAccessKey: "another" })).toEqual([403, "SignatureDoesNotMatch"])
    expect(await withKeys({ accessKeyId: "another", secretAccessKey })).toEqual([403, "InvalidAccessKeyId"])
    expect(await get({ now: Date.now() - 3_600_000 })).toEqual([403, "RequestTimeTooSkewed"])
    const changed = await ask(engine, "PUT", `${key}2`, { body: "x", bodyHash: "0".repeat(64) })
    expect([changed.status, changed.code]).toEqual([400, "XAmzContentSHA256Mismatch"])
    expect((await ask(engine, "GET", `${key}2`)).status).toBe(404)
  })
})
