// The statements of a storage. `$1` is the tenant, `$2` the key, except where noted. Only the server's clock counts: those of the
// programs may differ.
//
// A write is refused when its lease is lost: an append reads the lease, and compares `fence` of the session, which the next holder has
// raised in the statement that took the lease. Other writes lock the row of the lease, so that it is not taken over before they end.

/** Bytes of a piece: appends and uploads are cut, so that a range of a large one can be read without the rest. */
export const PIECE_BYTES = 256 * 1024

const NOW_MS = "(extract(epoch from clock_timestamp()) * 1000)::bigint"
const MINE = "tenant = $1 and key = $2 and owner = $3::uuid"

/** One piece of an object, unless there are no bytes. For appends, which need not cut bytes. */
const piece = (from: string, bytes: string, start: string) => `
  insert into treelog.piece (tenant, object, start, fence, bytes)
  select $1, object, ${start}, fence, ${bytes} from ${from} where length(${bytes}) > 0`

/** `bytes` cut into pieces of an object, which begin at `start`. */
const pieces = (from: string, bytes: string, start: string) => `
  insert into treelog.piece (tenant, object, start, fence, bytes)
  select $1, ${from}.object, ${start} + at, ${from}.fence, substring(${bytes} from at + 1 for ${PIECE_BYTES})
  from ${from}, generate_series(0, length(${bytes}) - 1, ${PIECE_BYTES}) as at`

/** Values: key, owner, pid, host, milliseconds. One row: `fence` if the lease was taken, else who holds it, as far as known. */
export const TAKE_LEASE = takeLease(
  "$3::uuid",
  "$4",
  "$5",
  expiry("$6"),
  `
  raised as (
    update treelog.session set fence = taken.fence from taken where tenant = $1 and key = $2
  )
  select (select fence from taken) as fence, null::bigint as size, null::bigint as modified`,
)

/** Values: key, pid, host, object, expected size, bytes. As above; the lease is free again. `size` if the bytes were appended. */
export const LEASE_AND_APPEND = leaseAndAppend(piece)

/** `LEASE_AND_APPEND` for more bytes than a piece has. */
export const LEASE_AND_APPEND_MANY = leaseAndAppend(pieces)

function leaseAndAppend(store: typeof pieces): string {
  return takeLease(
    "null",
    "$3",
    "$4",
    "clock_timestamp()",
    `
  grown as (
    update treelog.session set size = size + length($7::bytea), modified = ${NOW_MS}, summary_version = 0, fence = taken.fence
    from taken where tenant = $1 and key = $2 and object = $5::uuid and size = $6::bigint
    returning session.object, session.size, session.modified, session.fence
  ),
  stored as (${store("grown", "$7::bytea", "$6::bigint")})
  select (select fence from taken) as fence, (select size from grown) as size, (select modified from grown) as modified`,
  )
}

function takeLease(owner: string, pid: string, host: string, expires: string, rest: string): string {
  return `with taken as (
    insert into treelog.lease as lease (tenant, key, fence, owner, pid, host, since, expires)
    values ($1, $2, 1, ${owner}, ${pid}::integer, ${host}, clock_timestamp(), ${expires})
    on conflict (tenant, key) do update set fence = lease.fence + 1, owner = excluded.owner, pid = excluded.pid,
      host = excluded.host, since = excluded.since, expires = excluded.expires
    where lease.owner is null or lease.expires <= clock_timestamp()
    returning fence
  ),
  ${rest},
    holder.pid, holder.host, (extract(epoch from holder.since) * 1000)::bigint as since
  from (select) as one left join treelog.lease as holder on holder.tenant = $1 and holder.key = $2`
}

function expiry(milliseconds: string): string {
  return `clock_timestamp() + make_interval(secs => ${milliseconds}::float8 / 1000)`
}

/** Values: a JSON array of `{ key, owner }`, milliseconds. Renews the leases that have not lapsed, and returns their owners. */
export const RENEW_LEASES = `update treelog.lease set expires = ${expiry("$3")}
  from json_to_recordset($2::text::json) as held (key text, owner uuid)
  where lease.tenant = $1 and lease.key = held.key and lease.owner = held.owner and lease.expires > clock_timestamp()
  returning lease.owner::text`

/** Values: key, owner. The row stays while there is a session, so that `fence` only grows. */
export const RELEASE_LEASE = `with forgotten as (
    delete from treelog.lease where ${MINE} and not exists (select from treelog.session where tenant = $1 and key = $2)
  )
  update treelog.lease set owner = null
  where ${MINE} and exists (select from treelog.session where tenant = $1 and key = $2)`

/** Values: key, owner. A row if the lease is held, which others cannot take until the transaction ends. */
export const LOCK_LEASE = `select fence from treelog.lease where ${MINE} and expires > clock_timestamp() for share`

/** Values: key, owner. A row if the lease is held. */
export const CHECK_LEASE = `select fence from treelog.lease where ${MINE} and expires > clock_timestamp()`

/**
 * Values: key, owner, object, size, folder, id, whether there is an upload, the last bytes. `fence` is null if the lease is lost, `size`
 * if a session is stored already, or the upload was removed.
 */
export const CREATE = `with held as materialized (${LOCK_LEASE}),
  uploaded as (
    delete from treelog.upload where tenant = $1 and object = $4::uuid and exists (select from held) returning object
  ),
  created as (
    insert into treelog.session (tenant, key, object, size, modified, fence, hidden, folder, id)
    select $1, $2, $4::uuid, $5::bigint, ${NOW_MS}, held.fence, false, $6, $7
    from held where not $8::boolean or exists (select from uploaded)
    on conflict (tenant, key) do nothing
    returning object, modified, fence
  ),
  stored as (${pieces("created", "$9::bytea", "$5::bigint - length($9::bytea)")})
  select (select fence from held) as fence, (select modified from created) as modified`

