import { equal, failsWith } from "../assert.js"
import { type BlobFixture, listed, NO_BLOB, streamed, type Tests } from "./fixture.js"

const NO_HASHES: Readonly<Record<string, string>> = {
  "nothing at all": "",
  "a path out of the folder": "../x",
  "a path out of the folder, as long as a hash": `${"../".repeat(21)}x`,
  "an absolute path": "/etc/passwd",
  "a reference": `blob:sha256:${NO_BLOB}`,
  "upper case": NO_BLOB.toUpperCase(),
  "a digit too few": NO_BLOB.slice(1),
  "a digit too many": `${NO_BLOB}0`,
  "a NUL": `${NO_BLOB.slice(1)}\0`,
  "a line end": `${NO_BLOB}\n`,
  "digits of another script": "٣".repeat(64),
  "a letter that is no digit": `${NO_BLOB.slice(1)}g`,
  "an extension": `${NO_BLOB}.png`,
}

export const hashTests: Tests = Object.fromEntries(
  Object.entries(NO_HASHES).map(([what, text]) => [
    `is not ${what}: every method refuses it`,
    async ({ store }: BlobFixture) => {
      await failsWith("InvalidArgumentError", store.get(text), "get")
      await failsWith("InvalidArgumentError", store.has(text), "has")
      await failsWith("InvalidArgumentError", store.size(text), "size")
      await failsWith("InvalidArgumentError", streamed(store, text), "openRead")
      equal(await listed(store), [], "what the store lists")
    },
  ]),
)
