/** Order entry over the WebSocket API: one logged-on socket per caller, each with a fixed number of requests in flight. */
import { type KeyObject, randomBytes, sign } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { type Entry, Orders, type Tally, tallyOf } from './orders.ts'

/** `key`: id of an Ed25519 key. `privateKey`: its private half. */
export type SocketCaller = { readonly entry: Entry; readonly symbol: string; readonly key: string; readonly privateKey: KeyObject }

const endOfHead = '\r\n\r\n'
const buffered = 1024 * 1024
const orderName = Buffer.from('"orderId":')
const statusName = Buffer.from('"status":')
const okay = 0x32

/** Acknowledged requests per second, measured over this many seconds. Throws at the first failed request. */
export async function driveSocket(url: string, callers: readonly SocketCaller[], inFlight: number, seconds: number): Promise<Tally> {
  const drivers = callers.map((caller) => new Driver(caller, new URL(url), inFlight))
  await Promise.all(drivers.map((driver) => driver.open()))
  const until = performance.now() + seconds * 1000
  return tallyOf(await Promise.all(drivers.map((driver) => driver.run(until))), seconds)
}

/** Implements the protocol by hand: a library would use too much of the two cores shared with the exchange that is measured. */
class Driver {
  readonly #caller: SocketCaller
  readonly #orders: Orders
  readonly #url: URL
  readonly #inFlight: number
  readonly #delays: number[] = []
  readonly #arriving = Buffer.alloc(buffered)
  /** Send time of each request in flight, and whether it places an order; by request number modulo the number in flight. */
  readonly #sentAt: Float64Array
  readonly #isPlacing: Uint8Array
  /** Free slots: a new request may be sent in each. */
  readonly #free: number[] = []
  #held = 0
  #until = 0
  #socket!: Socket
  #onAnswer: (text: Buffer) => void = () => undefined
  /** Called when the time is over and every request is answered. */
  #onEnd: () => void = () => undefined
  #fail: (cause: unknown) => void = () => undefined

  constructor(caller: SocketCaller, url: URL, inFlight: number) {
    this.#caller = caller
    this.#orders = new Orders(caller.entry)
    this.#url = url
    this.#inFlight = inFlight
    this.#sentAt = new Float64Array(inFlight)
    this.#isPlacing = new Uint8Array(inFlight)
  }

