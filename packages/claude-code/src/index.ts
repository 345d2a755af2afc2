export type { ConversionReport, KindCount } from "@treelog-internal/agent-files"
