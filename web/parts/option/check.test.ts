import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compose, type Composition } from '@candor/core/proof/composition.ts'
import { tapeGenesis, tapeHash, tapeSlots } from '@candor/core/proof/tape.ts'
import { fromHex, toHex } from '@candor/core/proof/sha256.ts'
import type { WireOption, WireTape, WireTapeTick } from '@candor/core/protocol/wire/option.ts'
import { check, spansOf, type Tape } from './check.ts'

const start = 1_790_000_000_000

/** Ten minutes of a market that rises by one dollar per tick. Every fourth tick has no price, as in a quiet market. */
const ticks: readonly WireTapeTick[] = (() => {
  const made: WireTapeTick[] = []
  let hash: Uint8Array = tapeGenesis
  for (let n = 1; n <= 2_400; n++) {
    const price = (60_000 + n) * 1e8
    const prices = n % 4 === 0 ? [] : [{ market: 1, price, sources: 3, isGood: true, quotes: [0, 1, 2].map((venue) => ({ venue, price })) }]
    const tick = { tick: n, at: start + n * 250, format: 1, prices } as const
    hash = tapeHash(hash, tapeSlots(tick))
    made.push({
      ...tick,
      hash: toHex(hash),
      prices: prices.map((one) => ({
        ...one,
        price: String(one.price),
        quotes: one.quotes.map((quote) => ({ ...quote, price: String(quote.price) })),
      })),
    })
  }
  return made
})()

/** Answers like the exchange: `until` excluded, at most a hundred ticks per page. */
function serve(from: readonly WireTapeTick[]): { readonly tape: Tape; readonly asked: () => number } {
  let asked = 0
  const tape: Tape = (query) => {
    asked += 1
    const found = from.filter(
      (tick) =>
        (query.at === undefined || tick.at >= query.at) &&
        (query.from === undefined || tick.tick >= query.from) &&
        (query.until === undefined || tick.at < query.until),
    )
    const page = found.slice(0, 100)
    const before = page[0] === undefined ? undefined : from[from.indexOf(page[0]) - 1]
    const last = from.at(-1)
    const answer: WireTape = {
      venues: ['a', 'b', 'c'],
      markets: [{ id: 1, symbol: 'BTCUSDT' }],
      before: before?.hash ?? toHex(tapeGenesis),
      ticks: page,
      head: { tick: last?.tick ?? 0, hash: last?.hash ?? '' },
    }
    return Promise.resolve(answer)
  }
  return { tape, asked: () => asked }
}

/** An order opened at tick 397 or the next one. The market rises, so Up wins. */
function order(seconds: number, change: Partial<WireOption> = {}): WireOption {
  const strikeFrom = start + 100_000
  return {
    id: '7',
    clientId: 'c',
    symbol: 'BTCUSDT',
    direction: 'up',
    stake: '25',
    profitPpm: 840_000,
    profit: '21',
    fee: '0',
    seconds,
    status: 'settled',
    acceptedAt: strikeFrom - 1_500,
    strikeFrom,
    expiresAt: strikeFrom + seconds * 1_000,
    windowMs: 3_000,
    gapMaxMs: 3_000,
    guardPpm: 0,
    reference: '60390',
    // Tick 400 has no price, so the price of tick 399 still holds.
    strike: '60399.0',
    strikeTick: 400,
    strikeAt: start + 100_000,
    result: 'win',
    voidReason: 'none',
    settlePrice: String(60_000 + 400 + seconds * 4 - 7),
    settleProfit: '21',
    settledAt: strikeFrom + seconds * 1_000,
    ...change,
  }
}

test('UI-VERIFY-001: opening price, median, result and profit from the tape agree with the booked ones', async () => {
  for (const seconds of [30, 60, 300]) {
    const verdict = await check(order(seconds), serve(ticks).tape)
    assert.deepEqual(
      verdict.claims.map(({ name, said, found }) => [name, said === found]),
      [
        ['strike', true],
        ['settle', true],
        ['result', true],
        ['profit', true],
      ],
      `${seconds} s: ${JSON.stringify(verdict.claims)}`,
    )
    assert.equal(verdict.isEqual, true)
    assert.equal(verdict.strike?.tick, 400)
    assert.equal(verdict.window.filter((one) => one.isMedian).length, 1)
    assert.equal(
      verdict.window.reduce((sum, one) => sum + one.ms, 0),
      3_000,
    )
  }
})

test('UI-VERIFY-002: a changed price breaks the chain at its tick, and the verdict is different', async () => {
  const changed = ticks.map((tick) =>
    tick.tick === 410 ? { ...tick, prices: tick.prices.map((one) => ({ ...one, price: String(Number(one.price) + 1) })) } : tick,
  )
  const verdict = await check(order(30), serve(changed).tape)
  assert.equal(verdict.isEqual, false)
  // Tick 410 has prices, which its hash covers.
  assert.equal(verdict.pieces[0]?.fault, 410)
})

