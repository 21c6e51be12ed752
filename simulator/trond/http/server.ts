/** The two ports of a node on loopback: full node and solidity node. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Json } from '../wire/json.ts'
import { broadcastHex, broadcastJson } from './broadcast.ts'
import { control } from './control.ts'
import type { FaultKind, Faults } from './faults.ts'
import { rpc } from './rpc.ts'
import { readingRoutes, walletRoutes } from './wallet.ts'
import type { View } from './view.ts'

const bodyMaxBytes = 8 * 1024 * 1024

export async function serve(view: View, faults: Faults, port: number): Promise<Server> {
  const server = createServer((request, response) => {
    void respond(view, faults, request, response).catch(() => request.socket.destroy())
  })
  server.listen(port, '127.0.0.1')
  await new Promise<void>((resolve, reject) => {
    server.once('listening', resolve)
    server.once('error', reject)
  })
  return server
}

/** `http://127.0.0.1:PORT` of a server that listens. */
export function urlOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function respond(view: View, faults: Faults, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
  const text = await bodyOf(request)
  const isControl = pathname.startsWith('/control/')
  const fault = isControl ? undefined : faults.take(pathname)
  if (fault === 'unavailable') return void request.socket.destroy()
  if (fault === 'garbage') return send(response, 502, 'text/html', '<html><body>502 Bad Gateway</body></html>')
  if (fault === 'rate-limit') return sendJson(response, { Error: 'class java.lang.IllegalAccessException : lack of computing resources' })
  const answer = await answerOf(view, faults, { pathname, text, query: Object.fromEntries(searchParams), fault })
  if (fault === 'drop-answer') return void request.socket.destroy()
  if (answer === undefined) return send(response, 404, 'text/plain', 'not found')
  sendJson(response, answer)
}

type Call = { readonly pathname: string; readonly text: string; readonly query: Json; readonly fault: FaultKind | undefined }

/** A wrong request gets HTTP 200 with `{"Error"}`, as from a real node. */
async function answerOf(view: View, faults: Faults, { pathname, text, query, fault }: Call): Promise<unknown> {
  const [, room, name = ''] = pathname.split('/')
  try {
    const body = text === '' ? query : (JSON.parse(text) as Json)
    if (pathname === '/jsonrpc') return await rpc(view, body, faults)
    if (room === 'walletsolidity' && Object.hasOwn(readingRoutes, name)) return await readingRoutes[name](view, body)
    if (view.isSolid) return undefined
    if (pathname === '/wallet/broadcasttransaction') return await broadcastJson(view.node, body, fault)
    if (pathname === '/wallet/broadcasthex') return await broadcastHex(view.node, body, fault)
    if (room === 'wallet' && Object.hasOwn(walletRoutes, name)) return await walletRoutes[name](view, body)
    if (room === 'control') return await control(name, view.node, body, faults)
    return undefined
  } catch (cause) {
    const error = cause instanceof Error ? cause : new Error(String(cause))
    return { Error: `class ${error.name} : ${error.message}` }
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > bodyMaxBytes) throw new Error('the body is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function sendJson(response: ServerResponse, value: unknown): void {
  send(response, 200, 'application/json', JSON.stringify(value))
}

function send(response: ServerResponse, status: number, type: string, text: string): void {
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(text) })
  response.end(text)
}
