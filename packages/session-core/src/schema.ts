// The loose schemas of what stands in a session's file. A subpath of its own: reading a session never loads zod.
export { checkEntry, type EntryCheck, type EntryIssue } from "./schema/check-entry.js"
export { contentSchema, contentSchemas } from "./schema/content-schemas.js"
export { entrySchema, entrySchemas } from "./schema/entry-schemas.js"
export { headerSchema } from "./schema/header-schema.js"
export { messageSchema, messageSchemas, usageSchema } from "./schema/message-schemas.js"