test('UI-VERIFY-003: a forged tape with other prices has an intact chain and another result', async () => {
  let hash = fromHex(ticks[450]?.hash ?? '') ?? new Uint8Array()
  const forged = ticks.map((tick) => {
    if (tick.tick <= 451) return tick
    const prices = tick.prices.map((one) => ({ ...one, price: String(59_000e8), quotes: [] }))
    hash = tapeHash(hash, tapeSlots({ ...tick, prices: prices.map((one) => ({ ...one, price: Number(one.price), quotes: [] })) }))
    return { ...tick, prices, hash: toHex(hash) }
  })
  const verdict = await check(order(30), serve(forged).tape)
  assert.deepEqual(
    verdict.pieces.map((piece) => piece.fault),
    [undefined],
  )
  assert.equal(verdict.claims.find(({ name }) => name === 'result')?.found, 'lose')
  assert.equal(verdict.isEqual, false)
})

test('UI-VERIFY-004: a booked profit that is not the rate on the stake is found', async () => {
  const verdict = await check(order(30, { settleProfit: '20.99' }), serve(ticks).tape)
  assert.deepEqual(
    verdict.claims.filter(({ said, found }) => said !== found).map(({ name }) => name),
    ['profit'],
  )
  assert.equal(verdict.isEqual, false)
})

test('UI-VERIFY-005: a long order is checked by its two decisive ends, a short one completely', async () => {
  assert.equal(spansOf(order(30), 4_000).length, 1)
  assert.equal(spansOf(order(900), 4_000).length, 2)
  const verdict = await check(order(300), serve(ticks).tape)
  assert.equal(verdict.pieces.length, 2)
  assert.ok(verdict.pieces.every((piece) => piece.ticks < 120))
})

test('UI-VERIFY-006: if no tick near the beginning has a price of the market, the check reads further back', async () => {
  const silent = (tick: WireTapeTick): boolean => tick.tick > 370 && tick.tick <= 405
  let hash = fromHex(ticks[369]?.hash ?? '') ?? new Uint8Array()
  const still = ticks.map((tick) => {
    if (tick.tick <= 370) return tick
    const prices = silent(tick) ? [] : tick.prices
    hash = tapeHash(
      hash,
      tapeSlots({
        ...tick,
        prices: prices.map((one) => ({
          ...one,
          price: Number(one.price),
          quotes: one.quotes.map((quote) => ({ ...quote, price: Number(quote.price) })),
        })),
      }),
    )
    return { ...tick, prices, hash: toHex(hash) }
  })
  const verdict = await check(order(30, { strike: '60370' }), serve(still).tape)
  assert.equal(verdict.claims.find(({ name }) => name === 'strike')?.found, '60370')
  assert.equal(verdict.isEqual, true)
})

test('UI-VERIFY-007: a tape that ends too early gives no verdict', async () => {
  const verdict = await check(order(30), serve(ticks.slice(0, 500)).tape)
  assert.equal(verdict.outcome, undefined)
  assert.equal(verdict.isEqual, false)
})

test('UI-VERIFY-008: an index that does not follow from its corrected quotes is found, even with an intact chain', async () => {
  let composed: Composition | undefined
  const made = (forgedFrom: number): readonly WireTapeTick[] => {
    composed = undefined
    let hash: Uint8Array = tapeGenesis
    return ticks.map(({ tick, at, prices: old }) => {
      const prices = old.map(({ market, isGood, quotes: said, price: plain }) => {
        // One of four venues comes and goes, with a different price.
        const now = [...said.map(({ venue }) => ({ venue, price: Number(plain) + venue * 1e7 })), { venue: 7, price: Number(plain) + 9e7 }]
        const spoken = now.slice(0, tick % 64 < 32 ? 4 : 3)
        const right = compose(composed, at, spoken)
        composed = right
        const more = tick >= forgedFrom ? 1024 * 1000 : 0
        const price = right.price - more / 1024
        return { market, price, sources: spoken.length, isGood, quotes: right.quotes, shift: right.shift + more }
      })
      hash = tapeHash(hash, tapeSlots({ tick, at, format: 2, prices }))
      const wire = prices.map((one) => ({
        ...one,
        price: String(one.price),
        quotes: one.quotes.map((quote) => ({ ...quote, price: String(quote.price) })),
      }))
      return { tick, at, format: 2, hash: toHex(hash), prices: wire }
    })
  }
  const honest = await check(order(30), serve(made(Infinity)).tape)
  assert.deepEqual(
    honest.pieces.map(({ fault, unexplained }) => [fault, unexplained]),
    [[undefined, undefined]],
  )
  const forged = await check(order(30), serve(made(450)).tape)
  assert.deepEqual(
    forged.pieces.map(({ fault, unexplained }) => [fault, unexplained]),
    [[undefined, 450]],
  )
  assert.equal(forged.isEqual, false)
})
