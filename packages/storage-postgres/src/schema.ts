// The tables. `session` has one row for each stored object, `piece` its bytes in pieces that begin at `start`. An append changes no
// indexed column of `session`, so that PostgreSQL updates the row in place (HOT): no index may have `size` or `modified`. The exception
// is `summary_version`: the version of the row of `summary` that is of all bytes of the session, and 0 where there is none. It is set when
// such a row is written, and back to 0 by the first append after that.

const TABLES = [
  `create table treelog.session (
  tenant text collate "C" not null,
  key text collate "C" not null,
  object uuid not null,
  size bigint not null,
  modified bigint not null,
  fence bigint not null,
  hidden boolean not null,
  folder text collate "C" not null,
  id text collate "C" not null,
  summary_version integer not null default 0,
  primary key (tenant, key)
) with (fillfactor = 70)`,
  "create index session_by_id on treelog.session (tenant, id) where not hidden",
  "create index session_by_folder on treelog.session (tenant, folder, key) where not hidden",
  "create index session_by_summary on treelog.session (tenant, summary_version, key) where not hidden",
  `create table treelog.piece (
  tenant text collate "C" not null,
  object uuid not null,
  start bigint not null,
  fence bigint not null,
  bytes bytea not null,
  primary key (tenant, object, start)
)`,
  `create table treelog.upload (
  tenant text collate "C" not null,
  object uuid not null,
  started timestamptz not null default now(),
  primary key (tenant, object)
)`,
  `create table treelog.lease (
  tenant text collate "C" not null,
  key text collate "C" not null,
  fence bigint not null,
  owner uuid,
  pid integer not null,
  host text not null,
  since timestamptz not null,
  expires timestamptz not null,
  primary key (tenant, key)
) with (fillfactor = 70)`,
  `create table treelog.summary (
  tenant text collate "C" not null,
  key text collate "C" not null,
  object uuid not null,
  size bigint not null,
  version integer not null,
  folder text collate "C" not null,
  cwd text,
  modified double precision not null,
  info text not null,
  resume text not null,
  primary key (tenant, key)
)`,
  "create index summary_newest_first on treelog.summary (tenant, modified desc, key)",
  "create index summary_newest_in_folder on treelog.summary (tenant, folder, modified desc, key)",
  // Servers that are built without lz4 keep their default, which reads and writes the same bytes.
  `do $$ begin
  alter table treelog.piece alter column bytes set compression lz4;
exception when feature_not_supported then null;
end $$`,
]

/** The statements of each migration, in order: the first makes version 1 of the schema. */
export const MIGRATIONS: readonly (readonly string[])[] = [TABLES]

/** The statements that must come before any migration, and can be run again. */
export const BEFORE_MIGRATIONS: readonly string[] = [
  "create schema if not exists treelog",
  "create table if not exists treelog.migration (version integer primary key, done timestamptz not null default now())",
]

// After a transaction that set it, a connection has an empty setting: that is not a tenant.
const POLICY = "tenant = nullif(current_setting('treelog.tenant', true), '')"

const ROW_LEVEL_SECURITY = ["session", "piece", "upload", "lease", "summary"].flatMap((table) => [
  `alter table treelog.${table} enable row level security`,
  `alter table treelog.${table} force row level security`,
  `drop policy if exists tenant on treelog.${table}`,
  `create policy tenant on treelog.${table} using (${POLICY}) with check (${POLICY})`,
])

/** A script to run by hand, for example with psql: what `migrate` does in an empty database. */
export function schemaSql(): string {
  const versions = MIGRATIONS.flatMap((statements, index) => [...statements, recordVersion(index + 1)])
  return script(["begin", ...BEFORE_MIGRATIONS, ...versions, "commit"])
}

/**
 * A script to run by hand, as the owner of the tables: lets PostgreSQL itself separate tenants (row-level security). Each connection
 * then sees only the rows of its `treelog.tenant`. Superusers see all rows.
 */
export function rowLevelSecuritySql(): string {
  return script(["begin", ...ROW_LEVEL_SECURITY, "commit"])
}

export function recordVersion(version: number): string {
  return `insert into treelog.migration (version) values (${version})`
}

function script(statements: readonly string[]): string {
  return statements.map((statement) => `${statement};\n`).join("")
}
