import type { IncomingMessage, Server, ServerResponse } from 'node:http'

/** Takes a request that is its own: true. False leaves it, untouched, to whoever comes next. */
export type RawServer = (request: IncomingMessage, response: ServerResponse) => boolean

/** Told of each answer, for the metrics. */
export type Ended = (status: number, ms: number) => void

/** Puts servers before the framework's own, which gets what none of them takes. */
export function serveFirst(server: Server, servers: readonly RawServer[]): void {
  const framework = server.listeners('request') as ((request: IncomingMessage, response: ServerResponse) => void)[]
  server.removeAllListeners('request')
  server.on('request', (request, response) => {
    for (const take of servers) if (take(request, response)) return
    for (const listener of framework) listener(request, response)
  })
}

/** headers  names and values in turn; the length is added to them */
export function sendText(response: ServerResponse, status: number, headers: string[], text: string): void {
  headers.push('content-length', String(Buffer.byteLength(text)))
  response.writeHead(status, headers)
  response.end(text)
}

/** A whole body of at most so many bytes. Rejects with `tooLarge()`, or when the other end leaves in the middle. */
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
