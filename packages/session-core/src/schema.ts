// The loose schemas of headers, entries and messages. A separate entry point, so that reading a session does not load zod.
export { checkEntry } from "./schema/check-entry.js"
export { entrySchema, entrySchemas, headerSchema } from "./schema/entry-schemas.js"
export { contentSchema, messageSchema, messageSchemas, usageSchema } from "./schema/message-schemas.js"
