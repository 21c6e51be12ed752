/** Futures in the mixed workload: on the first two markets, followed by their ids. */
const contracts = [
  { id: 4, index: 1, symbol: 'BTCUSDTPERP', price: 600_000, indexUnit: 1e7 },
  { id: 5, index: 2, symbol: 'ETHUSDTPERP', price: 300_000, indexUnit: 1e6 },
] as const

const tier = (valueMax: number, initialPpm: number, maintenancePpm: number) => ({ valueMax, initialPpm, maintenancePpm })

/** Lists them beside their spot markets, funds the insurance a little, and gives every user enough to be liquidated. */
export function contractOpening(
  users: number,
  usdt: number,
  markets: readonly { id: number; base: number; quote: number; tick: string; lot: string }[],
  terms: object,
): object[] {
  const perp = {
    ...{ leverageMax: 10, tiers: [tier(5e10, 100_000, 25_000), tier(1e13, 200_000, 75_000)], fundingHours: 1 },
    ...{ fundingInterest: 100_000, fundingStretch: 500_000, fundingCap: 7_500_000, impactValue: 1e9, markClampPpm: 10_000 },
    ...{ basisWindowMs: 30_000, liquidationFeePpm: 5_000, liquidationStepPpm: 250_000 },
    ...{ openInterestMax: 1e15, userInterestPpm: 1_000_000, carryPpm: 200_000 },
  }
  const all: object[] = contracts.map(({ index, symbol }) => {
    const { base, quote, tick, lot } = markets.find(({ id }) => id === index)!
    return { type: 'perp.list', symbol, base, quote, tick, lot, terms, perp: { ...perp, index } }
  })
  all.push({ type: 'funds.system', account: 'insurance', asset: usdt, amount: 1e8 })
  for (let user = 1; user <= users; user++) {
    all.push({ type: 'funds.transfer', user, clientId: 'contracts', asset: usdt, amount: 3e9, from: 'spot', to: 'perp' })
    if (user % 7 === 0) all.push({ type: 'perp.setHedgeMode', user, isHedge: true })
    for (const { id } of contracts) {
      if (user % 3 === 0) all.push({ type: 'perp.setMarginMode', user, market: id, mode: 'cross' })
      all.push({ type: 'perp.setLeverage', user, market: id, leverage: 2 + (user % 9) })
    }
  }
  return all
}

/** Futures orders and, now and then, an index that jumps far enough to liquidate accounts; some commands are refused. */
export function contractCommand(below: (most: number) => number, user: number, clientId: string): object {
  const { id: market, index, price, indexUnit } = contracts[below(2)]!
  const dice = below(100)
  if (dice < 4) {
    const far = Math.round(price * (0.85 + 0.001 * below(300)))
    return { type: 'index.tick', prices: [{ market: index, price: far * indexUnit, sources: 4, isGood: true }] }
  }
  const near = price + below(400) - 200
  const position = user % 7 === 0 ? (below(2) === 0 ? 'long' : 'short') : 'both'
  const side = below(2) === 0 ? 'buy' : 'sell'
  const place = { type: 'perp.place', user, clientId, market, side, position, triggerBy: below(2) === 0 ? 'last' : 'mark' }
  const plain = { isPostOnly: false, isReduceOnly: below(6) === 0, isClosing: false, selfTrade: 'expire-taker' }
  const lots = 1_000 + below(20_000)
  if (dice < 60) return { ...place, ...plain, orderType: 'limit', timeInForce: 'GTC', price: near, lots }
  if (dice < 75) return { ...place, ...plain, orderType: 'market', timeInForce: 'IOC', lots }
  if (dice < 80) {
    const trigger = { kind: 'stop', price: near, direction: below(2) === 0 ? 'rises-to' : 'falls-to' }
    return { ...place, ...plain, isReduceOnly: false, isClosing: true, orderType: 'market', timeInForce: 'IOC', trigger }
  }
  if (dice < 84) return { type: 'perp.reverse', user, clientId, market }
  if (dice < 88) return { type: 'perp.adjustMargin', user, clientId, market, position, amount: below(2e8) - 1e8 }
  if (dice < 92) return { type: 'perp.setLeverage', user, market, leverage: 1 + below(11) }
  const reference = { user, clientId, market, order: 1 + below(6000), orderClientId: '' }
  if (dice < 96) return { type: 'perp.amend', ...reference, lots: 500 + below(9000) }
  return { type: 'perp.cancel', ...reference }
}
