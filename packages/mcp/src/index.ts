// Past sessions for agents, over the Model Context Protocol.
export { createMcpServer, type McpServerOptions } from "./create-mcp-server.js"
export { serveOverStdio } from "./serve-over-stdio.js"