/**
 * Values: object, start, bytes. Stores pieces of an object that no session has yet: the first begins an upload, and the others store
 * nothing once that was removed.
 */
export const UPLOAD = `with begun as (
    insert into treelog.upload (tenant, object) select $1, $2::uuid where $3::bigint = 0 returning object
  ),
  uploading as (
    select object, 0::bigint as fence from begun
    union all
    select object, 0 from treelog.upload where tenant = $1 and object = $2::uuid and $3::bigint > 0
  )
  ${pieces("uploading", "$4::bytea", "$3::bigint")}`

/** Values: object. Removes an upload and its pieces. */
export const REMOVE_UPLOAD = `with removed as (
    delete from treelog.upload where tenant = $1 and object = $2::uuid returning object
  )
  delete from treelog.piece using removed where piece.tenant = $1 and piece.object = removed.object`

/** Values: the age in milliseconds. Removes older uploads and their pieces, and returns their objects. */
export const REMOVE_UPLOADS = `with removed as (
    delete from treelog.upload
    where tenant = $1 and started < clock_timestamp() - make_interval(secs => $2::float8 / 1000) returning object
  ),
  pieces as (
    delete from treelog.piece using removed where piece.tenant = $1 and piece.object = removed.object
  )
  select object::text from removed`

/** Values: key, owner, object, expected size, bytes. A row if the bytes were appended. */
export const APPEND = append(piece)

/** `APPEND` for more bytes than a piece has. */
export const APPEND_MANY = append(pieces)

function append(store: typeof pieces): string {
  return `with held as materialized (${CHECK_LEASE}),
  grown as (
    update treelog.session set size = size + length($6::bytea), modified = ${NOW_MS}, summary_version = 0, fence = held.fence
    from held where tenant = $1 and key = $2 and object = $4::uuid and size = $5::bigint and session.fence <= held.fence
    returning session.object, session.size, session.modified, session.fence
  ),
  stored as (${store("grown", "$6::bytea", "$5::bigint")})
  select size, modified from grown`
}

/**
 * Values: key, owner, object, offset. What is stored where an append was refused: `held` is the fence of the lease unless it is lost, `at`
 * that of the append whose bytes begin at the offset.
 */
export const LOOK = `select (${CHECK_LEASE}) as held, object::text, size, modified,
    (select piece.fence from treelog.piece where piece.tenant = $1 and piece.object = $4::uuid and start = $5::bigint) as at
  from (select) as one left join treelog.session on tenant = $1 and key = $2`

/** Values: key. */
export const STAT = "select object::text, size, modified from treelog.session where tenant = $1 and key = $2"

/** `STAT`, and locks the row until the transaction ends. */
export const LOCK_SESSION = `${STAT} for update`

/** Values: key, from, to. One row if there is a session, with the bytes of the range. */
export const READ_RANGE = `select session.object::text, (
    select string_agg(
      substring(bytes from greatest($3 - start, 0)::integer + 1 for
        greatest(0, least($4, start + length(bytes)) - greatest($3, start))::integer),
      ''::bytea order by start)
    from treelog.piece
    where piece.tenant = $1 and piece.object = session.object and start < $4 and start >= coalesce((
      select max(start) from treelog.piece
      where piece.tenant = $1 and piece.object = session.object and start <= $3), 0)
  ) as bytes
  from treelog.session where tenant = $1 and key = $2`
  .replaceAll("$3", "$3::bigint")
  .replaceAll("$4", "$4::bigint")

/** Values: key, owner. Removes the session, its bytes and its summary. `fence` is null if the lease is lost. */
export const REMOVE = `with held as materialized (${LOCK_LEASE}),
  ${removing("exists (select from held)")}
  select (select fence from held) as fence`

/** Values: key. Removes the session, its bytes and its summary. */
export const DROP = `with ${removing("true")} select`

function removing(condition: string): string {
  return `gone as (
    delete from treelog.session where tenant = $1 and key = $2 and ${condition} returning object
  ),
  pieces as (
    delete from treelog.piece using gone where piece.tenant = $1 and piece.object = gone.object
  ),
  summaries as (
    delete from treelog.summary where tenant = $1 and key = $2 and ${condition}
  )`
}

/** Values: key, the name, folder and id of the name, fence, whether it is hidden. Renames a session. */
export const RENAME = `with summaries as (
    delete from treelog.summary where tenant = $1 and key = $2
  )
  update treelog.session set key = $3, folder = $4, id = $5, fence = coalesce($6::bigint, fence), hidden = $7::boolean,
    summary_version = 0
  where tenant = $1 and key = $2`

/** Values: a key, a number. The next sessions after the key. */
export const LIST = `select key from treelog.session
  where tenant = $1 and not hidden and key > $2 order by key limit $3::integer`

/** Values: a key, a number, a folder. The next sessions of the folder after the key. */
export const LIST_FOLDER = LIST.replace("order by", "and folder = $4 order by")

/** Values: an id. */
export const FIND = "select key from treelog.session where tenant = $1 and id = $2 and not hidden order by key"

/** Statements that run so often that planning them each time counts. Drivers prepare them by name, where no pooler is in between. */
export const OFTEN: ReadonlySet<string> = new Set([APPEND, LEASE_AND_APPEND, STAT, READ_RANGE])
