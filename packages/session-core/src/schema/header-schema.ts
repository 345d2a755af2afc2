import * as z from "zod/mini"
import { verbatimObject } from "./verbatim-object.js"

/** The header of a session, of any version (FORMAT.md, section 2). */
export const headerSchema = verbatimObject({
  type: z.literal("session"),
  version: z.exactOptional(z.number()),
  id: z.string().check(z.minLength(1)),
  timestamp: z.string(),
  cwd: z.string(),
  parentSession: z.exactOptional(z.string()),
  title: z.exactOptional(z.string()),
  titleSource: z.exactOptional(z.string()),
})
