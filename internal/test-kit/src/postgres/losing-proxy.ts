import { connect, createServer, type Socket } from "node:net"

/** Where to connect instead of to the server, and how to end that. */
export interface LosingProxy {
  readonly port: number
  close(): void
}

/**
 * A proxy before a server on this machine. Where `loses` says so, it closes the connection instead of passing an answer on: the server
 * has done what was asked.
 */
export async function losingProxy(serverPort: number, loses: () => boolean): Promise<LosingProxy> {
  const sockets = new Set<Socket>()
  const proxy = createServer((client) => {
    const upstream = connect(serverPort, "127.0.0.1")
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on("error", () => socket.destroy())
      socket.on("close", () => {
        client.destroy()
        upstream.destroy()
      })
    }
    client.pipe(upstream)
    upstream.on("data", (data) => (loses() ? client.destroy() : client.write(data)))
  })
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve))
  const address = proxy.address()
  if (typeof address !== "object" || !address) throw new Error("The proxy has no port.")
  const close = (): void => {
    for (const socket of sockets) socket.destroy()
    proxy.close()
  }
  return { port: address.port, close }
}
