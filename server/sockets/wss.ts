import { type Interval, intervals } from '@candor/core/protocol/market.ts'
import type { WssMessage } from '@candor/core/protocol/wire/market.ts'
import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import { z } from 'zod'
import type { Context } from '../live/context.ts'
import { parseJson } from '../http/body.ts'
import { candlesOf } from '../live/candles.ts'
import { wssQuote, wssRow } from '../live/texts.ts'
import { Connection } from './connection.ts'
import type { Crowd } from './crowd.ts'
import { textFrame } from './frame.ts'
import type { Publisher } from './publisher.ts'

const messagesPerSecond = 200
const silentMaxMs = 60_000
const rowsAtStart = 500
/** Requests for the same candles within this time are answered from memory. */
const rowsKeptMs = 1_000
/** A PING is answered with quotes at most once in this time. */
const answerEveryMs = 1_000
/** Subscriptions answered at once within `answerEveryMs`. Of further ones, only the last is answered, at the end of that time. */
const answersMax = 10

const plainPing = Buffer.from('{"type":"PING"}')
const ping = z.strictObject({ type: z.literal('PING') })
const subscribe = z.strictObject({
  action: z.literal('Subscribe'),
  params: z.strictObject({ tradingPairsId: z.int().nonnegative(), period: z.union([z.literal(''), z.enum(intervals)]) }),
})

/** Quotes (0: all pairs) and candles that a socket gets. */
type Wanted = { readonly quotes: number | undefined; readonly kline: { readonly id: number; readonly period: Interval } | undefined }

type Client = {
  readonly connection: Connection
  /** Whether its network may send one more message. */
  readonly mayCrowd: () => boolean
  wanted: Wanted
  lastPingAt: number
  quotesAt: number
  /** Answers since `answersSince`. */
  answers: number
  answersSince: number
  isOwed: boolean
}

/** The app's socket for live market data. Each client sends PING at least once a minute and names the data it wants. */
export class WssSockets {
  readonly #context: Context
  readonly #publisher: Publisher
  readonly #clients = new Set<Client>()
  readonly #rows = new Map<string, { readonly at: number; readonly frame: Promise<Buffer | undefined> }>()
  /** By pair, 0 for all: the frame sent to everybody who asks within the same tick. */
  readonly #quotes = new Map<number, { readonly tick: number; readonly frame: Buffer | undefined }>()
  readonly #sweeper: NodeJS.Timeout
  readonly #silentMaxMs: number
  readonly #crowd: Crowd

  constructor(context: Context, publisher: Publisher, crowd: Crowd, silentMax = silentMaxMs) {
    this.#crowd = crowd
    this.#context = context
    this.#publisher = publisher
    this.#silentMaxMs = silentMax
    this.#sweeper = setInterval(() => this.#sweep(), Math.min(1_000, silentMax))
  }

  get size(): number {
    return this.#clients.size
  }

  open(ws: WebSocket, raw: Duplex, ip: string): void {
    const client: Client = {
      mayCrowd: this.#crowd(ip),
      connection: new Connection(ws, raw, messagesPerSecond),
      wanted: { quotes: undefined, kline: undefined },
      lastPingAt: performance.now(),
      ...{ quotesAt: Number.NEGATIVE_INFINITY, answers: 0, answersSince: Number.NEGATIVE_INFINITY, isOwed: false },
    }
    this.#clients.add(client)
    ws.on('message', (data, isBinary) => this.#receive(client, data as Buffer, isBinary))
    ws.on('close', () => {
      this.#clients.delete(client)
      this.#publisher.fanout.listen(client.connection, [])
    })
  }

  close(): void {
    clearInterval(this.#sweeper)
    for (const { connection } of this.#clients) connection.close(1001, 'the exchange stops')
  }

  #receive(client: Client, data: Buffer, isBinary: boolean): void {
    const { connection } = client
    if (!connection.mayReceive(data.length) || (!client.mayCrowd() && connection.isBusy)) return connection.close(1008, 'too many messages')
    // The usual PING, byte for byte: a flood of it costs no parsing.
    if (!isBinary && data.equals(plainPing)) return this.#pinged(client)
    let message: unknown
    try {
      if (isBinary) throw new Error('not text')
      message = parseJson(data)
    } catch {
      return complain(client, 'The message is not one well-formed JSON object.')
    }
    if (ping.safeParse(message).success) return this.#pinged(client)
    const request = subscribe.safeParse(message)
    if (!request.success)
      return complain(client, 'Expected {"action":"Subscribe","params":{"tradingPairsId":0,"period":""}} or {"type":"PING"}.')
    this.#subscribe(client, request.data.params.tradingPairsId, request.data.params.period)
  }

  /** Answers at once that the connection is alive, and sends again the quotes that a quiet market has not sent for a while. */
  #pinged(client: Client): void {
    const now = performance.now()
    client.lastPingAt = now
    if (client.wanted.quotes === undefined || now - client.quotesAt < answerEveryMs) return
    client.quotesAt = now
    this.#sendQuotes(client, client.wanted.quotes)
  }

  /**
   * Pair 0: quotes of all pairs. A pair without a period: quotes of that pair. A pair with a period: its candles too, with the
   * quotes unchanged.
   */
  #subscribe(client: Client, id: number, period: Interval | ''): void {
    if (id !== 0 && !this.#context.listing.marketIfAny(id)) return complain(client, 'There is no trading pair with this id.')
    if (id === 0 && period !== '') return complain(client, 'Candles need the id of one trading pair.')
    const quotes = id === 0 || period === '' ? id : (client.wanted.quotes ?? id)
    client.wanted = { quotes, kline: period === '' ? undefined : { id, period } }
    const channels = [quotes === 0 ? 'quotes' : `quote:${quotes}`]
    if (period !== '') channels.push(`kline:${id}:${period}`)
    this.#publisher.fanout.listen(client.connection, channels)
    if (mayAnswer(client)) this.#answer(client)
    else client.isOwed = true
  }

  /** The first data for a client's current request. */
  #answer(client: Client): void {
    client.isOwed = false
    const { quotes, kline } = client.wanted
    if (quotes !== undefined) this.#sendQuotes(client, quotes)
    if (kline) void this.#sendRows(client, kline.id, kline.period)
  }

