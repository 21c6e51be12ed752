import type { Server } from 'node:http'
import { OpenSockets } from './open-sockets.ts'
import { isLoopback } from './limits.ts'
import { peerOf, type Proxies } from './proxies.ts'

/** Connections of all kinds that one network may have open at the same time: its WebSockets plus some for requests. */
const connectionsPerNetwork = 300

/**
 * Closes a connection beyond the limit of its network before a byte of it is read. A trusted proxy carries the connections of
 * many networks: their requests are counted instead.
 */
export function capConnections(
  server: Server,
  {
    proxies,
    mode,
    max = connectionsPerNetwork,
  }: { readonly proxies: Proxies; readonly mode: 'sandbox' | 'production'; readonly max?: number },
): void {
  const open = new OpenSockets(max)
  server.on('connection', (socket) => {
    const ip = peerOf(socket.remoteAddress)
    const isFree = proxies.isTrusted(ip) || (mode === 'sandbox' && isLoopback(ip))
    if (!isFree && !open.admit(ip, socket)) socket.destroy()
  })
}
