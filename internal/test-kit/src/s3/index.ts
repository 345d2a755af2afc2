export { FakeS3, type S3Behaviour, type S3Fault, serveS3 } from "./fake-s3.js"
export type { S3Call } from "./verify-signature.js"
