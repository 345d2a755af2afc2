/** The address of routes, with `/` at its end. */
export function routesBase(routes: string): string {
  return routes.endsWith("/") ? routes : `${routes}/`
}
