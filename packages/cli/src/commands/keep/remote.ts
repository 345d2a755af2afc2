import {
  bringCopiesBack,
  bucketAddress,
  isAddress,
  openPostgresObjects,
  postgresAddress,
  type RemoteObjects,
} from "@treelog/stores"
import { plural, sizeText } from "@treelog-internal/text"
import { EXIT, type ExitCode } from "../../errors/exit-codes.js"
import { UsageError } from "../../errors/usage-error.js"
import type { CommandContext } from "../../io/command-context.js"
import { openOptions } from "../../store/open-named-store.js"

/**
 * The place with copies that an address names.
 * @param option the one that it was given to
 * @throws UsageError, InvalidArgumentError for what is no address of one; StorageError where a server cannot be reached
 */
export async function remoteObjects(context: CommandContext, address: string, option: string): Promise<RemoteObjects> {
  if (!isAddress(address)) throw new UsageError(`${option} takes s3://bucket/prefix or postgres://host/database.`)
  if (!/^s3:/i.test(address)) return openPostgresObjects(postgresAddress(address, option), openOptions(context))
  const { bucketObjects } = await import("../../store/bucket-blobs.js")
  return bucketObjects(context.io.env, bucketAddress(address, option))
}

/** Brings copies back that were sent. @param root the folder for the copies, an absolute path */
export async function bringBack(context: CommandContext, root: string, address: string): Promise<ExitCode> {
  const { io, options } = context
  const from = await remoteObjects(context, address, "--from")
  const brought = await context.hold(
    bringCopiesBack({
      ...{ env: io.env, cwd: io.cwd, into: root, from, signal: io.interrupted },
      onError: (_, __, error) => context.warn(error, error.message),
    }),
  )
  const { files, bytes, failed } = brought
  if (options.json) await context.printJson({ into: root, from: from.name, ...brought })
  const parts = [
    `Brought ${plural(files, "file")} of ${sizeText(bytes)} from ${from.name} to ${root}`,
    ...(failed > 0 ? [`${plural(failed, "file")} cannot be read there`] : []),
  ]
  await context.log(`${parts.join("; ")}.`)
  return failed > 0 ? EXIT.failed : EXIT.ok
}
