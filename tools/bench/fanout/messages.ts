/** The streams of the fan-out's benchmark and their messages. */
export const markets = [
  'btcusdt',
  'ethusdt',
  'bnbusdt',
  'solusdt',
  'xrpusdt',
  'trxusdt',
  'dogeusdt',
  'adausdt',
  'avaxusdt',
  'linkusdt',
  'dotusdt',
  'ltcusdt',
]
export const kinds = ['trade', 'aggTrade', 'depth', 'bookTicker', 'kline_1s', 'kline_1m', 'ticker', 'miniTicker'] as const

/** The message of one stream in one tick, like real messages in size and shape. */
export function payload(market: string, kind: string, tick: number): object {
  const s = market.toUpperCase()
  const price = (67_000 + (tick % 97)).toFixed(1)
  const E = 1_790_000_000_000 + tick * 100
  const levels = (n: number) => Array.from({ length: n }, (_, i) => [(67_000 - i).toFixed(1), `0.0${1_000 + i}`])
  switch (kind) {
    case 'trade':
      return { e: 'trade', E, s, t: tick, p: price, q: '0.01250', T: E, m: tick % 2 === 0, M: true }
    case 'aggTrade':
      return { e: 'aggTrade', E, s, a: tick, p: price, q: '0.01250', f: tick, l: tick, T: E, m: true, M: true }
    case 'depth':
      return { e: 'depthUpdate', E, s, U: tick * 8, u: tick * 8 + 7, b: levels(4), a: levels(4) }
    case 'bookTicker':
      return { u: tick, s, b: price, B: '0.51000', a: price, A: '0.72000' }
    case 'ticker':
      return {
        e: '24hrTicker',
        E,
        s,
        p: '120.5',
        P: '0.18',
        w: price,
        x: price,
        c: price,
        Q: '0.01250',
        b: price,
        B: '0.51000',
        a: price,
        A: '0.72000',
        o: price,
        h: price,
        l: price,
        v: '1200.5',
        q: '80000000.1',
        O: E,
        C: E,
        F: 1,
        L: tick,
        n: tick,
      }
    case 'miniTicker':
      return { e: '24hrMiniTicker', E, s, c: price, o: price, h: price, l: price, v: '1200.5', q: '80000000.1' }
    default:
      return {
        e: 'kline',
        E,
        s,
        k: {
          t: E,
          T: E,
          s,
          i: kind.slice(6),
          f: -1,
          L: -1,
          o: price,
          c: price,
          h: price,
          l: price,
          v: '1.2',
          n: 12,
          x: false,
          q: '80000.1',
          B: '0',
        },
      }
  }
}

const frameHead = (length: number) => (length < 126 ? 2 : length < 65_536 ? 4 : 10)

/** Bytes on the wire that each socket of a market receives in a tick. */
export function bytesOf(market: string, tick: number): number {
  let sum = 0
  for (const kind of kinds) {
    const length = Buffer.byteLength(JSON.stringify(payload(market, kind, tick)))
    sum += length + frameHead(length)
  }
  return sum
}
