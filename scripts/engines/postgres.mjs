// A second major version of PostgreSQL, from Debian, and a pooler. The set-up of the tests starts both.

/** The folder of `initdb` and `postgres`. */
export const POSTGRES_BINARIES = "/usr/lib/postgresql/15/bin"

/** By program: the Debian package that has it. */
export const POSTGRES_PROGRAMS = {
  [`${POSTGRES_BINARIES}/postgres`]: "postgresql-15",
  "/usr/sbin/pgbouncer": "pgbouncer",
}

/** What the set-up of the tests takes. */
export const POSTGRES_ENVIRONMENT = {
  TREELOG_TEST_POSTGRES: POSTGRES_BINARIES,
  TREELOG_TEST_PGBOUNCER: "/usr/sbin/pgbouncer",
}
