export const convertTerms = {
  isOpen: true,
  ...{ spreadPpm: 1000, validMs: 8000, delayMs: 1500, waitMs: 3000, driftPpm: 800, bookPpm: 10_000 },
  ...{ min: 5e6, max: 50e9, userMax: 200e9, hedger: 0 },
  shelves: [
    { asset: 1, target: 1e12, band: 8e11 },
    { asset: 2, target: 1e9, band: 8e8 },
  ],
}

/** Orders on both sides of BTCUSDT, ten dollars from an index of 60,000. */
export function convertBook(user: number): readonly object[] {
  const order = { type: 'spot.place', user, clientId: '', market: 1, orderType: 'limit', timeInForce: 'GTC', isPostOnly: false }
  const rest = { ...order, selfTrade: 'none', lots: 1e6 }
  return [
    { ...rest, side: 'buy', price: 599_900 },
    { ...rest, side: 'sell', price: 600_100 },
  ]
}

/**
 * Conversions in all their states, and three that the first index ticks afterwards decide. `before`: the commands before them, which number
 * the quotes. The maker's orders are gone at the end.
 */
export function convertOpening(before: number, maker: number): readonly object[] {
  const all: object[] = [
    { type: 'funds.system', account: 'convert-inventory', asset: 1, amount: 1e12 },
    { type: 'funds.system', account: 'convert-inventory', asset: 2, amount: 1e9 },
    ...convertBook(maker),
  ]
  const convert = (user: number, [from, to, amount]: readonly [from: number, to: number, amount: number]): void => {
    all.push({ type: 'convert.quote', user, clientId: `convert-${user}`, from, to, amount, isGet: false })
    all.push({ type: 'convert.accept', user, quote: before + all.length })
  }
  const tick = (price: number): void => {
    all.push({ type: 'index.tick', prices: [{ market: 1, price, sources: 4, isGood: true }] })
  }
  const [buys, sells] = [
    [1, 2, 600e6],
    [2, 1, 1e6],
  ] as const
  all.push({ type: 'convert.setTerms', terms: { ...convertTerms, delayMs: 0, driftPpm: 0 } })
  convert(1, buys)
  convert(2, sells)
  tick(6e12)
  convert(3, buys)
  tick(6e12 + 1e7)
  tick(6e12)
  all.push({ type: 'convert.setTerms', terms: { ...convertTerms, delayMs: 0, waitMs: 0 } })
  convert(5, sells)
  all.push({ type: 'clock.tick' }, { type: 'convert.setTerms', terms: convertTerms })
  for (const user of [6, 7, 8]) convert(user, user % 2 === 0 ? buys : sells)
  all.push({ type: 'spot.cancelAll', user: maker, clientId: '', market: 1 })
  return all
}
