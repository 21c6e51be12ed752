import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Ppm, Units } from '../../../money/brand.ts'
import { converted, giveFor, type Priced } from '../../../risk/convert.ts'
import { Exchange } from '../../exchange.ts'
import { asProduction } from '../../test/production.ts'
import { btc, convertTerms, convertWorld, eth, usdt, whole } from './convert-world.ts'

test('CONVERT-QUOTE-001: a quote names both sums, its rate and its end; it holds nothing, and its number is its position in the journal', () => {
  const convert = convertWorld('alice')
  const { world } = convert
  const told = convert.quote('alice', usdt, btc, 1000 * whole.usdt).isAccepted()
  const { seq } = world.exchange
  assert.equal(told.order, 2 ** 52 + seq)
  assert.deepEqual(told.of('entry'), [])
  // 1000 ÷ 50,010 (the ask) less 0.1 %, rounded down.
  const get = Math.floor((1000 / 50_010) * 0.999 * whole.btc)
  assert.deepEqual(told.of('convert.quoted'), [
    {
      ...{ type: 'convert.quoted', quote: seq, user: world.user('alice'), from: usdt, to: btc, give: 1000 * whole.usdt, get },
      ...{ value: 1000 * whole.usdt, fromPrice: 1e8, toPrice: 50_000e8, expiresAt: world.atMs + 8000 },
    },
  ])
  world.isReplayable()
})

test('CONVERT-QUOTE-002: the price is that of the index or of the book over the whole sum, whichever is worse for the customer', () => {
  const convert = convertWorld('alice')
  const { world } = convert
  const sold = convert.quoted('alice', btc, usdt, whole.btc)
  assert.equal(sold.get, Math.floor(49_990 * 0.999 * whole.usdt))
  // The index is below the bid: the index counts.
  convert.index(49_980, 2500)
  assert.equal(convert.quoted('alice', btc, usdt, whole.btc).get, Math.floor(49_980 * 0.999 * whole.usdt))
  // A half BTC stands at a worse level: for a whole one, the average of both counts.
  convert.index(50_000, 2500)
  world.gives('taker', 'BTC', '10').market('taker', 'sell', { lots: 9500 }).isAccepted()
  world.buy('deep', 49_900, 10_000).isAccepted()
  assert.equal(convert.quoted('alice', btc, usdt, whole.btc / 2).get, Math.floor((49_990 / 2) * 0.999 * whole.usdt))
  assert.equal(convert.quoted('alice', btc, usdt, whole.btc).get, Math.floor(49_945 * 0.999 * whole.usdt))
})

test('CONVERT-QUOTE-003: what is asked for can be the sum that arrives; then what is given is rounded up', () => {
  const convert = convertWorld('alice')
  const { give, get } = convert.quoted('alice', usdt, btc, whole.btc / 10, { isGet: true })
  assert.equal(get, whole.btc / 10)
  assert.equal(give, Math.ceil((5001 / 0.999) * whole.usdt))
  const back = convert.quoted('alice', usdt, btc, give)
  assert.ok(back.get >= get && back.get <= get + 1)
})

test('CONVERT-QUOTE-004: between two coins the spread is taken once', () => {
  const convert = convertWorld('alice')
  const { get, value } = convert.quoted('alice', btc, eth, whole.btc)
  // Prices in cents, the spread as 999 of 1000.
  assert.equal(get, Number((49_990_00n * 999n * BigInt(whole.eth)) / (2501_00n * 1000n)))
  assert.equal(value, 50_000 * whole.usdt)
})

test('CONVERT-ACCEPT-001: an accepted quote holds both sums; the first index tick after the delay converts all of it', () => {
  const convert = convertWorld('alice')
  const { world } = convert
  const { quote, give, get } = convert.quoted('alice', usdt, btc, 1000 * whole.usdt)
  const told = convert.wait(7999).accept('alice', quote).isAccepted()
  assert.equal(told.order, 2 ** 52 + quote)
  world.has('alice', 'USDT', '99000', '1000').isReplayable()
  assert.deepEqual(convert.inventory(btc), [10 * whole.btc - get, get])
  assert.deepEqual(convert.wait(1499).index(50_000, 2500).of('convert.filled'), [])
  const [filled] = convert.wait(1).index(50_000, 2500).of('convert.filled')
  assert.deepEqual([filled!.quote, filled!.give, filled!.get], [quote, give, get])
  world.has('alice', 'USDT', '99000')
  assert.equal(convert.units('alice', btc), 2 * whole.btc + get)
  assert.deepEqual(convert.inventory(btc), [10 * whole.btc - get, 0])
  assert.deepEqual(convert.inventory(usdt), [501_000 * whole.usdt, 0])
  world.isReplayable()
})

