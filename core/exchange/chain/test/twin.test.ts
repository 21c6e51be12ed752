import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { UserId } from '../../../protocol/ids.ts'
import { Exchange } from '../../exchange.ts'
import { chainWorld, type ChainWorld, usdt, usdtTerms, whole } from './chain-world.ts'
import { Twin } from './twin.ts'

const names = ['alice', 'bob'] as const
const dayMs = 86_400_000
const name = fc.constantFrom(...names)
const network = fc.constantFrom(1, 2)
const credit = fc.integer({ min: 1, max: 20 })
const amount = fc.oneof(
  fc.integer({ min: 0, max: 400 }).map((n) => n * whole),
  fc.constantFrom(1, 1500 * whole, 40_000 * whole, 60_000 * whole),
)
/** What a request asks for, from the twin's point of view. */
const asked = fc.constantFrom(
  'some',
  'free',
  'free and one',
  'all',
  'all and one',
  'rest of the day',
  'rest of the day and one',
  'too little',
)
const some = fc.constantFrom(0, 10 * whole, 100 * whole, 100 * whole + 1, 1000 * whole, 1000 * whole + 1)
/** One of the withdrawals, open ones more often. */
const nth = fc.record({ place: fc.integer({ min: 0, max: 5 }), isOpen: fc.integer({ min: 0, max: 9 }) })
const person = fc.integer({ min: 0, max: 3 })

