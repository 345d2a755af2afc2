/** What a list of facts about a folder holds of each session, as far as it is compared. */
export interface ExpectedFacts {
  readonly lines: number
  readonly records: number
  readonly tornLines: number
  readonly gluedLines: number
  readonly linesByKind: Record<string, number>
  readonly blocks: Record<string, number>
  readonly entries: { total: number; byKind: Record<string, number>; resultBlocks: number }
  readonly path: {
    leaf: string
    leafBy: string
    entries: number
    sha256OfIds: string
    userAndAssistantLinesOnPath: number
  }
  readonly branches: { points: number; offPath: number; at: { parent: string; children: { id: string }[] }[] }
  readonly repairs: Record<string, number>
  readonly calls: number
  readonly callsWithoutResult: number
  readonly compactions?: { uuid: string; preTokens: number; parentAfterLinking: string; summary: string }[]
  readonly microcompactions?: { uuid: string; tools: number }[]
  readonly sidechain?: { lines: number; roots: number }
  readonly models: string[]
  readonly versions?: string[]
  readonly firstCwd: string
  readonly firstTimestamp?: string
  readonly lastTimestamp?: string
  readonly usage: Record<
    string,
    { input: number; output: number; cacheWrite: number; cacheRead: number; responses: number }
  >
  readonly title?: { source: string; text: string } | null
  readonly firstPrompt: { uuid: string; utf16Units: number; sha256: string }
  readonly subagents?: Record<string, ExpectedFacts>
}
