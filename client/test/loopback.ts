import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocketServer, type WebSocket } from 'ws'

export type Loopback = AsyncDisposable & {
  readonly url: string
  readonly socketUrl: string
  /** Open sockets, oldest first. */
  readonly sockets: ReadonlySet<WebSocket>
}

/** A small exchange on a free port; the test supplies its answers. */
export async function startLoopback(handlers: {
  readonly request?: (request: IncomingMessage, body: string, response: ServerResponse) => void
  readonly socket?: (socket: WebSocket, request: IncomingMessage) => void
}): Promise<Loopback> {
  const server: Server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += String(chunk)
    if (handlers.request === undefined) response.writeHead(404).end()
    else handlers.request(request, body, response)
  })
  const hub = new WebSocketServer({ server })
  hub.on('connection', (socket, request) => handlers.socket?.(socket, request))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    socketUrl: `ws://127.0.0.1:${port}`,
    sockets: hub.clients,
    async [Symbol.asyncDispose]() {
      for (const socket of hub.clients) socket.terminate()
      hub.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Waits until `condition` returns something other than undefined or false. */
export async function until<T>(condition: () => T | undefined | false, limitMs = 30_000): Promise<T> {
  const end = Date.now() + limitMs
  for (;;) {
    const value = condition()
    if (value !== undefined && value !== false) return value
    if (Date.now() > end) throw new Error(`still waiting: ${condition.toString()}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