const step = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant('credit' as const), name, network, credit, amount, isFinal: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('final' as const), network, credit, nth }) },
  { weight: 7, arbitrary: fc.record({ do: fc.constant('orphan' as const), network, credit, nth }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('repay' as const), name }) },
  {
    weight: 7,
    arbitrary: fc.record({
      do: fc.constant('move' as const),
      name,
      share: fc.constantFrom(1, 4, 4),
      isAway: fc.constantFrom(true, true, false),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({ do: fc.constant('request' as const), name, network, asked, some, isFeeWrong: fc.integer({ min: 0, max: 19 }) }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('cancel' as const), name, nth }) },
  { weight: 8, arbitrary: fc.record({ do: fc.constant('decide' as const), nth, isApproved: fc.boolean(), first: person, second: person }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('finish' as const), nth, isPaid: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('freeze' as const), name, isFrozen: fc.integer({ min: 0, max: 4 }).map((n) => n === 0) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('terms' as const),
      network,
      isOpen: fc.integer({ min: 0, max: 4 }).map((n) => n > 0),
      fee: fc.constantFrom(0, whole, 20 * whole),
      autoMax: fc.constantFrom(0, 100 * whole, 2000 * whole),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(1, dayMs) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restore' as const) }) },
)
type Of<T> = T extends fc.Arbitrary<infer V> ? V : never
type Step = Of<typeof step>
type Asked = Of<typeof asked>
type Nth = Of<typeof nth>
type Name = { readonly network: number; readonly credit: number; readonly nth: Nth }

/** Both worlds, side by side. */
class Pair {
  readonly chain: ChainWorld = chainWorld(...names)
  readonly twin = new Twin(50_000 * whole)

  readonly #seen: Set<string>

  constructor(seen: Set<string>) {
    this.#seen = seen
    for (const each of [1, 2]) this.twin.setTerms(each, usdtTerms)
  }

  act(step: Step): void {
    const { chain, twin } = this
    const { world } = chain
    const user = 'name' in step ? world.user(step.name) : 0
    const withdrawal = 'nth' in step && step.do !== 'final' && step.do !== 'orphan' ? this.#withdrawal(step.nth) : 0
    const is = (told: { outcome: { refusal: unknown } }, expected: string | undefined): void => {
      assert.equal(told.outcome.refusal, expected, JSON.stringify(step))
      this.#seen.add(`${step.do} ${expected}`)
    }
    switch (step.do) {
      case 'credit': {
        const { network, credit, amount, isFinal } = step
        is(chain.deposit(step.name, amount, { network, credit, isFinal }), twin.credit(user, network, credit, amount, isFinal))
        break
      }
      case 'final':
      case 'orphan': {
        const { network, credit } = this.#credit(step)
        if (step.do === 'final') is(chain.final(credit, network), twin.final(network, credit))
        else is(chain.orphan(credit, network), twin.orphan(network, credit))
        break
      }
      case 'repay':
        is(chain.repay(step.name), twin.repay(user))
        break
      case 'move':
        this.#move(step.name, step.share, step.isAway)
        break
      case 'request': {
        const { network } = step
        const day = Math.floor(world.atMs / dayMs)
        const amount = this.#amountOf(user, day, step.asked, step.some)
        const fee = twin.terms.get(network)!.fee + (step.isFeeWrong === 0 ? 1 : 0)
        const told = chain.request(step.name, amount, { network, fee })
        is(told, twin.request(told.outcome.seq, day, user, network, amount, fee))
        break
      }
      case 'cancel':
        is(chain.cancel(step.name, withdrawal), twin.cancel(user, withdrawal))
        break
      case 'decide': {
        const { isApproved, first, second } = step
        is(chain.decide(withdrawal, isApproved, { first, second }), twin.decide(withdrawal, isApproved, first, second))
        break
      }
      case 'finish':
        is(chain.finish(withdrawal, step.isPaid), twin.finish(withdrawal, step.isPaid))
        break
      case 'freeze':
        chain.freeze(step.name, step.isFrozen)
        if (step.isFrozen) twin.frozen.add(user)
        else twin.frozen.delete(user)
        break
      case 'terms': {
        const terms = { ...usdtTerms, isOpen: step.isOpen, fee: step.fee, autoMax: step.autoMax }
        const told = chain.do({ type: 'withdraw.setTerms', asset: usdt, network: step.network, terms })
        is(told, twin.setTerms(step.network, terms))
        break
      }
      case 'wait':
        world.atMs += step.ms
        break
      case 'restore': {
        const hash = world.exchange.hash()
        world.exchange = Exchange.restore(world.exchange.dump())
        assert.equal(world.exchange.hash(), hash)
      }
    }
  }

  #amountOf(user: number, day: number, asked: Asked, some: number): number {
    const { twin } = this
    const more = asked.endsWith('and one') ? 1 : 0
    switch (asked) {
      case 'some':
        return some
      case 'free':
      case 'free and one':
        return twin.available(user) - twin.unfinal(user) + more
      case 'all':
      case 'all and one':
        return twin.available(user) + more
      case 'rest of the day':
      case 'rest of the day and one':
        return twin.dayMax - twin.withdrawn(user, day) + more
      case 'too little':
        return usdtTerms.min - 1
    }
  }

  /** Mostly one that is not final. */
  #credit({ network, credit, nth: { place, isOpen } }: Name): Name {
    const known = this.twin.credits.filter(({ state }) => isOpen < 7 && state === 'unfinal').at(-1 - place)
    return known === undefined ? { network, credit, nth: { place, isOpen } } : { ...known, nth: { place, isOpen } }
  }

  #withdrawal({ place, isOpen }: Nth): number {
    const { withdrawals } = this.twin
    const open = withdrawals.filter(({ state }) => state === 'requested' || state === 'approved')
    return (isOpen > 1 ? open : withdrawals).at(-1 - place)?.number ?? (place === 0 ? 1 : (withdrawals[0]?.number ?? 1))
  }

  /** Between the spot account and the account of Second, as much as there is, in parts of four. */
  #move(name: (typeof names)[number], share: number, isAway: boolean): void {
    const { world } = this.chain
    const user = world.user(name)
    const [from, to] = isAway ? ['spot', 'option'] : ['option', 'spot']
    const has = world.exchange.balances(user).find(({ account }) => 'kind' in account && account.kind === from && account.asset === usdt)
    const amount = Math.floor(((has?.available ?? 0) * share) / 4)
    const told = world.do({ type: 'funds.transfer', user, clientId: '', asset: usdt, from, to, amount })
    if (told.outcome.refusal === undefined) this.twin.move(user, isAway ? amount : -amount)
  }

  check(): void {
    const { chain, twin } = this
    const { exchange, atMs } = chain.world
    for (const each of names) {
      const user = chain.world.user(each)
      const standing = exchange.chain.standing(user as UserId)
      chain.has(each, twin.available(user), twin.held(user))
      const sumOf = (sums: readonly { asset: number; amount: number }[]): number => sums.find(({ asset }) => asset === usdt)?.amount ?? 0
      assert.equal(sumOf(standing.debts), twin.debt(user))
      assert.equal(sumOf(standing.unfinal), twin.unfinal(user))
      assert.deepEqual(
        standing.withdrawals.map((one) => [one.withdrawal, one.amount, one.people, one.isApproved]),
        twin.openOf(user).map((one) => [one.number, one.amount, one.people, one.state === 'approved']),
      )
      const day = Math.floor(Math.max(exchange.atMs, 0) / dayMs)
      if (day === Math.floor(atMs / dayMs)) assert.equal(standing.today.used, twin.withdrawn(user, day))
    }
    assert.equal(chain.fund('fees'), twin.fees)
    const flows = new Map(exchange.chain.flows().map(({ network, flow }) => [network as number, flow as number]))
    for (const each of [1, 2]) assert.equal(flows.get(each) ?? 0, twin.flow(each))
    assert.equal(chain.fund('outside:chain') + twin.flow(1) + twin.flow(2), 0)
    const debts = names.reduce((sum, each) => sum + twin.debt(chain.world.user(each)), 0)
    assert.equal(chain.fund('outside:debts') + debts, 0)
  }
}

