/** Stands between payouts and an Ethereum node, and spoils the next transactions that are handed to it. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * drop    handed on, and the connection ends without an answer
 * lose    answered as accepted, and handed to nobody
 * error   handed on, and answered with an error
 * busy    refused, and handed to nobody
 */
export const faults = ['drop', 'lose', 'error', 'busy'] as const
export type Fault = (typeof faults)[number]

const anyHash = `0x${'0'.repeat(64)}`

export class FaultyDoor implements AsyncDisposable {
  readonly #server: Server
  readonly #node: string
  #armed: Fault[] = []

  private constructor(node: string) {
    this.#node = node
    this.#server = createServer((request, response) => void this.#serve(request, response).catch(() => request.socket.destroy()))
  }

  static async open(node: string): Promise<FaultyDoor> {
    const door = new FaultyDoor(node)
    door.#server.listen(0, '127.0.0.1')
    await once(door.#server, 'listening')
    return door
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  arm(fault: Fault): void {
    this.#armed.push(fault)
  }

  clear(): void {
    this.#armed = []
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = ''
    for await (const part of request) text += String(part)
    const { id, method } = JSON.parse(text) as { id: number; method: string }
    const fault = method === 'eth_sendRawTransaction' ? this.#armed.shift() : undefined
    const error = { jsonrpc: '2.0', id, error: { code: -32_000, message: 'upstream error' } }
    if (fault === 'lose') return say(response, { jsonrpc: '2.0', id, result: anyHash })
    if (fault === 'busy') return say(response, error)
    const answer = await fetch(this.#node, { method: 'POST', headers: { 'content-type': 'application/json' }, body: text })
    const said: unknown = await answer.json()
    if (fault === 'drop') return void request.socket.destroy()
    say(response, fault === 'error' ? error : said)
  }
}

function say(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}