test('CONVERT-ACCEPT-002: a quote is accepted once, by its owner, before its end; a repeat changes nothing', () => {
  const convert = convertWorld('alice', 'bob')
  const first = convert.quoted('alice', usdt, btc, 1000 * whole.usdt)
  const second = convert.quoted('alice', usdt, btc, 2000 * whole.usdt)
  convert.allRefused(
    'QUOTE_UNKNOWN',
    () => convert.accept('alice', first.quote),
    () => convert.accept('bob', second.quote),
    () => convert.accept('alice', 0),
  )
  convert.wait(8001).index(50_000, 2500)
  convert.allRefused('QUOTE_EXPIRED', () => convert.accept('alice', second.quote))
  const third = convert.quoted('alice', usdt, btc, 1000 * whole.usdt)
  convert.accept('alice', third.quote).isAccepted()
  assert.equal(convert.accept('alice', third.quote).isAccepted().events.length, 1)
  convert.allRefused('QUOTE_UNKNOWN', () => convert.accept('bob', third.quote))
  convert.wait(1500).index(50_000, 2500)
  assert.equal(convert.accept('alice', third.quote).isAccepted().events.length, 1)
  convert.allRefused('QUOTE_UNKNOWN', () => convert.accept('bob', third.quote))
  convert.world.has('alice', 'USDT', '99000')
})

test('CONVERT-ACCEPT-003: an index that has moved further than the drift, up or down, ends the conversion and gives everything back', () => {
  for (const [price, fills] of [
    [50_040, true],
    [50_041, false],
    [49_961, true],
    [49_959, false],
  ] as const) {
    const convert = convertWorld('alice')
    const { quote } = convert.quoted('alice', usdt, btc, 1000 * whole.usdt)
    convert.accept('alice', quote).isAccepted()
    const told = convert.wait(1500).index(price, 2500)
    assert.equal(told.of('convert.filled').length, fills ? 1 : 0, String(price))
    assert.deepEqual(
      told.of('convert.ended').map(({ why }) => why),
      fills ? [] : ['moved'],
    )
    if (!fills) convert.world.has('alice', 'USDT', '100000')
    if (!fills)
      assert.deepEqual(
        [convert.inventory(btc), convert.inventory(usdt)],
        [
          [10 * whole.btc, 0],
          [500_000 * whole.usdt, 0],
        ],
      )
    convert.world.isReplayable()
  }
})

test('CONVERT-ACCEPT-004: while the index is not good nothing is decided; after the longest wait everything is given back', () => {
  const convert = convertWorld('alice')
  const { world } = convert
  const { quote } = convert.quoted('alice', btc, usdt, whole.btc / 10)
  convert.accept('alice', quote).isAccepted()
  assert.equal(world.exchange.nextDueAtMs, world.atMs + 10_000)
  assert.deepEqual(convert.wait(2000).index(-50_000, 2500).of('convert.ended'), [])
  assert.deepEqual(convert.wait(7999).do({ type: 'clock.tick' }).of('convert.ended'), [])
  assert.deepEqual(
    convert
      .wait(1)
      .do({ type: 'clock.tick' })
      .of('convert.ended')
      .map(({ why }) => why),
    ['no-index'],
  )
  world.has('alice', 'BTC', '2').isReplayable()
  assert.equal(world.exchange.nextDueAtMs, Infinity)
})

test('CONVERT-LIMIT-001: sums below the smallest, above the largest, or above the customer’s limit of a day are refused', () => {
  const convert = convertWorld('alice')
  convert.allRefused('AMOUNT_TOO_SMALL', () => convert.quote('alice', usdt, btc, 5 * whole.usdt - 1))
  convert.allRefused('AMOUNT_TOO_LARGE', () => convert.quote('alice', usdt, btc, 50_000 * whole.usdt + 1))
  convert.quote('alice', usdt, btc, 5 * whole.usdt).isAccepted()
  convert.terms({ userMax: 60_000 * whole.usdt }).isAccepted()
  const { quote } = convert.quoted('alice', usdt, btc, 50_000 * whole.usdt)
  convert.accept('alice', quote).isAccepted()
  convert.allRefused('CONVERT_LIMIT', () => convert.quote('alice', usdt, btc, 10_000 * whole.usdt + 1))
  const open = convert.quoted('alice', usdt, btc, 10_000 * whole.usdt)
  convert.wait(1500).index(50_100, 2500)
  // A quote that ended without a conversion no longer counts.
  convert.quoted('alice', usdt, btc, 50_000 * whole.usdt)
  convert.terms({ userMax: 50_000 * whole.usdt }).isAccepted()
  convert.allRefused('QUOTE_UNKNOWN', () => convert.accept('alice', open.quote))
})

