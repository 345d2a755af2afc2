export type { ConversionReport, KindCount } from "@treelog-internal/agent-files"
export type { Receipt, WriteSessionOptions, WrittenSession } from "@treelog-internal/agent-files/write"
export type { SqliteDatabase, SqliteDriver, SqliteStatement, SqliteValue } from "@treelog-internal/sqlite"
export { CodexStorage, type CodexStorageOptions } from "./agent.js"
export {
  type CodexArtifact,
  type CodexFile,
  type CodexSession,
  type ConvertCodexOptions,
  convertCodex,
} from "./convert/convert-codex.js"
export { CodexSource, type CodexSourceOptions } from "./source/codex-source.js"
export { removeCodexCopy, writeCodex } from "./write/write-codex.js"
