/** Of several reasons to refuse an order of Futures, the first of the catalogue is given: every pair of faults, and many larger sets. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { refusals } from '../../../protocol/refusal.ts'
import type { Refusal } from '../../../protocol/refusal.ts'
import type { Told } from '../../test/world.ts'
import { contract, givenPerp, marketTerms, perpTerms } from './world.ts'
import type { PerpWorld } from './world.ts'

/**
 * One thing that is wrong, and the refusal that it causes alone. Faults of one group exclude each other. Faults of the state are made
 * in their order, before the command.
 */
type Fault = { readonly group: string; readonly causes: Refusal; readonly make?: (world: PerpWorld) => void; readonly change?: object }

const rank = new Map(Object.keys(refusals).map((name, place) => [name, place]))
const set = (world: PerpWorld, terms: object): void => {
  world.do({ type: 'perp.set', market: contract, terms: { ...marketTerms, ...terms }, perp: perpTerms }).isAccepted()
}
const rest = { type: 'user.rest', until: 2 ** 50 }

const tooMany: Fault = {
  group: 'count',
  causes: 'TOO_MANY_OPEN_ORDERS',
  make(world) {
    world.buy('bob', 90, 1000).isAccepted()
    set(world, { openOrdersMax: 1 })
  },
}
const states: readonly Fault[] = [
  {
    group: 'funds',
    causes: 'MARGIN_INSUFFICIENT',
    make(world) {
      const amount = world.exchange.perpAccount(world.id('bob')).transferable
      world.do({ type: 'funds.transfer', user: world.id('bob'), clientId: '', asset: 1, from: 'perp', to: 'spot', amount }).isAccepted()
    },
  },
  { group: 'index', causes: 'NO_INDEX_PRICE', make: (world) => void world.index(100, 2) },
  { group: 'halt', causes: 'MARKET_HALTED', make: (world) => set(world, { isTrading: false }) },
  {
    group: 'certificate',
    causes: 'NOT_CERTIFIED',
    make: (world) => void world.do({ type: 'user.certify', user: world.id('bob'), isCertified: false }).isAccepted(),
  },
  {
    group: 'freeze',
    causes: 'USER_FROZEN',
    make: (world) => void world.do({ type: 'user.set', user: world.id('bob'), isFrozen: true }).isAccepted(),
  },
]
const resting: Fault = { group: 'rest', causes: 'RESTING', make: (world) => void world.do({ ...rest, user: world.id('bob') }).isAccepted() }

const sizes: readonly Fault[] = [
  { group: 'lots', causes: 'QUANTITY_INVALID', change: { lots: 0 } },
  { group: 'lots', causes: 'NOTIONAL_TOO_SMALL', change: { lots: 1 } },
]
const prices: readonly Fault[] = [
  { group: 'price', causes: 'PRICE_INVALID', change: { price: 0 } },
  { group: 'price', causes: 'PRICE_OUTSIDE_BAND', change: { price: 125 } },
]
const exits = (price: number): object => ({ exits: { takeProfit: { price, by: 'mark' } } })
const placing: readonly Fault[] = [
  ...states,
  resting,
  ...sizes,
  { group: 'market', causes: 'MARKET_UNKNOWN', change: { market: 9 } },
  { group: 'side', causes: 'POSITION_SIDE_INVALID', change: { position: 'long' } },
  { group: 'exits', causes: 'TRIGGER_INVALID', change: exits(0) },
  { group: 'exits', causes: 'TRIGGER_IMMEDIATE', change: exits(90) },
]

type Kind = { readonly name: string; readonly faults: readonly Fault[]; readonly send: (world: PerpWorld, changes: object) => Told }