test('CONVERT-LIMIT-001: a conversion of yesterday that ends today gives nobody more of today’s limit', () => {
  const convert = convertWorld('alice')
  const { world } = convert
  convert.terms({ userMax: 50_000 * whole.usdt }).isAccepted()
  const day = 86_400_000
  world.atMs += day - (world.atMs % day) - 1000
  convert.index(50_000, 2500)
  const late = convert.quoted('alice', usdt, btc, 20_000 * whole.usdt)
  convert.accept('alice', late.quote).isAccepted()
  const early = convert.wait(1000).quoted('alice', usdt, btc, 40_000 * whole.usdt)
  convert.accept('alice', early.quote).isAccepted()
  const ended = convert.wait(500).index(50_100, 2500).of('convert.ended')
  assert.deepEqual(
    ended.map(({ quote }) => quote),
    [late.quote],
  )
  assert.equal(world.exchange.convert.standing(world.user('alice')).today.used, 40_000 * whole.usdt)
  world.isReplayable()
})

test('CONVERT-LIMIT-002: the inventory pays only what it has, and stays within the bands of its targets', () => {
  const convert = convertWorld('alice', 'bob')
  const shelves = convertTerms.shelves.map((shelf) => (shelf.asset === btc ? { ...shelf, band: whole.btc / 2 } : shelf))
  convert.terms({ shelves }).isAccepted()
  const first = convert.quoted('alice', usdt, btc, whole.btc / 2, { isGet: true })
  const second = convert.quoted('bob', usdt, btc, whole.btc / 2, { isGet: true })
  convert.accept('alice', first.quote).isAccepted()
  convert.allRefused(
    'INVENTORY_LIMIT',
    () => convert.accept('bob', second.quote),
    () => convert.quote('bob', usdt, btc, 10 * whole.usdt),
  )
  // The other direction brings it back.
  convert.quote('bob', btc, usdt, whole.btc / 10).isAccepted()
  const third = convert.quoted('bob', btc, usdt, whole.btc / 2)
  convert.accept('bob', third.quote).isAccepted()
  convert.quote('bob', btc, usdt, whole.btc).isRefused('INVENTORY_LIMIT')
})

test('CONVERT-LIMIT-003: nothing is quoted without a good index, a book near it with the whole sum, or while the market is halted', () => {
  const convert = convertWorld('alice')
  const ask = () => convert.quote('alice', usdt, btc, 1000 * whole.usdt)
  convert.index(-50_000, 2500)
  convert.allRefused('NO_INDEX_PRICE', ask)
  convert.index(50_600, 2500)
  convert.allRefused('NO_LIQUIDITY', ask)
  convert.index(50_000, 2500)
  ask().isAccepted()
  const { market } = { market: convert.world.exchange.listing().markets[0]! }
  convert.do({ type: 'market.set', market: 1, terms: { ...market.terms, isTrading: false } }).isAccepted()
  convert.allRefused('MARKET_HALTED', ask)
})

test('CONVERT-LIMIT-004: closed conversions, unknown assets, frozen customers and those at rest are refused', () => {
  const convert = convertWorld('alice')
  const { world } = convert
  const ask = () => convert.quote('alice', usdt, btc, 1000 * whole.usdt)
  const { quote } = convert.quoted('alice', usdt, btc, 1000 * whole.usdt)
  convert.allRefused(
    'ASSET_UNKNOWN',
    () => convert.quote('alice', usdt, usdt, 1e6),
    () => convert.quote('alice', 9, btc, 1e6),
  )
  convert.allRefused(
    'AMOUNT_NOT_POSITIVE',
    () => convert.quote('alice', usdt, btc, 0),
    () => convert.quote('alice', usdt, btc, -5),
  )
  convert.allRefused('INSUFFICIENT_BALANCE', () => convert.quote('alice', usdt, btc, 100_001 * whole.usdt))
  convert.terms({ isOpen: false }).isAccepted()
  convert.allRefused('PRODUCT_CLOSED', ask, () => convert.accept('alice', quote))
  convert.terms({ shelves: convertTerms.shelves.filter(({ asset }) => asset !== btc) }).isAccepted()
  convert.allRefused('ASSET_UNKNOWN', ask)
  convert.allRefused('INVENTORY_LIMIT', () => convert.accept('alice', quote))
  convert.terms({}).isAccepted()
  world.do({ type: 'user.rest', user: world.user('alice'), until: world.atMs + 86_400_000 }).isAccepted()
  convert.allRefused('RESTING', ask, () => convert.accept('alice', quote))
  convert.quote('alice', btc, usdt, whole.btc / 10).isAccepted()
  world.do({ type: 'user.set', user: world.user('alice'), isFrozen: true }).isAccepted()
  convert.allRefused('USER_FROZEN', ask)
})

