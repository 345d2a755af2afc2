import type { SqliteConnection } from "@treelog-internal/sqlite"

// Beside what each entry used stand its sums of each session and span of time (`usage-spans.ts`): ten to forty times fewer rows, of which all
// answers are made but for the spans of which only some entries count. They have the columns of `usage`; `n`, `at` and `time` are of one entry.

/** What decides about the price of a call, and whose it is. */
export const ALIKE = "model, role, above, tier, cost > 0"

/** What is summed, in the order of the columns. */
export const SUMMED =
  "calls input output cache_read cache_write total cost cache_write_1h reasoning searches premium".split(" ")

const COLUMNS = `(
  span INTEGER NOT NULL, session INTEGER NOT NULL, n INTEGER NOT NULL, at INTEGER NOT NULL, time INTEGER NOT NULL, copies INTEGER NOT NULL,
  model INTEGER NOT NULL, role INTEGER, above INTEGER, tier INTEGER, calls INTEGER NOT NULL, input REAL NOT NULL, output REAL NOT NULL,
  cache_read REAL NOT NULL, cache_write REAL NOT NULL, total REAL NOT NULL, cost REAL NOT NULL, cache_write_1h REAL, reasoning REAL,
  searches REAL, premium REAL,
  PRIMARY KEY (span, session, n, at)
) WITHOUT ROWID`

const changed = (event: string, row: string) =>
  `CREATE TRIGGER usage_${event} AFTER ${event} ON usage BEGIN INSERT OR IGNORE INTO usage_change VALUES (${row}.span, ${row}.session); END;`

/** The tables of what was used. `usage_change`: of which sums the entries have changed; empty between transactions. */
export const USAGE_SUMS = `CREATE TABLE usage ${COLUMNS};
CREATE TABLE usage_sum ${COLUMNS};
CREATE TABLE usage_change (span INTEGER NOT NULL, session INTEGER NOT NULL, PRIMARY KEY (span, session)) WITHOUT ROWID;
${changed("INSERT", "new")} ${changed("DELETE", "old")} ${changed("UPDATE", "new")}`

/** Makes the sums of changed entries anew, in the running transaction. */
export function storeUsageSums({ db }: SqliteConnection): void {
  db.exec(`
    DELETE FROM usage_sum WHERE (span, session) IN (SELECT span, session FROM usage_change);
    INSERT INTO usage_sum SELECT span, session, min(n), at, time, copies, model, role, above, tier, ${SUMMED.map((name) => `sum(${name})`)}
      FROM usage_change CROSS JOIN usage USING (span, session) GROUP BY span, session, copies, ${ALIKE};
    DELETE FROM usage_change;`)
}
