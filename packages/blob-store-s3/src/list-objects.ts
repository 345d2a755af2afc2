import { elementsOf, elementText, isWholeDocument } from "./read-xml.js"
import { type S3Client, timeOf } from "./s3-client.js"
import { s3Error } from "./s3-error.js"

/** An object in a list. */
export interface ListedObject {
  /** What follows `below` in its name. */
  readonly name: string
  /** Bytes. */
  readonly size: number
  /** When it was last written. Milliseconds since 1970, by the clock of the store. */
  readonly modified: number
  /** How long that was ago when the store answered. Milliseconds; NaN if the store does not report its time. */
  readonly age: number
}

/** Of 1000 objects each: a store that always has one more would never end. */
const MOST_PAGES = 10_000

/**
 * The objects directly below `below`: a name below the prefix that ends with a slash, or "". The store returns them in pages.
 * @throws StorageError, also for an answer that is not a complete list: nothing is ever left out silently
 */
export async function* listObjects(
  client: S3Client,
  below: string,
  operation: string,
  mostPages: number = MOST_PAGES,
): AsyncGenerator<ListedObject> {
  const purpose = { operation, name: below }
  const unexpected = (what: string) => {
    const reason = `${what}. The endpoint does not answer as S3 does. Check \`endpoint\` and \`addressing\`.`
    return s3Error(client.address, purpose, "UnexpectedAnswer", `UnexpectedAnswer: ${reason}`)
  }
  const prefix = client.address.keyOf(below)
  // The keys come encoded: XML cannot hold all characters that a key can.
  const basic = { "list-type": "2", delimiter: "/", "encoding-type": "url", "max-keys": "1000", prefix }
  let token: string | undefined
  let pages = 0
  do {
    const query = token === undefined ? basic : { ...basic, "continuation-token": token }
    const answer = await client.send({ ...purpose, method: "GET", isBucket: true, query })
    const page = new TextDecoder().decode(answer.bytes)
    if (!isWholeDocument(page, "ListBucketResult")) throw unexpected("The answer is not a list, or only a part of one")
    if (++pages > mostPages) throw unexpected(`The list has more than ${mostPages} pages`)
    const now = timeOf(answer)
    const isEncoded = elementText(page, "EncodingType") === "url"
    for (const object of elementsOf(page, "Contents")) {
      const key = isEncoded ? decodeKey(elementText(object, "Key") ?? "") : elementText(object, "Key")
      const size = Number(elementText(object, "Size") ?? Number.NaN)
      const modified = Date.parse(elementText(object, "LastModified") ?? "")
      if (!key?.startsWith(prefix)) throw unexpected("The list has keys that were not requested")
      if (!Number.isSafeInteger(size) || Number.isNaN(modified)) throw unexpected("The list has no sizes or no times")
      yield { name: key.slice(prefix.length), size, modified, age: now - modified }
    }
    const isLast = elementText(page, "IsTruncated") !== "true"
    const next = elementText(page, "NextContinuationToken")
    if (!isLast && (next === undefined || next === "" || next === token)) throw unexpected("The list has no next page")
    token = isLast ? undefined : next
  } while (token !== undefined)
}

/** Undefined for what is not encoded correctly. Some stores encode a space as in forms. */
function decodeKey(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll("+", "%20"))
  } catch (error) {
    if (error instanceof URIError) return undefined
    throw error
  }
}
