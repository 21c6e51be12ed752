/** TLS and HTTP/2 in front of an exchange on this machine, as the proxy of an exchange in production gives them to a browser. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { type IncomingHttpHeaders, type IncomingMessage, request as send } from 'node:http'
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'

export type Front = { readonly url: string; close(): void }

/** Undefined where `openssl`, which makes the certificate, is not installed. The browser must be told to accept it. */
export async function openFront(exchange: string): Promise<Front | undefined> {
  const certified = certificate()
  if (certified === undefined) return undefined
  const target = new URL(exchange)
  const server = createSecureServer({ ...certified, allowHTTP1: true })
  server.on('request', (request: Http2ServerRequest, response: Http2ServerResponse) => forward(target, request, response))
  server.on('upgrade', (request: IncomingMessage, socket: Duplex) => joinSockets(target, request, socket))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => void server.close() }
}

function forward({ hostname, port }: URL, request: Http2ServerRequest, response: Http2ServerResponse): void {
  const entries = Object.entries(request.headers).filter(([name]) => !name.startsWith(':'))
  const headers = { ...Object.fromEntries(entries), host: request.authority } as IncomingHttpHeaders
  const sent = send({ hostname, port, method: request.method, path: request.url, headers }, (answer) => {
    // HTTP/2 has no headers of a connection.
    const { connection: _, 'keep-alive': _kept, 'transfer-encoding': _coded, ...rest } = answer.headers
    response.writeHead(answer.statusCode ?? 502, rest)
    answer.pipe(response)
  })
  sent.on('error', () => response.stream.close())
  request.pipe(sent)
}

/** A WebSocket: the request for it goes on unchanged, and then both sides' bytes. */
function joinSockets({ hostname, port }: URL, request: IncomingMessage, socket: Duplex): void {
  const lines = [`${request.method} ${request.url} HTTP/1.1`]
  for (let at = 0; at < request.rawHeaders.length; at += 2) lines.push(`${request.rawHeaders[at]}: ${request.rawHeaders[at + 1]}`)
  const target = connect(Number(port), hostname, () => void target.write(`${lines.join('\r\n')}\r\n\r\n`))
  target.pipe(socket).pipe(target)
  for (const end of [target, socket])
    end.on('error', () => {
      target.destroy()
      socket.destroy()
    })
}

function certificate(): { readonly key: Buffer; readonly cert: Buffer } | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'candor-front-'))
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  try {
    const asked = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost'
    execFileSync('openssl', [...asked.split(' '), '-keyout', key, '-out', cert], { stdio: 'ignore' })
    return { key: readFileSync(key), cert: readFileSync(cert) }
  } catch {
    return undefined
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
