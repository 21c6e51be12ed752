import assert from 'node:assert/strict'
import { test } from 'node:test'
import { random } from '@candor/core/exchange/margin/test/random.ts'
import { audit } from '../../../journal/audit.ts'
import type { Fields } from '../../test/program.ts'
import { MarginExchange, type Trader } from './exchange.ts'

const margin = '/sapi/v1/margin'
const words = ['MAIN', 'MARGIN', 'ISOLATEDMARGIN', 'UMFUTURE'] as const
type Account = (typeof words)[number]
const coins = ['USDT', 'BTC'] as const
const steps = 120

/** Decimal text as an integer at 1e-8. */
function units(text: string): bigint {
  const [whole = '0', part = ''] = text.replace('-', '').split('.')
  const size = BigInt(whole + part.padEnd(8, '0'))
  return text.startsWith('-') ? -size : size
}

/** Symbols that a transfer between these accounts needs. */
const symbolsOf = (from: Account, to: Account): Fields => ({
  ...(from === 'ISOLATEDMARGIN' ? { fromSymbol: 'BTCUSDT' } : {}),
  ...(to === 'ISOLATEDMARGIN' ? { toSymbol: 'BTCUSDT' } : {}),
})

/** Sends a random request that moves money; a refused one changes nothing. */
async function act(trader: Trader, below: (n: number) => number): Promise<void> {
  const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T
  const isIsolated = pick(['TRUE', 'FALSE'])
  const coin = pick(coins)
  const amount = coin === 'USDT' ? `${below(4_000)}.${below(1_000_000)}` : `0.0${below(1_000)}`
  const kind = below(10)
  if (kind < 4) {
    const [from, to] = [pick(words), pick(words)]
    const fields = { type: `${from}_${to}`, asset: coin, amount, ...symbolsOf(from, to) }
    await trader.program.signed('POST', '/sapi/v1/asset/transfer', fields)
  } else if (kind < 6) {
    const type = pick(['BORROW', 'REPAY'])
    await trader.program.signed('POST', `${margin}/borrow-repay`, { asset: coin, amount, type, isIsolated, symbol: 'BTCUSDT' })
  } else {
    const isSpot = below(4) === 0
    const more = isSpot ? {} : { isIsolated, sideEffectType: pick(['NO_SIDE_EFFECT', 'MARGIN_BUY', 'AUTO_REPAY', 'AUTO_BORROW_REPAY']) }
    const isMarket = below(2) === 0
    const how = isMarket ? { type: 'MARKET' } : { type: 'LIMIT', timeInForce: pick(['GTC', 'IOC']), price: String(59_900 + below(200)) }
    const order = { symbol: 'BTCUSDT', side: pick(['BUY', 'SELL']), quantity: `0.0${10 + below(90)}`, ...how, ...more }
    const path = isSpot ? '/api/v3' : margin
    await trader.program.signed('POST', `${path}/order`, order)
    if (below(5) === 0)
      await trader.program.signed('DELETE', `${path}/openOrders`, { symbol: 'BTCUSDT', ...(isSpot ? {} : { isIsolated }) })
  }
}

/** All rows of a list that has pages. */
async function rowsOf(trader: Trader, path: string, fields: Fields): Promise<readonly any[]> {
  const all: any[] = []
  for (let current = 1; ; current++) {
    const { total, rows } = await trader.get(path, { ...fields, current, size: 50 })
    all.push(...rows)
    if (all.length >= total) return all
  }
}

