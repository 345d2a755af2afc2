export { FakeS3, type S3Behaviour, type S3Fault } from "./fake-s3.js"
export { serveS3 } from "./serve-s3.js"
export type { S3Call } from "./verify-signature.js"
