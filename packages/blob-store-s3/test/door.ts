// What the tests of this package import and its users cannot: CONTRIBUTING.md, "Tests".

export { listObjects } from "../src/list-objects.js"
export { elementsOf } from "../src/read-xml.js"
export { encodeUri } from "../src/s3-address.js"
export { S3Client } from "../src/s3-client.js"
export { signRequest } from "../src/sign-request.js"
export { systemTimer } from "../src/timer.js"
