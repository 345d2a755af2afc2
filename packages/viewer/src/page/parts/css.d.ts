declare module "*.css?inline" {
  const css: string
  // biome-ignore lint/style/noDefaultExport: Vite exports it like this.
  export default css
}
