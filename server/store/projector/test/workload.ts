import { contractCommand, contractOpening } from './contract-workload.ts'
import { convertOpening } from './convert-workload.ts'
import type { Command } from '@candor/core/protocol/command/index.ts'
import { borrowModes } from '@candor/core/protocol/command/margin.ts'
import { firstMarginTerms } from '@candor/core/risk/margin-terms.ts'

/** A seeded number source: the same seed gives the same orders. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

const users = 20
const [usdt, btc, eth] = [1, 2, 3]
const markets = [
  { id: 1, symbol: 'BTCUSDT', base: btc, quote: usdt, tick: '0.1', lot: '0.00001', price: 600_000 },
  { id: 2, symbol: 'ETHUSDT', base: eth, quote: usdt, tick: '0.01', lot: '0.0001', price: 300_000 },
  { id: 3, symbol: 'ETHBTC', base: eth, quote: btc, tick: '0.00001', lot: '0.001', price: 5000 },
]
const terms = { makerFeePpm: 800, takerFeePpm: 1000, notionalMin: 1, lotsMin: 1, lotsMax: 1e7, bandPpm: 900_000, slippagePpm: 50_000 }

const optionTerms = {
  isOpen: true,
  rates: [{ seconds: 6, profitPpm: 800_000 }],
  stakeMin: 1_000_000,
  stakeMax: 1_000_000_000,
  openMax: 5_000_000_000,
  sideMax: 5_000_000_000,
  strikeDelayMs: 1500,
  windowPpm: 100_000,
  windowMaxMs: 5000,
  gapMaxMs: 3000,
  marketExposurePpm: 500_000,
  totalExposurePpm: 1_000_000,
  groupExposurePpm: 1_000_000,
  groupPpm: 700_000,
  guardVoidsFree: 3,
  guardVoidsPpm: 200_000,
  houseFloor: 0,
  limitWaitMs: 0,
}

/** Three markets; every fourth user is a maker; all users have money. */
export function openingCommands(): readonly Command[] {
  const all: object[] = [
    { type: 'asset.list', symbol: 'USDT', scale: 6 },
    { type: 'asset.list', symbol: 'BTC', scale: 8 },
    { type: 'asset.list', symbol: 'ETH', scale: 8 },
  ]
  for (const { symbol, base, quote, tick, lot } of markets) {
    all.push({ type: 'market.list', symbol, base, quote, tick, lot, terms: { ...terms, openOrdersMax: 200, isTrading: true } })
  }
  for (let user = 1; user <= users; user++) {
    all.push({ type: 'user.open', requestId: `open-${user}`, class: user % 4 === 0 ? 'maker' : 'retail', referrer: 0 })
    all.push({ type: 'user.certify', user, isCertified: true }, { type: 'option.admit', user })
    for (const [asset, amount] of [
      [usdt, 5e12],
      [btc, 1e10],
      [eth, 1e11],
    ]) {
      all.push({ type: 'funds.faucet', user, clientId: `start-${asset}`, asset, amount })
    }
  }
  const prices = markets
    .slice(0, 2)
    .map(({ id, price }) => ({ market: id, price: price * (id === 1 ? 1e7 : 1e6), sources: 4, isGood: true }))
  all.push({ type: 'index.tick', prices })
  all.push({ type: 'funds.system', account: 'option-house', asset: usdt, amount: 1e12 }, { type: 'option.setTerms', terms: optionTerms })
  all.push({ type: 'margin.setTerms', terms: firstMarginTerms(6, []) })
  for (const [asset, amount] of [
    [btc, 2e9],
    [eth, 2e10],
  ]) {
    all.push({ type: 'lend.supply', user: 1, clientId: `first-${asset}`, asset, amount })
  }
  for (let user = 1; user <= users; user++) {
    all.push({ type: 'funds.transfer', user, clientId: 'margin', asset: usdt, amount: 1e10, from: 'spot', to: 'margin-cross' })
  }
  all.push(...contractOpening(users, usdt, markets, { ...terms, openOrdersMax: 200, isTrading: true }))
  all.push(...chainCommands(all.length))
  all.push(...convertOpening(all.length, 4))
  return all as readonly Command[]
}

/** Deposits and withdrawals in all their states. `before`: the commands before them, which number the withdrawals. */
function chainCommands(before: number): readonly object[] {
  const all: object[] = [
    { type: 'withdraw.setTerms', asset: usdt, network: 2, terms: { isOpen: true, min: 10e6, fee: 1e6, autoMax: 100e6, singleMax: 1e9 } },
  ]
  for (let credit = 1; credit <= 8; credit++)
    all.push({ type: 'chain.credit', user: credit, network: 2, credit, asset: usdt, amount: 50e6 + credit, isFinal: credit % 2 === 0 })
  all.push({ type: 'chain.final', network: 2, credit: 1 }, { type: 'chain.orphan', network: 2, credit: 3 })
  for (let user = 10; user <= 15; user++) {
    const request = { clientId: '', asset: usdt, network: 2, amount: 20e6 + user, fee: 1e6, destination: user }
    all.push({ type: 'withdraw.request', user, ...request })
    const withdrawal = before + all.length
    const decide = (isApproved: boolean): object => {
      return { type: 'withdraw.decide', withdrawal, isApproved, first: 3, second: 0, reason: `ticket ${user}` }
    }
    if (user === 11) all.push({ type: 'withdraw.cancel', user, withdrawal })
    if (user === 12) all.push(decide(false))
    if (user > 12) all.push(decide(true))
    if (user > 13) all.push({ type: 'withdraw.finish', withdrawal, isPaid: user === 14 })
  }
  return all
}

