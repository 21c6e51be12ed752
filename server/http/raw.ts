import type { IncomingMessage, Server, ServerResponse } from 'node:http'

/** Handles a request and returns true, or leaves it untouched for the next server and returns false. */
export type RawServer = (request: IncomingMessage, response: ServerResponse) => boolean

/** Lets these servers handle requests before the framework, which gets what none of them handles. */
export function serveFirst(server: Server, servers: readonly RawServer[]): void {
  const framework = server.listeners('request') as ((request: IncomingMessage, response: ServerResponse) => void)[]
  server.removeAllListeners('request')
  server.on('request', (request, response) => {
    for (const take of servers) if (take(request, response)) return
    for (const listener of framework) listener(request, response)
  })
}

/** headers  names and values alternating; the length header is added */
export function sendText(response: ServerResponse, status: number, headers: string[], text: string): void {
  headers.push('content-length', String(Buffer.byteLength(text)))
  response.writeHead(status, headers)
  response.end(text)
}

/** Reads a whole body of at most `max` bytes. Rejects with `tooLarge()`, or when the client disconnects before the end. */
export function bodyOf(request: IncomingMessage, max: number, tooLarge: () => Error): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let first: Buffer | undefined
    let more: Buffer[] | undefined
    let length = 0
    request.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length > max) {
        request.pause()
        reject(tooLarge())
      } else if (first === undefined) first = chunk
      else (more ??= [first]).push(chunk)
    })
    request.on('end', () => resolve(more ? Buffer.concat(more) : (first ?? Buffer.alloc(0))))
    request.on('error', reject)
  })
}
