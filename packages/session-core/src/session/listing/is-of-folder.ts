/**
 * The project of a folder, such as its repository; undefined for a folder of none. Sessions of other folders with the same project are
 * listed with those of the folder.
 */
export type ProjectOf = (cwd: string) => string | undefined

/** Whether a session is listed with those of a folder: it was started there, or in another folder of the same project. */
export function isOfFolder(
  session: { readonly cwd: string; readonly project?: string | undefined },
  folder: string,
  projectOf: ProjectOf = () => undefined,
): boolean {
  if (session.cwd === folder) return true
  const project = projectOf(folder)
  return project !== undefined && (session.project ?? projectOf(session.cwd)) === project
}
