export interface PostgresStore {
  /** Makes the tables, unless they are there. */
  migrate(): Promise<void>
  create(id: string, lines: readonly string[]): Promise<void>
  /** Returns what appends lines to a session, durably. */
  writer(id: string): Promise<(lines: readonly string[]) => Promise<void>>
  count(id: string): Promise<number>
  /** The last bytes of a session, if they can be had without the rest. */
  tail?(id: string, bytes: number): Promise<Uint8Array>
  /** The ids of the newest sessions, newest first. */
  newest(count: number): Promise<readonly string[]>
}