  #sendQuotes(client: Client, id: number): void {
    const { ticks } = this.#publisher
    let kept = this.#quotes.get(id)
    if (kept?.tick !== ticks) this.#quotes.set(id, (kept = { tick: ticks, frame: this.#quotesFrame(id) }))
    if (kept.frame) client.connection.sendText(kept.frame)
  }

  #quotesFrame(id: number): Buffer | undefined {
    const { listing, data, now } = this.#context
    const markets = id === 0 ? listing.markets : listing.markets.filter(({ market }) => market.id === id)
    const list = markets.flatMap((market) => {
      const view = data.market(market.market.id)
      return view ? [wssQuote(market, view, now())] : []
    })
    const seconds = this.#context.staleness.seconds()
    const stale = seconds === undefined ? {} : { stale: seconds }
    return list.length === 0 ? undefined : textFrame(JSON.stringify({ code: 200, data: { list }, ...stale } satisfies WssMessage))
  }

  async #sendRows(client: Client, id: number, period: Interval): Promise<void> {
    try {
      const frame = await this.#rowsOf(id, period)
      const { kline } = client.wanted
      if (kline?.id === id && kline.period === period && frame) client.connection.sendText(frame)
    } catch {
      client.connection.sendText(JSON.stringify({ code: 503, message: 'The candles are not available now.' } satisfies WssMessage))
    }
  }

  #rowsOf(id: number, period: Interval): Promise<Buffer | undefined> {
    const key = `${id}:${period}`
    const kept = this.#rows.get(key)
    if (kept && performance.now() - kept.at < rowsKeptMs) return kept.frame
    const market = this.#context.listing.marketIfAny(id)!
    const frame = candlesOf(this.#context, market, period, { limit: rowsAtStart }).then(({ candles }) => {
      const data = { kline: { tradingPairsId: id, period, rows: candles.map(wssRow) } }
      return candles.length === 0 ? undefined : textFrame(JSON.stringify({ code: 200, data } satisfies WssMessage))
    })
    frame.catch(() => this.#rows.delete(key))
    this.#rows.set(key, { at: performance.now(), frame })
    return frame
  }

  #sweep(): void {
    const before = performance.now() - this.#silentMaxMs
    for (const client of this.#clients) {
      if (client.lastPingAt < before) client.connection.close(1000, 'no PING for a minute')
      else if (client.isOwed && mayAnswer(client)) this.#answer(client)
    }
  }
}

/** Counts an answer; returns false if the client has had too many recently. */
function mayAnswer(client: Client): boolean {
  const now = performance.now()
  if (now - client.answersSince >= answerEveryMs) {
    client.answersSince = now
    client.answers = 0
  }
  if (client.answers >= answersMax) return false
  client.answers++
  return true
}

function complain(client: Client, message: string): void {
  client.connection.sendText(JSON.stringify({ code: 400, message } satisfies WssMessage))
}
