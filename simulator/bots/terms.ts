/**
 * How the bots quote and trade a market. `spreadPpm`: distance between best bid and ask. `sizeUsdt`: size of the best level; levels
 * further out are larger. `tradesPerSecond`: average rate; trades come in waves.
 */
export type BotTerms = { readonly spreadPpm: number; readonly sizeUsdt: number; readonly tradesPerSecond: number }

const known: Readonly<Record<string, BotTerms>> = {
  BTCUSDT: { spreadPpm: 180, sizeUsdt: 2_400, tradesPerSecond: 0.9 },
  ETHUSDT: { spreadPpm: 240, sizeUsdt: 1_800, tradesPerSecond: 0.7 },
  BNBUSDT: { spreadPpm: 320, sizeUsdt: 900, tradesPerSecond: 0.25 },
  SOLUSDT: { spreadPpm: 320, sizeUsdt: 1_200, tradesPerSecond: 0.5 },
  XRPUSDT: { spreadPpm: 400, sizeUsdt: 900, tradesPerSecond: 0.35 },
  DOGEUSDT: { spreadPpm: 400, sizeUsdt: 700, tradesPerSecond: 0.3 },
}

const others: BotTerms = { spreadPpm: 480, sizeUsdt: 600, tradesPerSecond: 0.18 }

/** Terms of a market. Futures are quoted like the spot market of their index, slightly wider, and traded less often. */
export function termsOf(symbol: string): BotTerms {
  if (!symbol.endsWith('PERP')) return known[symbol] ?? others
  const { spreadPpm, sizeUsdt, tradesPerSecond } = termsOf(symbol.slice(0, -'PERP'.length))
  return { spreadPpm: Math.round(spreadPpm * 1.25), sizeUsdt, tradesPerSecond: tradesPerSecond * 0.6 }
}

/** Levels per side. */
export const levels = 12

/** Each level holds more than the one before, by this share of the first: 1, 1.15, 1.3, … */
const growth = 0.15

export function sizeAt(level: number): number {
  return 1 + growth * level
}

/** Commands per second of the two bots together: for one market, and for all. */
export const commandsPerSecond = { market: 2, total: 40 } as const