test('CONVERT-TERMS-001: a drift above the spread, and terms that contradict each other, are refused', () => {
  const convert = convertWorld('alice')
  const wrong: readonly object[] = [
    { driftPpm: 1001 },
    { bookPpm: -1 },
    { spreadPpm: 0 },
    { validMs: 0 },
    { delayMs: -1 },
    { waitMs: 1000 },
    { min: 0 },
    { max: 1 },
    { userMax: 1 },
    { shelves: [...convertTerms.shelves].reverse() },
    { shelves: [{ asset: usdt, target: -1, band: 0 }] },
  ]
  convert.allRefused('FIELD_INVALID', ...wrong.map((terms) => () => convert.terms(terms)))
  convert.allRefused('USER_UNKNOWN', () => convert.terms({ hedger: 99 }))
  convert.allRefused('ASSET_UNKNOWN', () => convert.terms({ shelves: [{ asset: 9, target: 0, band: 0 }] }))
})

test('CONVERT-HEDGE-001: the hedger takes only what the inventory has above its target, and gives back any amount; nobody else moves it', () => {
  const convert = convertWorld('alice', 'hedger')
  const hedger = convert.world.user('hedger')
  convert.allRefused('FORBIDDEN', () => convert.hedge('hedger', usdt, 1, true))
  convert.allRefused('FORBIDDEN', () => convert.terms({ hedger }))
  convert.world.do({ type: 'user.house', user: hedger, isHouse: true }).isAccepted()
  convert.terms({ hedger }).isAccepted()
  convert.allRefused('INVENTORY_LIMIT', () => convert.hedge('hedger', usdt, 1, true))
  const { quote } = convert.quoted('alice', usdt, btc, 1000 * whole.usdt)
  convert.accept('alice', quote).isAccepted()
  convert.wait(1500).index(50_000, 2500)
  convert.allRefused('INVENTORY_LIMIT', () => convert.hedge('hedger', usdt, 1000 * whole.usdt + 1, true))
  convert.allRefused('FORBIDDEN', () => convert.hedge('alice', usdt, 1, true))
  convert.allRefused('ASSET_UNKNOWN', () => convert.hedge('hedger', 9, 1, true))
  convert.allRefused('AMOUNT_NOT_POSITIVE', () => convert.hedge('hedger', usdt, 0, true))
  convert.hedge('hedger', usdt, 1000 * whole.usdt, true).isAccepted()
  convert.world.has('hedger', 'USDT', '101000')
  convert.allRefused('INSUFFICIENT_BALANCE', () => convert.hedge('hedger', btc, 2 * whole.btc + 1, false))
  convert.hedge('hedger', btc, whole.btc, false).isAccepted()
  assert.ok(convert.inventory(btc)[0] > 10 * whole.btc)
  convert.world.isReplayable()
})

test('CONVERT-LIMIT-005: conversions count as turnover, and unverified customers in production have their limit of it', () => {
  const convert = convertWorld('alice')
  const { quote } = convert.quoted('alice', usdt, btc, 1000 * whole.usdt)
  convert.accept('alice', quote).isAccepted()
  convert.wait(1500).index(50_000, 2500)
  assert.equal(convert.world.exchange.tier(convert.world.user('alice')).volume, 1000 * whole.usdt)
  asProduction(convert.world)
  const next = convert.quoted('alice', usdt, btc, 6000 * whole.usdt)
  convert.accept('alice', next.quote).isAccepted()
  // One that is accepted counts before it is decided, also against spot orders.
  convert.allRefused('TURNOVER_LIMIT', () => convert.quote('alice', usdt, btc, 3000 * whole.usdt + 1))
  convert.world.buy('alice', 50_000, 61).isRefused('TURNOVER_LIMIT')
  convert.quote('alice', usdt, btc, 3000 * whole.usdt).isAccepted()
})