/** Decides random commands on both. Returns the steps with their refusals that came up. */
function compare(numRuns: number, seed?: number): ReadonlySet<string> {
  const seen = new Set<string>()
  fc.assert(
    fc.property(fc.array(step, { minLength: 100, maxLength: 200, size: 'max' }), (steps) => {
      const pair = new Pair(seen)
      for (const each of steps) {
        pair.act(each)
        pair.check()
      }
      pair.chain.world.isReplayable()
    }),
    { numRuns, ...(seed === undefined ? {} : { seed }) },
  )
  return seen
}

test('CHAIN-BOOKS-002: the core answers as its obvious twin does, whatever comes in whatever order', () => {
  compare(25)
})

test('CHAIN-BOOKS-002: the commands that are compared meet all refusals', () => {
  const seen = compare(60, 7)
  const refusals = {
    credit: ['AMOUNT_NOT_POSITIVE'],
    final: ['CREDIT_UNKNOWN'],
    orphan: ['CREDIT_UNKNOWN', 'CREDIT_FINAL'],
    repay: ['NOTHING_OWED', 'INSUFFICIENT_BALANCE'],
    cancel: ['WITHDRAWAL_UNKNOWN', 'WITHDRAWAL_STATE'],
    decide: ['WITHDRAWAL_UNKNOWN', 'WITHDRAWAL_STATE', 'FORBIDDEN', 'DEPOSIT_DEBT'],
    finish: ['WITHDRAWAL_UNKNOWN', 'WITHDRAWAL_STATE'],
    request: [
      ...['USER_FROZEN', 'DEPOSIT_DEBT', 'WITHDRAWALS_CLOSED', 'AMOUNT_NOT_POSITIVE', 'FEE_CHANGED', 'INSUFFICIENT_BALANCE'],
      ...['DEPOSIT_NOT_FINAL', 'DAILY_LIMIT', 'AMOUNT_TOO_SMALL'],
    ],
  }
  const wanted = Object.entries(refusals).flatMap(([kind, list]) => [undefined, ...list].map((refusal) => `${kind} ${refusal}`))
  assert.deepEqual(
    wanted.filter((each) => !seen.has(each)),
    [],
  )
})
