/** Order entry over HTTP as a fast program does it: one kept connection per caller, one request in flight on each. */
import { connect, type Socket } from 'node:net'

export type Caller = { readonly cookie: string; readonly symbol: string; readonly price: number; readonly mark: string }

const openMax = 50
const endOfHead = Buffer.from('\r\n\r\n')

/** Orders and cancels per second that were acknowledged, over so many seconds. Throws at the first answer that is not 200. */
export async function driveHttp(
  url: string,
  callers: readonly Caller[],
  seconds: number,
): Promise<{ readonly perSecond: number; readonly p50Ms: number; readonly p99Ms: number }> {
  const { hostname, port } = new URL(url)
  const until = performance.now() + seconds * 1000
  const drivers = callers.map((caller) => new Driver(caller, connect(Number(port), hostname), until))
  const delays = (await Promise.all(drivers.map((driver) => driver.run()))).flat().sort((a, b) => a - b)
  const at = (share: number) => delays[Math.floor(delays.length * share)] ?? 0
  return { perSecond: delays.length / seconds, p50Ms: at(0.5), p99Ms: at(0.99) }
}

class Driver {
  readonly #caller: Caller
  readonly #socket: Socket
  readonly #until: number
  readonly #delays: number[] = []
  readonly #open: string[] = []
  #count = 0
  #sentAt = 0
  #isPlacing = false
  #held: Buffer[] = []

  constructor(caller: Caller, socket: Socket, until: number) {
    this.#caller = caller
    this.#socket = socket
    this.#until = until
    socket.setNoDelay(true)
  }

  run(): Promise<number[]> {
    return new Promise((resolve, reject) => {
      this.#socket.on('connect', () => this.#next())
      this.#socket.on('data', (chunk: Buffer) => {
        try {
          if (!this.#take(chunk)) return
          if (performance.now() < this.#until) this.#next()
          else this.#socket.end(() => resolve(this.#delays))
        } catch (cause) {
          this.#socket.destroy()
          reject(cause)
        }
      })
      this.#socket.on('error', reject)
    })
  }

  #next(): void {
    this.#sentAt = performance.now()
    this.#isPlacing = this.#open.length < openMax
    this.#socket.write(this.#isPlacing ? this.#place() : this.#cancel(this.#open.shift() as string))
  }

  /** Around the price, both sides: about half of them meet another order sooner or later. */
  #place(): string {
    const { symbol, price, mark } = this.#caller
    const away = ((this.#count * 7919) % 100) / 100_000
    const side = this.#count++ % 2 === 0 ? 'buy' : 'sell'
    const limit = (price * (side === 'buy' ? 1 - away + 0.0002 : 1 + away - 0.0002)).toFixed(1)
    const clientId = `${mark}-${this.#count}`
    const body = `{"clientId":"${clientId}","symbol":"${symbol}","side":"${side}","type":"limit","price":"${limit}","quantity":"0.001"}`
    return this.#request('POST', '/app/v1/spot/orders', body)
  }

  #cancel(order: string): string {
    return this.#request('DELETE', `/app/v1/spot/orders/${order}?symbol=${this.#caller.symbol}`, '')
  }

  #request(method: string, path: string, body: string): string {
    const content = body === '' ? '' : `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`
    return `${method} ${path} HTTP/1.1\r\nHost: candor\r\nCookie: ${this.#caller.cookie}\r\n${content}\r\n${body}`
  }

  /** True when the answer is complete. */
  #take(chunk: Buffer): boolean {
    this.#held.push(chunk)
    const bytes = this.#held.length === 1 ? chunk : Buffer.concat(this.#held)
    const end = bytes.indexOf(endOfHead)
    if (end < 0) return false
    const head = bytes.toString('latin1', 0, end)
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
    if (bytes.length < end + 4 + length) return false
    this.#held = []
    this.#delays.push(performance.now() - this.#sentAt)
    const body = bytes.toString('utf8', end + 4)
    const isFine = head.startsWith('HTTP/1.1 200')
    // An order that was filled meanwhile can't be cancelled: that is an answer, and journaled like any other.
    if (!isFine && !(body.includes('ORDER_UNKNOWN') && !this.#isPlacing)) throw new Error(`${head.split('\r\n', 1)[0]}: ${body}`)
    if (!this.#isPlacing) return true
    const order = /"id":"(\d+)"/.exec(body)?.[1]
    if (order === undefined) throw new Error(`an answer without an order: ${body}`)
    if (!body.includes('"status":"FILLED"')) this.#open.push(order)
    return true
  }
}
