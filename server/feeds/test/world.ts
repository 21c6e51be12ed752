import type { AddressInfo } from 'node:net'
import type { MarketTerms } from '@candor/core/protocol/market.ts'
import type { IndexTick } from '@candor/core/protocol/command/market.ts'
import type { Outcome, Submit } from '@candor/core/protocol/port.ts'
import { WebSocketServer, type WebSocket } from 'ws'
import type { FeedOptions } from '../feeds.ts'
import type { Log } from '../log.ts'

type Listing = FeedOptions['listing']

/** BTCUSDT, ETHUSDT and ETHBTC as at the first start. */
export const listing = {
  assets: [
    { id: 1, symbol: 'USDT', scale: 6 },
    { id: 2, symbol: 'BTC', scale: 8 },
    { id: 3, symbol: 'ETH', scale: 8 },
  ],
  markets: [
    {
      id: 1,
      symbol: 'BTCUSDT',
      base: 2,
      quote: 1,
      tick: '0.1',
      lot: '0.00001',
      basePerLot: 1_000,
      quotePerTickLot: 1,
      terms: {} as MarketTerms,
    },
    {
      id: 2,
      symbol: 'ETHUSDT',
      base: 3,
      quote: 1,
      tick: '0.01',
      lot: '0.0001',
      basePerLot: 10_000,
      quotePerTickLot: 1,
      terms: {} as MarketTerms,
    },
    {
      id: 3,
      symbol: 'ETHBTC',
      base: 3,
      quote: 2,
      tick: '0.00001',
      lot: '0.001',
      basePerLot: 100_000,
      quotePerTickLot: 1,
      terms: {} as MarketTerms,
    },
  ],
} as unknown as Listing

export type Tick = IndexTick['prices'][number]

/** An exchange that accepts every tick and records it. */
export function keepTicks(): { readonly ticks: IndexTick[]; readonly submit: Submit; last(market: number): Tick | undefined } {
  const ticks: IndexTick[] = []
  return {
    ticks,
    submit: async (command) => {
      if (command.type === 'index.tick') ticks.push(command)
      return { refusal: undefined } as Outcome
    },
    last: (market) => ticks.flatMap((tick) => tick.prices).findLast((price) => price.market === market),
  }
}

export function keepLog(): Log & { readonly lines: string[] } {
  const lines: string[] = []
  const write = (details: object, text: string): void => void lines.push(`${text} ${JSON.stringify(details)}`)
  return { lines, info: write, warn: write, error: write }
}

export type LoopbackVenue = AsyncDisposable & {
  readonly url: string
  readonly received: string[]
  readonly sockets: ReadonlySet<WebSocket>
  connections: number
}

/** A small venue on a free port, whose messages the test sends. */
export async function startVenue(speak: (socket: WebSocket, text: string | undefined) => void): Promise<LoopbackVenue> {
  const hub = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await new Promise((resolve) => hub.once('listening', resolve))
  const venue: LoopbackVenue = {
    url: `ws://127.0.0.1:${(hub.address() as AddressInfo).port}`,
    received: [],
    sockets: hub.clients,
    connections: 0,
    async [Symbol.asyncDispose]() {
      for (const socket of hub.clients) socket.terminate()
      await new Promise((resolve) => hub.close(resolve))
    },
  }
  hub.on('connection', (socket) => {
    venue.connections += 1
    socket.on('message', (text) => {
      venue.received.push(String(text))
      speak(socket, String(text))
    })
    speak(socket, undefined)
  })
  return venue
}

export async function until<T>(condition: () => T | undefined | false, limitMs = 4_000): Promise<T> {
  const end = Date.now() + limitMs
  for (;;) {
    const value = condition()
    if (value !== undefined && value !== false) return value
    if (Date.now() > end) throw new Error(`still waiting: ${condition.toString()}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
