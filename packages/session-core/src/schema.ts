// The loose schemas of headers, entries and messages. A separate entry point, so that reading a session does not load zod.
export { checkEntry, type EntryCheck, type EntryIssue } from "./schema/check-entry.js"
export { contentSchema, contentSchemas } from "./schema/content-schemas.js"
export { entrySchema, entrySchemas } from "./schema/entry-schemas.js"
export { headerSchema } from "./schema/header-schema.js"
export { messageSchema, messageSchemas, usageSchema } from "./schema/message-schemas.js"
