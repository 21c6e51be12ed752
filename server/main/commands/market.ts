import { readFileSync } from 'node:fs'
import { parseLots } from '@candor/core/money/price.ts'
import { formatUnits, parseUnits } from '@candor/core/money/units.ts'
import type { MarketTerms } from '@candor/core/protocol/market.ts'
import { Refused } from '../../refused.ts'
import { type CliCommand, CommandFault, type Input, optional, UsageFault, withExchange } from '../command.ts'
import { listingCommands, readMarketFile } from '../market-file.ts'

export const listMarkets: CliCommand = {
  name: 'market list',
  about: 'List the markets with their terms',
  operands: [],
  options: {},
  run: (input) =>
    withExchange(input.settings, async (link) => {
      const { assets, markets } = await link.ask.listing()
      const shown = markets.map(({ id, symbol, base, quote, tick, lot, terms }) => {
        const quoteAsset = assets.find((asset) => asset.id === quote)!
        return {
          id,
          symbol,
          base: assets.find((asset) => asset.id === base)!.symbol,
          quote: quoteAsset.symbol,
          tick,
          lot,
          ...terms,
          notionalMin: formatUnits(terms.notionalMin, quoteAsset.scale),
        }
      })
      return {
        json: { markets: shown },
        lines: shown.map(
          (one) =>
            `${one.symbol.padEnd(12)} tick ${one.tick}, lot ${one.lot}, minimum ${one.notionalMin} ${one.quote}, fees ${one.makerFeePpm}/${one.takerFeePpm} ppm, ${one.isTrading ? 'trading' : 'halted'}`,
        ),
      }
    }),
}

export const addMarket: CliCommand = {
  name: 'market add',
  about: 'List a spot market from a JSON file, in a sandbox; docs/markets.md describes the file',
  operands: ['FILE'],
  options: {},
  run(input) {
    const file = readMarketFile(contents(input.operands[0]!))
    return withExchange(input.settings, async (link, { settings }) => {
      requireSandbox(settings.mode)
      let seq = 0
      for (const command of listingCommands(file, await link.ask.listing())) {
        const outcome = await link.submit(command)
        if (outcome.refusal) throw new Refused(outcome.refusal)
        seq = outcome.seq
      }
      const next = 'It gets an index price after the next start if the venues trade the coin.'
      return { json: { symbol: file.symbol, seq }, lines: [`Listed ${file.symbol} with command ${seq}`, next] }
    })
  },
}

/** throws  CommandFault in production, where two members of the staff change terms */
function requireSandbox(mode: 'sandbox' | 'production'): void {
  if (mode === 'sandbox') return
  throw new CommandFault('In production two members of the staff decide this in the console, at /console/markets')
}

/** throws  CommandFault when the file can't be read */
function contents(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    throw new CommandFault(`${path} can't be read: ${(cause as Error).message}`)
  }
}

/** Options that take a whole number, with their help. */
const wholeNumbers = {
  'maker-fee-ppm': 'fee of the maker, in parts per million of the value',
  'taker-fee-ppm': 'fee of the taker, in parts per million of the value',
  'band-ppm': 'largest distance of a limit price from the reference price, in parts per million',
  'slippage-ppm': 'largest distance from the reference price at which a market order trades, in parts per million',
  'open-orders-max': 'largest number of open orders of one account',
} as const

export const setMarket: CliCommand = {
  name: 'market set',
  about: 'Change the terms of a market, in a sandbox',
  operands: ['SYMBOL'],
  options: {
    ...Object.fromEntries(Object.entries(wholeNumbers).map(([name, about]) => [name, { type: 'string' as const, value: 'N', about }])),
    'notional-min': { type: 'string', value: 'X', about: 'smallest value of an order, in the quote asset' },
    'quantity-min': { type: 'string', value: 'X', about: 'smallest quantity of an order, in the base asset' },
    'quantity-max': { type: 'string', value: 'X', about: 'largest quantity of an order, in the base asset' },
    trading: { type: 'string', value: 'on|off', about: 'off halts the market; orders stay and can be cancelled' },
  },
  run: (input) =>
    withExchange(input.settings, async (link, { settings }) => {
      requireSandbox(settings.mode)
      const { assets, markets } = await link.ask.listing()
      const market = markets.find(({ symbol }) => symbol === input.operands[0])
      if (!market) throw new Refused('MARKET_UNKNOWN')
      const scale = assets.find((asset) => asset.id === market.quote)!.scale
      const terms = { ...market.terms, ...changes(input, market.lot, scale) }
      const { id, perp } = market
      const command = perp ? ({ type: 'perp.set', market: id, terms, perp } as const) : ({ type: 'market.set', market: id, terms } as const)
      const outcome = await link.submit(command)
      if (outcome.refusal) throw new Refused(outcome.refusal)
      return {
        json: { symbol: market.symbol, seq: outcome.seq, terms },
        lines: [`Changed the terms of ${market.symbol} with command ${outcome.seq}`],
      }
    }),
}

function changes(input: Input, lot: string, quoteScale: number): Partial<MarketTerms> {
  const read = <T>(name: string, parse: (given: string) => T | undefined): T | undefined => {
    const given = optional(input, name)
    if (given === undefined) return undefined
    const value = parse(given)
    if (value === undefined) throw new UsageFault(`--${name} has an invalid value: ${given}`)
    return value
  }
  const number = (name: keyof typeof wholeNumbers) => read(name, (given) => (/^[0-9]{1,9}$/.test(given) ? Number(given) : undefined))
  const trading = read('trading', (given) => ({ on: true, off: false })[given])
  const all = {
    makerFeePpm: number('maker-fee-ppm'),
    takerFeePpm: number('taker-fee-ppm'),
    bandPpm: number('band-ppm'),
    slippagePpm: number('slippage-ppm'),
    openOrdersMax: number('open-orders-max'),
    notionalMin: read('notional-min', (given) => parseUnits(given, quoteScale)),
    lotsMin: read('quantity-min', (given) => parseLots(given, lot)),
    lotsMax: read('quantity-max', (given) => parseLots(given, lot)),
    isTrading: trading,
  }
  const given = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
  if (Object.keys(given).length === 0) throw new UsageFault('There is nothing to change: give at least one option')
  return given as Partial<MarketTerms>
}