const stop = (price: number): object => ({ trigger: { kind: 'stop', price, direction: 'rises-to' } })
const kinds: readonly Kind[] = [
  {
    name: 'a limit order',
    faults: [tooMany, ...placing, ...prices, { group: 'time', causes: 'POST_ONLY_WOULD_TAKE', change: { isPostOnly: true } }],
    send: (world, changes) => world.buy('bob', 100, 1000, changes),
  },
  {
    name: 'a fill-or-kill order',
    faults: [...placing, ...prices.slice(0, 1), { group: 'lots', causes: 'FOK_NOT_FILLABLE', change: { lots: 1100 } }],
    send: (world, changes) => world.buy('bob', 100, 100, { timeInForce: 'FOK', ...changes }),
  },
  {
    name: 'a market order',
    faults: [{ group: 'book', causes: 'NO_LIQUIDITY', make: (world) => void cancelAsks(world) }, ...placing],
    send: (world, changes) => world.market('bob', 'buy', 1000, changes),
  },
  {
    name: 'a conditional order',
    faults: [
      tooMany,
      ...placing,
      { group: 'price', causes: 'PRICE_INVALID', change: { price: 0 } },
      { group: 'price', causes: 'PRICE_OUTSIDE_BAND', change: { price: 150 } },
      { group: 'trigger', causes: 'TRIGGER_INVALID', change: stop(0) },
    ],
    send: (world, changes) => world.buy('bob', 110, 1000, { ...stop(110), triggerBy: 'mark', ...changes }),
  },
  {
    name: 'an amend',
    faults: [...states, ...sizes.slice(0, 1), ...prices],
    send(world, changes) {
      const user = world.id('bob')
      const order = world.exchange.openOrders(user).at(-1)!.order
      const named = { market: contract, order, orderClientId: '', clientId: '' }
      return world.do({ type: 'perp.amend', user, ...named, price: 91, lots: 9000, ...changes })
    },
  },
  {
    name: 'an amend of a conditional order',
    faults: [
      ...states,
      ...sizes,
      { group: 'price', causes: 'PRICE_INVALID', change: { price: 0 } },
      { group: 'price', causes: 'PRICE_OUTSIDE_BAND', change: { price: 150 } },
      { group: 'trigger', causes: 'TRIGGER_INVALID', change: { triggerPrice: 0 } },
      { group: 'trigger', causes: 'TRIGGER_IMMEDIATE', change: { triggerPrice: 90 } },
    ],
    send(world, changes) {
      const user = world.id('bob')
      const order = world.exchange.openOrders(user).at(-1)!.order
      const named = { market: contract, order, orderClientId: '', clientId: '' }
      return world.do({ type: 'perp.amend', user, ...named, triggerPrice: 112, price: 112, lots: 8500, ...changes })
    },
  },
]

/** Cancels the asks of carol. */
function cancelAsks(world: PerpWorld): void {
  world.do({ type: 'spot.cancelAll', user: world.id('carol'), clientId: '', market: contract }).isAccepted()
}

/** Bob has 1,000 USDT and, for an amend, an order in the book; carol sells at 95. */
function given(kind: Kind): PerpWorld {
  const world = givenPerp({ bob: '1000', carol: '5000' })
  world.sell('carol', 95, 1000).isAccepted()
  if (kind.name === 'an amend') world.buy('bob', 90, 2000).isAccepted()
  if (kind.name === 'an amend of a conditional order') world.buy('bob', 110, 2000, { ...stop(110), triggerBy: 'mark' }).isAccepted()
  return world
}

function outcome(kind: Kind, faults: readonly Fault[]): Refusal | undefined {
  const world = given(kind)
  for (const { make } of kind.faults.filter((fault) => faults.includes(fault))) make?.(world)
  return kind.send(world, Object.assign({}, ...faults.map(({ change }) => change ?? {}))).outcome.refusal
}

function earliest(faults: readonly Fault[]): Refusal {
  return faults.map(({ causes }) => causes).reduce((one, other) => (rank.get(other)! < rank.get(one)! ? other : one))
}

function areCompatible(faults: readonly Fault[]): boolean {
  return new Set(faults.map(({ group }) => group)).size === faults.length
}

for (const kind of kinds) {
  test(`PERP-ORDER-014: ${kind.name} is accepted without a fault, and each fault alone has its own refusal`, () => {
    assert.equal(outcome(kind, []), undefined)
    for (const fault of kind.faults) assert.equal(outcome(kind, [fault]), fault.causes)
  })

  test(`PERP-ORDER-014: of any two faults of ${kind.name}, the earlier in the catalogue is told`, () => {
    for (const one of kind.faults)
      for (const other of kind.faults) {
        const both = [one, other]
        if (rank.get(one.causes)! >= rank.get(other.causes)! || !areCompatible(both)) continue
        assert.equal(outcome(kind, both), earliest(both), `${one.causes} and ${other.causes}`)
      }
  })

  test(`PERP-ORDER-014: of any faults of ${kind.name}, the earliest in the catalogue is told`, () => {
    fc.assert(
      fc.property(fc.subarray([...kind.faults], { minLength: 3 }), (faults) => {
        const groups = new Set<string>()
        const chosen = faults.filter(({ group }) => !groups.has(group) && groups.add(group))
        assert.equal(outcome(kind, chosen), earliest(chosen))
      }),
      { numRuns: 60 },
    )
  })
}
