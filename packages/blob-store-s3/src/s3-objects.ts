import { webDigest } from "@treelog/session-core/adapter"
import { overwriteObject, readObject } from "./blob-object.js"
import { assertCredentials } from "./credentials.js"
import { listObjects } from "./list-objects.js"
import { type S3BlobStoreOptions, S3Client } from "./s3-client.js"

/** Objects of an S3 bucket by names of their own: for what has no name by its bytes, such as the copies that `treelog keep` sends. */
export class S3Objects {
  /** For people: `s3://bucket/prefix`. */
  readonly name: string
  readonly #client: S3Client

  /**
   * Opens no connection.
   * @throws InvalidArgumentError
   */
  constructor(options: S3BlobStoreOptions) {
    if (typeof options.credentials !== "function") assertCredentials(options.credentials)
    this.#client = new S3Client(options)
    this.name = this.#client.address.uri().replace(/\/$/, "")
  }

  /** The names of the objects directly in a folder, without it. @param folder ends with a slash @throws StorageError */
  async *list(folder: string): AsyncGenerator<string> {
    for await (const { name } of listObjects(this.#client, folder, "list")) yield name
  }

  /** The bytes of an object; undefined when there is none. @throws StorageError */
  async read(name: string): Promise<Uint8Array | undefined> {
    return (await readObject(this.#client, name, "read"))?.bytes
  }

  /** Stores an object, whether one of its name is there or not. @throws StorageError */
  async write(name: string, bytes: Uint8Array): Promise<void> {
    await overwriteObject(this.#client, await webDigest.sha256(bytes), bytes, name)
  }

  /** Also resolves when there is no such object. @throws StorageError */
  async remove(name: string): Promise<void> {
    await this.#client.send({ operation: "remove", name, method: "DELETE", accept: [200, 204, 404] })
  }
}
