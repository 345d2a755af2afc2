import { fileURLToPath } from "node:url"

/** The root of the repository, with a slash behind it. */
export const ROOT = fileURLToPath(new URL("../../..", import.meta.url))
