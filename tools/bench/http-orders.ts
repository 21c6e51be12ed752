/** Order entry over HTTP as a fast program does it: one keep-alive connection per caller, one request in flight on each. */
import { createHmac, createSecretKey } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { type Entry, Orders, type Tally, tallyOf } from './orders.ts'

/** Writes requests in the format of one kind of client, and parses the answers. */
export type Dialect = {
  place(side: 'buy' | 'sell', price: string, clientId: string): string
  cancel(order: string): string
  /** The bytes before the order's number in an answer. */
  readonly idName: Buffer
  /** Marks an answer to a cancel that came too late. */
  readonly tooLate: string
}

export type Caller = { readonly entry: Entry; readonly dialect: Dialect }

const answerMax = 64 * 1024
/** "\r\n\r\n" as one number: the end of the head. */
const endOfHead = 0x0d0a0d0a
const okay = Buffer.from('HTTP/1.1 200')
const isUnavailable = (text: string): boolean => text.startsWith('HTTP/1.1 503')
const unavailableMs = 1_000
const lengthName = Buffer.from('content-length: ')
const filled = Buffer.from('"status":"filled"')

/**
 * Acknowledged orders and cancels per second, measured over this many seconds. Throws at the first answer that is not 200.
 *
 * perSecond  of all callers together, at most, and a caller waits a second after an answer of 503; undefined: as many as are answered
 */
export async function driveHttp(url: string, callers: readonly Caller[], seconds: number, perSecond?: number): Promise<Tally> {
  const until = performance.now() + seconds * 1000
  const everyMs = perSecond === undefined ? 0 : (callers.length * 1000) / perSecond
  const drivers = callers.map((caller) => new Driver(caller, new URL(url), until, everyMs))
  const delays = await Promise.all(drivers.map((driver) => driver.run()))
  const unavailable = drivers.reduce((sum, driver) => sum + driver.unavailable, 0)
  return { ...tallyOf(delays, seconds), unavailable }
}

/**
 * Sends a key and a signature with each request.
 *
 * window   milliseconds that a request may be old; 0: the default
 * headers  further lines of the head, each with its end
 */
export function signedDialect(key: string, secret: string, symbol: string, window = 0, headers = ''): Dialect {
  const patience = window === 0 ? '' : `&recvWindow=${window}`
  const sealed = createSecretKey(secret, 'utf8')
  const common = ` HTTP/1.1\r\nHost: localhost\r\nX-MBX-APIKEY: ${key}\r\n${headers}`
  const signed = (query: string) => {
    const whole = `${query}${patience}&timestamp=${Date.now()}`
    return `${whole}&signature=${createHmac('sha256', sealed).update(whole).digest('hex')}`
  }
  return {
    place(side, price, clientId) {
      const order = `symbol=${symbol}&side=${side.toUpperCase()}&type=LIMIT&timeInForce=GTC&quantity=0.001&price=${price}`
      const query = signed(`${order}&newClientOrderId=${clientId}&newOrderRespType=ACK`)
      return `POST /api/v3/order?${query}${common}Content-Length: 0\r\n\r\n`
    },
    cancel: (order) => `DELETE /api/v3/order?${signed(`symbol=${symbol}&orderId=${order}`)}${common}\r\n`,
    idName: Buffer.from('"orderId":'),
    tooLate: '-2011',
  }
}

/** The driver shares two cores with the exchange that it measures, as pgbench does, so it reads only the necessary parts of an answer. */
class Driver {
  readonly #dialect: Dialect
  readonly #orders: Orders
  readonly #url: URL
  readonly #until: number
  /** Time between two requests; 0: none. */
  readonly #everyMs: number
  #dueAt: number
  readonly #delays: number[] = []
  /** The answer that is arriving. */
  readonly #answer = Buffer.alloc(answerMax)
  #held = 0
  #sentAt = 0
  #isPlacing = false
  unavailable = 0
  #socket: Socket | undefined

  constructor({ entry, dialect }: Caller, url: URL, until: number, everyMs: number) {
    this.#everyMs = everyMs
    // Callers don't begin at the same moment.
    this.#dueAt = performance.now() + Math.random() * everyMs
    this.#dialect = dialect
    this.#orders = new Orders(entry)
    this.#url = url
    this.#until = until
  }

  run(): Promise<number[]> {
    return new Promise((resolve, reject) => {
      const { hostname, port } = this.#url
      const take = (bytes: number, chunk: Uint8Array): boolean => {
        try {
          if (!this.#take(chunk, bytes)) return true
          if (performance.now() < this.#until) this.#soon()
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

  /** What was missed is not made up for: the rate is a limit. */
  #soon(): void {
    if (this.#everyMs === 0) return this.#next()
    const now = performance.now()
    this.#dueAt = Math.max(this.#dueAt + this.#everyMs, now)
    setTimeout(() => this.#next(), this.#dueAt - now)
  }

  #next(): void {
    this.#sentAt = performance.now()
    const order = this.#orders.toCancel()
    this.#isPlacing = order === undefined
    const { side, price, clientId } = this.#isPlacing ? this.#orders.next() : nothing
    this.#socket!.write(order === undefined ? this.#dialect.place(side, price, clientId) : this.#dialect.cancel(order), 'latin1')
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
      if (this.#everyMs > 0 && isUnavailable(answer.toString('latin1', 0, body))) {
        this.#delays.pop()
        this.unavailable++
        this.#dueAt = performance.now() + unavailableMs
        return true
      }
      const text = answer.toString('utf8', body)
      // Beside other work a request may arrive after the time for which it is good. It was not done, and says so by its slow answer.
      if (text.includes('"code":-1021')) return true
      // An order that was filled meanwhile can't be cancelled: that answer counts too, because it is journaled like any other.
      if (this.#isPlacing || !text.includes(this.#dialect.tooLate)) throw new Error(answer.toString('utf8'))
      return true
    }
    if (!this.#isPlacing) return true
    const { idName } = this.#dialect
    const id = answer.indexOf(idName, body)
    if (id < 0) throw new Error(`an answer without an order: ${answer.toString('utf8', body)}`)
    if (answer.indexOf(filled, id) >= 0) return true
    let end = id + idName.length
    while (answer[end]! >= 0x30 && answer[end]! <= 0x39) end++
    this.#orders.opened(answer.toString('latin1', id + idName.length, end))
    return true
  }
}

const nothing = { side: 'buy', price: '', clientId: '' } as const

/** Index of the body of a complete answer; −1 while part of it is missing. */
function bodyOf(answer: Buffer): number {
  const named = answer.indexOf(lengthName)
  if (named < 0) return -1
  let length = 0
  let at = named + lengthName.length
  for (; answer[at]! >= 0x30 && answer[at]! <= 0x39; at++) length = length * 10 + answer[at]! - 0x30
  while (at + 4 <= answer.length && answer.readUInt32BE(at) !== endOfHead) at++
  return at + 4 + length <= answer.length ? at + 4 : -1
}
