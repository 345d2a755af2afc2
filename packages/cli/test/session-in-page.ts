import { gunzipSync } from "node:zlib"

/** The session that is packed in an exported page. */
export function sessionInPage(html: string): string {
  const blocks = [...html.matchAll(/<script type="application\/x-treelog-session">([^<]*)<\/script>/g)]
  return gunzipSync(Buffer.concat(blocks.map(([, base64 = ""]) => Buffer.from(base64, "base64")))).toString("utf8")
}