/** Orders of all kinds by all users, changes of them, and now and then another command; some are refused. */
export function nextCommands(random: () => number, count: number): Command[] {
  return Array.from({ length: count }, () => nextCommand(random) as Command)
}

function nextCommand(random: () => number): object {
  const below = (most: number) => Math.floor(random() * most)
  const user = 1 + below(users)
  const market = markets[below(markets.length)] as (typeof markets)[number]
  const clientId = below(4) === 0 ? '' : `c${below(1e9)}`
  const near = (width: number) => market.price + below(2 * width) - width
  const lots = 100 + below(2000)
  const side = below(2) === 0 ? 'buy' : 'sell'
  const selfTrade = (['expire-taker', 'expire-maker', 'expire-both', 'none', 'decrement'] as const)[below(5)]
  const base = { user, clientId, market: market.id, side, selfTrade }
  const place = { ...base, type: 'spot.place', orderType: 'limit', timeInForce: 'GTC', isPostOnly: false }
  const order = 1 + below(3000)
  const reference = { user, clientId, market: market.id, order, orderClientId: '' }
  const second = below(100)
  if (second < 15) {
    const named =
      market.id === 3 ? [] : [{ market: market.id, price: near(30) * (market.id === 1 ? 1e7 : 1e6), sources: 4, isGood: below(30) > 0 }]
    return { type: 'index.tick', prices: below(3) === 0 ? [] : named }
  }
  if (second < 19) {
    const direction = below(2) === 0 ? 'up' : 'down'
    return {
      type: 'option.open',
      user,
      clientId,
      market: market.id,
      direction,
      stake: 1e6 + below(1e8),
      seconds: 6,
      guardPpm: below(3) * 20,
    }
  }
  if (second < 24) return marginCommand(below, user, clientId)
  if (second < 27) {
    const margin = { account: below(2) === 0 ? 'margin-cross' : 'margin-isolated', borrow: borrowModes[below(4)] }
    return { ...place, price: near(40), lots, margin }
  }
  if (second >= 85) return contractCommand(below, user, clientId)
  const dice = below(100)
  if (dice < 45) return { ...place, price: near(40), lots }
  if (dice < 53) return { ...place, price: near(40), lots, timeInForce: below(2) === 0 ? 'IOC' : 'FOK' }
  if (dice < 57) return { ...place, price: near(40), lots, isPostOnly: true }
  if (dice < 61) return { ...place, price: near(20), lots, display: 1 + below(lots) }
  if (dice < 65) return { ...place, orderType: 'market', timeInForce: 'IOC', lots }
  if (dice < 69) return { ...place, orderType: 'market', timeInForce: 'IOC', spend: market.price * (100 + below(500)) }
  if (dice < 74) {
    const trigger = { kind: 'stop', price: near(60), direction: below(2) === 0 ? 'rises-to' : 'falls-to' }
    return { ...place, price: near(40), lots, trigger }
  }
  if (dice < 77) {
    const trigger = { kind: 'trailing', trailPpm: 1000 + below(5000), direction: side === 'sell' ? 'falls-to' : 'rises-to' }
    return { ...place, orderType: 'market', timeInForce: 'IOC', lots, trigger }
  }
  if (dice < 81) {
    const [limitPrice, stopPrice] = side === 'sell' ? [market.price + 50, market.price - 50] : [market.price - 50, market.price + 50]
    return { ...base, clientId: `oco${below(1e9)}`, type: 'spot.placeOco', lots, limitPrice, stopPrice }
  }
  if (dice < 88) return { ...reference, type: 'spot.amend', ...(below(2) === 0 ? { lots: 50 + below(1500) } : { price: near(40) }) }
  if (dice < 94) return { ...reference, type: 'spot.cancel' }
  if (dice < 95) return { type: 'spot.cancelAll', user, clientId, market: below(2) === 0 ? 0 : market.id }
  if (dice < 96) return { type: 'funds.transfer', user, clientId, asset: usdt, from: 'spot', to: 'option', amount: 1000 + below(1e9) }
  if (dice < 97) return { type: 'funds.faucet', user, clientId, asset: usdt, amount: 1_000_000 + below(1e8) }
  if (dice < 98) return { type: 'user.set', user: 1 + below(users), isFrozen: below(12) === 0 }
  return { type: 'clock.tick' }
}

/** Transfers to and from Margin accounts, loans, and lenders' deposits and withdrawals. */
function marginCommand(below: (most: number) => number, user: number, clientId: string): object {
  const market = below(3)
  const asset = [usdt, btc, eth][below(3)] as number
  const amount = 1 + below(asset === usdt ? 3e9 : asset === btc ? 5e6 : 1e8)
  const account = market === 0 ? { to: 'margin-cross' } : { to: 'margin-isolated', market }
  const dice = below(10)
  if (dice < 3) return { type: 'funds.transfer', user, clientId, asset, amount, from: 'spot', ...account }
  if (dice < 6) return { type: 'margin.borrow', user, clientId, market, asset, amount }
  if (dice < 7) return { type: 'margin.repay', user, clientId, market, asset, amount: below(2) === 0 ? 0 : amount }
  if (dice < 8) return { type: 'lend.supply', user, clientId, asset, amount }
  if (dice < 9) return { type: 'lend.withdraw', user, clientId, asset, amount }
  return { type: 'lend.cancelWithdraw', user, clientId, asset }
}
