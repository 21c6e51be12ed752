/** Order entry over HTTP as a fast program does it: one kept connection per caller, one request in flight on each. */
import { connect, type Socket } from 'node:net'

export type Caller = { readonly cookie: string; readonly symbol: string; readonly price: number; readonly mark: string }

const openMax = 50
const answerMax = 64 * 1024
/** Carriage return and line feed twice, as one number. */
const endOfHead = 0x0d0a0d0a
const okay = Buffer.from('HTTP/1.1 200')
const lengthName = Buffer.from('content-length: ')
const idName = Buffer.from('"id":"')
const filled = Buffer.from('"status":"filled"')
const quote = 0x22

/** Orders and cancels per second that were acknowledged, over so many seconds. Throws at the first answer that is not 200. */
export async function driveHttp(
  url: string,
  callers: readonly Caller[],
  seconds: number,
): Promise<{ readonly perSecond: number; readonly p50Ms: number; readonly p99Ms: number }> {
  const until = performance.now() + seconds * 1000
  const drivers = callers.map((caller) => new Driver(caller, new URL(url), until))
  const delays = (await Promise.all(drivers.map((driver) => driver.run()))).flat().sort((a, b) => a - b)
  const at = (share: number) => delays[Math.floor(delays.length * share)] ?? 0
  return { perSecond: delays.length / seconds, p50Ms: at(0.5), p99Ms: at(0.99) }
}

/** Shares two cores with what it measures, as pgbench does: so it looks at no more of an answer than it needs. */
class Driver {
  readonly #caller: Caller
  readonly #url: URL
  readonly #until: number
  readonly #delays: number[] = []
  readonly #open: string[] = []
  /** What does not change from one request to the next. */
  readonly #placeHead: string
  readonly #placeBody: string
  readonly #cancelTail: string
  /** The answer that is arriving. */
  readonly #answer = Buffer.alloc(answerMax)
  #held = 0
  #count = 0
  #sentAt = 0
  #isPlacing = false
  #socket: Socket | undefined

  constructor(caller: Caller, url: URL, until: number) {
    const { cookie, symbol } = caller
    this.#caller = caller
    this.#url = url
    this.#until = until
    const common = `Host: candor\r\nCookie: ${cookie}\r\n`
    this.#placeHead = `POST /app/v1/spot/orders HTTP/1.1\r\n${common}Content-Type: application/json\r\nContent-Length: `
    this.#placeBody = `","symbol":"${symbol}","type":"limit","quantity":"0.001","side":"`
    this.#cancelTail = `?symbol=${symbol} HTTP/1.1\r\n${common}\r\n`
  }

  run(): Promise<number[]> {
    return new Promise((resolve, reject) => {
      const { hostname, port } = this.#url
      const take = (bytes: number, chunk: Uint8Array): boolean => {
        try {
          if (!this.#take(chunk, bytes)) return true
          if (performance.now() < this.#until) this.#next()
          else socket.end(() => resolve(this.#delays))
        } catch (cause) {
          socket.destroy()
          reject(cause)
        }
        return true
      }
      const socket = connect({ host: hostname, port: Number(port), onread: { buffer: Buffer.alloc(answerMax), callback: take } })
      this.#socket = socket
      socket.setNoDelay(true)
      socket.on('connect', () => this.#next())
      socket.on('error', reject)
    })
  }

  #next(): void {
    this.#sentAt = performance.now()
    this.#isPlacing = this.#open.length < openMax
    this.#socket!.write(this.#isPlacing ? this.#place() : this.#cancel(this.#open.shift() as string), 'latin1')
  }

  /** Around the price, both sides: about half of them meet another order sooner or later. */
  #place(): string {
    const { price, mark } = this.#caller
    const away = ((this.#count * 7919) % 100) / 100_000
    const side = this.#count++ % 2 === 0 ? 'buy' : 'sell'
    const limit = (price * (side === 'buy' ? 1 - away + 0.0002 : 1 + away - 0.0002)).toFixed(1)
    const body = `{"clientId":"${mark}-${this.#count}${this.#placeBody}${side}","price":"${limit}"}`
    return `${this.#placeHead}${body.length}\r\n\r\n${body}`
  }

  #cancel(order: string): string {
    return `DELETE /app/v1/spot/orders/${order}${this.#cancelTail}`
  }

  /** True when the answer is complete. */
  #take(chunk: Uint8Array, bytes: number): boolean {
    this.#answer.set(chunk.subarray(0, bytes), this.#held)
    this.#held += bytes
    const answer = this.#answer.subarray(0, this.#held)
    const body = bodyOf(answer)
    if (body < 0) return false
    this.#held = 0
    this.#delays.push(performance.now() - this.#sentAt)
    if (answer.compare(okay, 0, okay.length, 0, okay.length) !== 0) {
      const text = answer.toString('utf8', body)
      // An order that was filled meanwhile can't be cancelled: that is an answer, and journaled like any other.
      if (this.#isPlacing || !text.includes('ORDER_UNKNOWN')) throw new Error(answer.toString('utf8'))
      return true
    }
    if (!this.#isPlacing) return true
    const id = answer.indexOf(idName, body)
    if (id < 0) throw new Error(`an answer without an order: ${answer.toString('utf8', body)}`)
    if (answer.indexOf(filled, id) >= 0) return true
    const from = id + idName.length
    this.#open.push(answer.toString('latin1', from, answer.indexOf(quote, from)))
    return true
  }
}

/** Where the body of a complete answer begins; -1 while some of it is missing. */
function bodyOf(answer: Buffer): number {
  const named = answer.indexOf(lengthName)
  if (named < 0) return -1
  let length = 0
  let at = named + lengthName.length
  for (; answer[at]! >= 0x30 && answer[at]! <= 0x39; at++) length = length * 10 + answer[at]! - 0x30
  while (at + 4 <= answer.length && answer.readUInt32BE(at) !== endOfHead) at++
  return at + 4 + length <= answer.length ? at + 4 : -1
}
