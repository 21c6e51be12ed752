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
const credit = fc.integer({ min: 1, max: 8 })
const amount = fc.oneof(
  fc.integer({ min: -1, max: 200 }).map((n) => n * whole),
  fc.constantFrom(10 * whole - 1, 100 * whole + 1, 1000 * whole + 1, 30_000 * whole, 50_000 * whole),
)
/** One of the withdrawals so far, by its place among them; the last place stands for an unknown number. */
const nth = fc.integer({ min: 0, max: 12 })
const person = fc.integer({ min: 0, max: 3 })

const step = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant('credit' as const), name, network, credit, amount, isFinal: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('final' as const), network, credit }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('orphan' as const), network, credit }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('repay' as const), name }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('move' as const), name, share: fc.integer({ min: 0, max: 4 }), isAway: fc.boolean() }),
  },
  {
    weight: 8,
    arbitrary: fc.record({ do: fc.constant('request' as const), name, network, amount, isFeeRight: fc.integer({ min: 0, max: 9 }) }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('cancel' as const), name, nth }) },
  { weight: 8, arbitrary: fc.record({ do: fc.constant('decide' as const), nth, isApproved: fc.boolean(), first: person, second: person }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('finish' as const), nth, isPaid: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('freeze' as const), name, isFrozen: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('terms' as const),
      network,
      isOpen: fc.boolean(),
      fee: fc.constantFrom(0, whole, 20 * whole),
      autoMax: fc.constantFrom(0, 100 * whole, 2000 * whole),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(1, dayMs) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restore' as const) }) },
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

/** Both worlds, side by side. */
class Pair {
  readonly chain: ChainWorld = chainWorld(...names)
  readonly twin = new Twin(50_000 * whole)

  constructor() {
    for (const each of [1, 2]) this.twin.setTerms(each, usdtTerms)
  }

  act(step: Step): void {
    const { chain, twin } = this
    const { world } = chain
    const user = 'name' in step ? world.user(step.name) : 0
    const withdrawal = 'nth' in step ? (twin.withdrawals.at(-1 - step.nth)?.number ?? 1) : 0
    const is = (told: { outcome: { refusal: unknown } }, expected: string | undefined): void =>
      assert.equal(told.outcome.refusal, expected, JSON.stringify(step))
    switch (step.do) {
      case 'credit': {
        const { network, credit, amount, isFinal } = step
        is(chain.deposit(step.name, amount, { network, credit, isFinal }), twin.credit(user, network, credit, amount, isFinal))
        break
      }
      case 'final':
        is(chain.final(step.credit, step.network), twin.final(step.network, step.credit))
        break
      case 'orphan':
        is(chain.orphan(step.credit, step.network), twin.orphan(step.network, step.credit))
        break
      case 'repay':
        is(chain.repay(step.name), twin.repay(user))
        break
      case 'move':
        this.#move(step.name, step.share, step.isAway)
        break
      case 'request': {
        const { network, amount } = step
        const fee = (twin.terms.get(network)?.fee ?? 0) + (step.isFeeRight === 0 ? 1 : 0)
        const told = chain.request(step.name, amount, { network, fee })
        is(told, twin.request(told.outcome.seq, Math.floor(world.atMs / dayMs), user, network, amount, fee))
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

test('CHAIN-BOOKS-002: the core answers as its obvious twin does, whatever comes in whatever order', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 5, maxLength: 60 }), (steps) => {
      const pair = new Pair()
      for (const each of steps) {
        pair.act(each)
        pair.check()
      }
      pair.chain.world.isReplayable()
    }),
    { numRuns: 150 },
  )
})
