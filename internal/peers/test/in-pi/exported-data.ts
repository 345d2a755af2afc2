import { readFileSync } from "node:fs"

/** What a page that pi exported shows: pi packs it into the page. */
export function exportedData(path: string): unknown {
  const [, packed = ""] = /<script id="session-data"[^>]*>([^<]*)<\/script>/.exec(readFileSync(path, "utf8")) ?? []
  return JSON.parse(Buffer.from(packed, "base64").toString())
}