/** Balance and debt of each account by coin, computed from the histories. */
async function fromHistories(trader: Trader, given: Readonly<Record<string, string>>) {
  const has = new Map<string, bigint>(Object.entries(given).map(([coin, amount]) => [`MAIN ${coin}`, units(amount)]))
  const owes = new Map<string, bigint>()
  const add = (to: Map<string, bigint>, key: string, amount: bigint) => to.set(key, (to.get(key) ?? 0n) + amount)
  for (const from of words) {
    for (const to of words) {
      if (from === to) continue
      for (const { asset, amount } of await rowsOf(trader, '/sapi/v1/asset/transfer', { type: `${from}_${to}` })) {
        add(has, `${from} ${asset}`, -units(amount))
        add(has, `${to} ${asset}`, units(amount))
      }
    }
  }
  const lists: readonly (readonly [Account, string, Fields])[] = [
    ['MAIN', '/api/v3/myTrades', {}],
    ['MARGIN', `${margin}/myTrades`, {}],
    ['ISOLATEDMARGIN', `${margin}/myTrades`, { isIsolated: 'TRUE' }],
  ]
  for (const [account, path, more] of lists) {
    for (const one of await trader.get(path, { symbol: 'BTCUSDT', limit: 1_000, ...more })) {
      const sign = one.isBuyer ? 1n : -1n
      add(has, `${account} BTC`, sign * units(one.qty))
      add(has, `${account} USDT`, -sign * units(one.quoteQty))
      add(has, `${account} ${one.commissionAsset}`, -units(one.commission))
    }
  }
  for (const [account, more] of [
    ['MARGIN', {}],
    ['ISOLATEDMARGIN', { isolatedSymbol: 'BTCUSDT' }],
  ] as const) {
    for (const [type, sign] of [
      ['BORROW', 1n],
      ['REPAY', -1n],
    ] as const) {
      for (const { asset, amount, principal, interest } of await rowsOf(trader, `${margin}/borrow-repay`, { type, ...more })) {
        assert.equal(units(amount), units(principal) + units(interest))
        add(has, `${account} ${asset}`, sign * units(amount))
        add(owes, `${account} ${asset}`, sign * units(amount))
      }
    }
    for (const { asset, interest } of await rowsOf(trader, `${margin}/interestHistory`, more))
      add(owes, `${account} ${asset}`, units(interest))
  }
  return { has, owes }
}

/** The same from the accounts' own answers. */
async function fromAccounts(trader: Trader) {
  const [has, owes] = [new Map<string, bigint>(), new Map<string, bigint>()]
  const note = (account: Account, { asset, free, locked, borrowed, interest }: any): void => {
    has.set(`${account} ${asset}`, units(free) + units(locked))
    if (borrowed !== undefined) owes.set(`${account} ${asset}`, units(borrowed) + units(interest))
  }
  for (const one of await trader.post('/sapi/v3/asset/getUserAsset')) note('MAIN', one)
  for (const one of (await trader.get(`${margin}/account`)).userAssets) note('MARGIN', one)
  const [isolated] = (await trader.get(`${margin}/isolated/account`, { symbols: 'BTCUSDT' })).assets
  for (const one of [isolated.baseAsset, isolated.quoteAsset]) note('ISOLATEDMARGIN', one)
  const { accounts } = (await trader.user.call('GET', '/balances')).body
  for (const { asset, available } of accounts.find(({ kind }: { kind: string }) => kind === 'perp')?.balances ?? []) {
    has.set(`UMFUTURE ${asset}`, units(available))
  }
  return { has, owes }
}

test('API-MARGIN-BOOKS-001: balances and debts are the sums of transfers, trades, loans, interest and repayments', async () => {
  const desk = await MarginExchange.start('api-margin-books')
  try {
    const maker = await desk.trader({ USDT: '10000000', BTC: '100' })
    await maker.quote('buy', '59990', '50')
    await maker.quote('sell', '60010', '50')
    const given = { USDT: '20000', BTC: '1' }
    const trader = await desk.trader(given)
    const below = random(7)
    for (let step = 1; step <= steps; step++) {
      await act(trader, below)
      if (step % 40 === 0) await desk.hourPasses()
    }
    const [told, seen] = [await fromHistories(trader, given), await fromAccounts(trader)]
    let moved = 0
    for (const account of words) {
      for (const coin of coins) {
        const key = `${account} ${coin}`
        assert.equal(seen.has.get(key) ?? 0n, told.has.get(key) ?? 0n, `${key} is there`)
        assert.equal(seen.owes.get(key) ?? 0n, told.owes.get(key) ?? 0n, `${key} is owed`)
        if ((told.has.get(key) ?? 0n) > 0n) moved++
      }
    }
    assert.ok(moved >= 6 && [...told.owes.values()].some((owed) => owed > 0n), 'something has happened')
    const found = await audit({ pool: desk.exchange.store.pool })
    assert.deepEqual([found.ok, found.problems], [true, []])
  } finally {
    await desk.exchange[Symbol.asyncDispose]()
  }
})