  /** Resolves when the socket is logged on. */
  async open(): Promise<void> {
    const { hostname, port, host } = this.#url
    let onHead: () => void = () => undefined
    let isHead = true
    const take = (bytes: number, chunk: Uint8Array): boolean => {
      this.#arriving.set(chunk.subarray(0, bytes), this.#held)
      this.#held += bytes
      try {
        if (isHead) {
          const end = this.#arriving.subarray(0, this.#held).indexOf(endOfHead)
          if (end < 0) return true
          isHead = false
          this.#drop(end + endOfHead.length)
          onHead()
        }
        this.#frames()
      } catch (cause) {
        this.#fail(cause)
      }
      return true
    }
    const socket = connect({ host: hostname, port: Number(port), onread: { buffer: Buffer.alloc(256 * 1024), callback: take } })
    this.#socket = socket
    socket.setNoDelay(true)
    socket.on('error', (cause) => this.#fail(cause))
    socket.on('close', () => this.#fail(new Error('the server closed the socket')))
    await new Promise<void>((resolve, reject) => {
      this.#fail = reject
      socket.on('connect', () => {
        const upgrade = `Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${randomBytes(16).toString('base64')}`
        socket.write(`GET /ws-api/v3?returnRateLimits=false HTTP/1.1\r\nHost: ${host}\r\n${upgrade}\r\n\r\n`)
      })
      onHead = () => {
        const { key, privateKey } = this.#caller
        const query = `apiKey=${key}&timestamp=${Date.now()}`
        const signature = sign(null, Buffer.from(query), privateKey).toString('base64')
        const params = { apiKey: key, timestamp: Number(query.split('=').at(-1)), signature }
        this.#onAnswer = (text) => (text.includes('"status":200') ? resolve() : reject(new Error(text.toString())))
        this.#write(JSON.stringify({ id: 'logon', method: 'session.logon', params }))
      }
    })
  }

  run(until: number): Promise<number[]> {
    this.#until = until
    return new Promise((resolve, reject) => {
      this.#fail = (cause) => {
        this.#socket.destroy()
        reject(cause)
      }
      this.#onEnd = () => this.#socket.end(() => resolve(this.#delays))
      this.#onAnswer = (text) => this.#answered(text)
      for (let slot = 0; slot < this.#inFlight; slot++) this.#free.push(slot)
      this.#send()
    })
  }

  #send(): void {
    const now = performance.now()
    const time = Date.now()
    const { symbol } = this.#caller
    const frames: Buffer[] = []
    while (this.#free.length > 0 && now < this.#until) {
      const slot = this.#free.pop() as number
      const order = this.#orders.toCancel()
      this.#sentAt[slot] = now
      this.#isPlacing[slot] = order === undefined ? 1 : 0
      if (order === undefined) {
        const { side, price, clientId } = this.#orders.next()
        const rest = `"type":"LIMIT","timeInForce":"GTC","quantity":"0.001","newOrderRespType":"ACK","timestamp":${time}}}`
        const what = `"symbol":"${symbol}","side":"${side.toUpperCase()}","price":"${price}","newClientOrderId":"${clientId}"`
        frames.push(frameOf(`{"id":${slot},"method":"order.place","params":{${what},${rest}`))
      } else {
        frames.push(
          frameOf(`{"id":${slot},"method":"order.cancel","params":{"symbol":"${symbol}","orderId":${order},"timestamp":${time}}}`),
        )
      }
    }
    if (frames.length > 0) this.#socket.write(frames.length === 1 ? (frames[0] as Buffer) : Buffer.concat(frames))
    else if (now >= this.#until && this.#free.length === this.#inFlight) this.#onEnd()
  }

  #answered(text: Buffer): void {
    let slot = 0
    for (let at = 6; text[at]! >= 0x30 && text[at]! <= 0x39; at++) slot = slot * 10 + text[at]! - 0x30
    this.#delays.push(performance.now() - this.#sentAt[slot]!)
    const isPlacing = this.#isPlacing[slot] === 1
    this.#free.push(slot)
    if (text[text.indexOf(statusName) + statusName.length] !== okay) {
      // An order that was filled meanwhile can't be cancelled: that answer counts too, because it is journaled like any other.
      if (isPlacing || !text.includes('-2011')) throw new Error(text.toString())
      return
    }
    if (!isPlacing) return
    const from = text.indexOf(orderName) + orderName.length
    let to = from
    while (text[to]! >= 0x30 && text[to]! <= 0x39) to++
    this.#orders.opened(text.toString('latin1', from, to))
  }

  /** Reads all complete frames. The next requests in the slots that they free go out in one write. */
  #frames(): void {
    let at = 0
    for (;;) {
      if (this.#held - at < 2) break
      const opcode = this.#arriving[at]! & 15
      const short = this.#arriving[at + 1]! & 127
      const head = short === 126 ? 4 : short === 127 ? 10 : 2
      if (this.#held - at < head) break
      const length =
        short === 126 ? this.#arriving.readUInt16BE(at + 2) : short === 127 ? Number(this.#arriving.readBigUInt64BE(at + 2)) : short
      if (this.#held - at < head + length) break
      if (opcode === 1) this.#onAnswer(this.#arriving.subarray(at + head, at + head + length))
      else if (opcode === 8) throw new Error('the server closed the socket')
      at += head + length
    }
    this.#drop(at)
    if (this.#free.length > 0 && this.#until > 0) this.#send()
  }

  #drop(bytes: number): void {
    this.#arriving.copyWithin(0, bytes, this.#held)
    this.#held -= bytes
  }

  #write(text: string): void {
    this.#socket.write(frameOf(text))
  }
}

/** A text frame with a mask of zeros, because masking would cost the sender time. */
function frameOf(text: string): Buffer {
  const length = text.length
  const head = length < 126 ? 6 : 8
  const frame = Buffer.allocUnsafe(head + length)
  frame[0] = 0x81
  if (length < 126) frame[1] = 0x80 | length
  else {
    frame[1] = 0x80 | 126
    frame.writeUInt16BE(length, 2)
  }
  frame.fill(0, head - 4, head)
  frame.write(text, head, 'latin1')
  return frame
}
