/** A part of the viewer on a page. */
export interface Part<Options> {
  /** Changes options; those that are not named stay. */
  update(changes: Partial<Options>): void
  /** Removes the part, and ends its requests. */
  close(): void
}

export interface PartOptions {
  /** The colours. Default: those of the system, and the part follows when they change. */
  readonly theme?: "light" | "dark" | undefined
}

/** The address of routes, with `/` at its end. @throws TypeError for what is no address */
export function routesBase(routes: string): string {
  if (typeof routes !== "string") throw new TypeError("`routes` is the address of the routes, such as /api.")
  return routes.endsWith("/") ? routes : `${routes}/`
}

/** Where the routes of `createSessionRoutes` are. */
export interface RoutesOptions {
  /** The address of the routes, such as `/api`; relative to the page. Empty for none. */
  readonly routes: string
  /**
   * Sends a request to the routes: for headers of your own, or for routes in the page itself. Undefined means "not found".
   * Default: `fetch`.
   */
  readonly fetch?: ((request: Request) => Promise<Response | undefined>) | undefined
}