test('CONVERT-LOOP-001: no chain of conversions that ends where it began returns more than it took, at any prices and sums', () => {
  const asset = fc.record({ price: fc.integer({ min: 1, max: 2 ** 40 }), scale: fc.integer({ min: 0, max: 8 }) })
  fc.assert(
    fc.property(
      fc.array(asset, { minLength: 2, maxLength: 5 }),
      fc.integer({ min: 1, max: 2 ** 45 }),
      fc.integer({ min: 1, max: 5000 }),
      (path, sum, spread) => {
        const assets = path as unknown as readonly Priced[]
        let units: Units | undefined = sum as Units
        for (let n = 0; n < assets.length && units !== undefined; n++) {
          const next: Priced = assets[(n + 1) % assets.length]!
          units = converted(units, assets[n]!, next, spread as Ppm)
        }
        assert.ok(units === undefined || units < sum, `${units} of ${sum}`)
      },
    ),
    { numRuns: 5000 },
  )
})

test('CONVERT-LOOP-002: what must be given for a sum buys at least that sum, and one unit less does not', () => {
  const asset = fc.record({ price: fc.integer({ min: 1, max: 2 ** 40 }), scale: fc.integer({ min: 0, max: 8 }) })
  fc.assert(
    fc.property(asset, asset, fc.integer({ min: 1, max: 2 ** 45 }), fc.integer({ min: 1, max: 5000 }), (one, other, get, spread) => {
      const [from, to] = [one, other] as unknown as readonly [Priced, Priced]
      const give = giveFor(get as Units, from, to, spread as Ppm)
      if (give === undefined) return
      assert.ok((converted(give, from, to, spread as Ppm) ?? Infinity) >= get)
      assert.ok(converted((give - 1) as Units, from, to, spread as Ppm)! < get)
    }),
    { numRuns: 5000 },
  )
})

test('CONVERT-LOOP-003: a customer who waits and accepts only what the index has made better gains nothing, whatever the index does', () => {
  const convert = convertWorld('alice')
  let [price, gained] = [50_000, 0]
  for (let n = 0; n < 150; n++) {
    const sells = n % 2 === 0
    const quote = convert.quoted('alice', sells ? btc : usdt, sells ? usdt : btc, sells ? whole.btc / 100 : 500 * whole.usdt)
    price = Math.round(price * (1 + (((Math.imul(n + 1, 0x9e3779b1) >>> 0) % 3001) - 1500) / 1e6))
    convert.wait(7000).index(price, 2500)
    // The customer knows the index of this moment; selling is good after a fall.
    const isBetter = sells ? price < quote.fromPrice / 1e8 : price > quote.toPrice / 1e8
    if (!isBetter) continue
    convert.accept('alice', quote.quote).isAccepted()
    const [filled] = convert.wait(1500).index(price, 2500).of('convert.filled')
    if (filled === undefined) continue
    const [gave, got] = [filled.give, filled.get]
    gained += sells ? got - (gave * price * whole.usdt) / whole.btc : (got * price * whole.usdt) / whole.btc - gave
    assert.ok(gained <= 0, `gained ${gained} after ${n}`)
  }
  assert.ok(gained < 0)
})

test('CONVERT-BOOKS-001: the check of the books names a wrong hold of the inventory and a wrong sum that comes in', () => {
  const convert = convertWorld('alice')
  const { quote } = convert.quoted('alice', usdt, btc, 1000 * whole.usdt)
  convert.accept('alice', quote).isAccepted()
  convert.world.isReplayable()
  // The dump has the accepted sums once: another sum there contradicts the held ones.
  const slots = new Float64Array(new Uint8Array(convert.world.exchange.dump()).buffer)
  const at = slots.findIndex(
    (slot, n) => slot === quote && slots[n + 1] === convert.world.user('alice') && slots[n + 2] === usdt && slots[n + 3] === btc,
  )
  assert.ok(at > 0)
  slots[at + 5] = slots[at + 5]! + 1
  const { violations } = Exchange.restore(new Uint8Array(slots.buffer)).trialBalance()
  assert.match(violations.join(), /^the inventory holds \d+ of 2 instead of \d+$/)
})
