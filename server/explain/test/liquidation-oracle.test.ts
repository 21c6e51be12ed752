import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PerpAccountView } from '@candor/core/protocol/port.ts'
import type {
  LiquidationExplanation,
  LiquidationState,
  LiquidationStepExplanation,
  Part,
} from '@candor/core/protocol/wire/explain/liquidation.ts'
import { LiquidationLooks, type LiquidationPlace } from '../liquidation/futures.ts'
import { run, unitsOf } from './liquidations.ts'
import { replay } from './replay.ts'

/** Runs in which books are empty, the fund takes over, others are deleveraged, and the fund pays losses beyond a cross account. */
const seeds = [1, 3, 8, 19, 24]
const steps = 2_500

/** What the exchange itself shows of the account after the last command. */
type Told = {
  readonly place: LiquidationPlace
  readonly told: LiquidationExplanation
  readonly after: PerpAccountView
  readonly isAlone: boolean
}

const all: readonly Told[] = seeds.flatMap((seed) => {
  const { ran, futures } = run(seed, steps)
  const faults: unknown[] = []
  const asked = futures.map((place) => new LiquidationLooks(place, (cause) => void faults.push(cause)))
  const after = new Map<LiquidationPlace, PerpAccountView>()
  replay(ran, asked, (seq, exchange) => {
    for (const place of futures) if (place.commands.at(-1) === seq) after.set(place, exchange.perpAccount(place.user))
  })
  assert.deepEqual(faults, [])
  return futures.map((place, n) => {
    const same = futures.filter((other) => other.user === place.user && other.commands.some((one) => place.commands.includes(one)))
    return { place, told: asked[n]!.result(new Map()) as LiquidationExplanation, after: after.get(place)!, isAlone: same.length === 1 }
  })
})

const sum = (values: readonly bigint[]): bigint => values.reduce((total, value) => total + value, 0n)
/** Sixteen digits: every price and quantity of these markets is exact, and so is their product at thirty-two. */
const fine = (text: string): bigint => unitsOf(text, 16)
/** A product of two such numbers in millionths, which it must be a whole number of. */
function valueOf(price: bigint, quantity: bigint): bigint {
  const one = 10n ** 26n
  assert.equal((price * quantity) % one, 0n)
  return (price * quantity) / one
}
const signOf = (side: 'long' | 'short'): bigint => (side === 'long' ? 1n : -1n)

/** Checks that an account is the sum of what it is said to consist of, by figures that a person could check. */
function addsUp({ balance, positions, equity, maintenance }: LiquidationState, isCross: boolean): void {
  const own = positions.map(({ margin, profit }) => unitsOf(margin) + unitsOf(profit))
  assert.equal(unitsOf(equity), sum(own) + (isCross ? unitsOf(balance) : 0n))
  assert.equal(unitsOf(maintenance), sum(positions.map((one) => unitsOf(one.maintenance))))
  for (const one of positions) {
    const value = valueOf(fine(one.mark), fine(one.quantity))
    assert.equal(unitsOf(one.maintenance), (value * BigInt(one.maintenancePpm) + 999_999n) / 1_000_000n)
    // The entry price is cut off after two more digits than prices have.
    const cost = (fine(one.entry) * fine(one.quantity)) / 10n ** 26n
    const off = Number(signOf(one.side) * (value - cost) - unitsOf(one.profit))
    const [, digits = ''] = one.mark.split('.')
    assert.ok(Math.abs(off) <= Number(one.quantity) * 10 ** (4 - digits.length) + 1, `${off} of ${one.quantity}`)
  }
}

const partsOf = ({ fills, takenOver, deleveraged }: LiquidationStepExplanation): readonly Part[] => [...fills, ...takenOver, ...deleveraged]

test('EXPLAIN-LIQUIDATION-001: before each command’s first step, balance, margins and profits add up to an equity that is not above the sum of the margins that the positions require', () => {
  const counts = { isolated: 0, cross: 0, several: 0 }
  for (const { place, told } of all) {
    assert.ok(told.stages.length > 0)
    for (const { before, steps: taken, trigger } of told.stages) {
      assert.equal(before === undefined, taken.length === 0)
      if (before === undefined || trigger === undefined) continue
      addsUp(before, told.mode === 'cross')
      assert.deepEqual([before.equity, before.maintenance], [taken[0]!.equity, taken[0]!.maintenance])
      assert.ok(unitsOf(before.equity) <= unitsOf(before.maintenance))
      assert.equal(before.positions.find(({ positionId }) => positionId === taken[0]!.positionId)!.mark, trigger.mark)
      counts[place.mode]++
      if (before.positions.length > 1) counts.several++
    }
  }
  assert.ok(counts.isolated > 50 && counts.cross > 10 && counts.several > 3, JSON.stringify(counts))
})

test('EXPLAIN-LIQUIDATION-002: an isolated position is due at its own price: the mark was on the safe side of it before, and is not at the step', () => {
  let count = 0
  for (const { told } of all.filter(({ place }) => place.mode === 'isolated')) {
    const { trigger, before } = told.stages[0]!
    if (trigger?.markBefore === undefined || trigger.due === undefined) continue
    const [mark, due, was] = [trigger.mark, trigger.due, trigger.markBefore].map(Number) as [number, number, number]
    const isLong = before!.positions[0]!.side === 'long'
    // Funding that was settled in between lets it be due earlier.
    if (isLong ? mark > due : mark < due) continue
    if (isLong ? was > due : was < due) count++
  }
  assert.ok(count > 20, `${count} liquidations by a price`)
})

test('EXPLAIN-LIQUIDATION-003: the parts of each step add up to what it closed, and with their prices, the fee and what others paid to the equity after it', () => {
  const counts = { fills: 0, takenOver: 0, deleveraged: 0, insured: 0, partial: 0, exact: 0 }
  for (const { told } of all)
    for (const { before, steps: taken } of told.stages) {
      let state = before
      for (const step of taken) {
        const parts = partsOf(step)
        assert.equal(sum(parts.map(({ quantity }) => fine(quantity))), fine(step.closed))
        for (const name of ['fills', 'takenOver', 'deleveraged'] as const) if (step[name].length > 0) counts[name]++
        if (Number(step.insured) > 0) counts.insured++
        if (Number(step.left) > 0 && Number(step.closed) > 0) counts.partial++
        const own = state?.positions.find(({ positionId }) => positionId === step.positionId)
        if (own !== undefined) {
          const moved = parts.map(({ price, quantity }) => valueOf(fine(price) - fine(step.mark), fine(quantity)) * signOf(own.side))
          // In isolated mode a profit goes to the balance.
          const profit = told.mode === 'isolated' && Number(step.realised) > 0 ? unitsOf(step.realised) : 0n
          const rest = unitsOf(step.equity) + sum(moved) - unitsOf(step.fee) - profit
          // What the account could not pay, others did: then nothing of it is left.
          const given = unitsOf(step.equityAfter) - rest
          // What is left of the margin of an isolated position that ended is in the balance.
          const isReturned = told.mode === 'isolated' && Number(step.left) === 0 && rest > 0n
          if (isReturned) assert.equal(unitsOf(step.equityAfter), 0n)
          else if (given === 0n) counts.exact++
          else assert.ok(given > 0n && rest < 0n && (Number(step.insured) > 0 || Number(step.left) === 0), JSON.stringify({ step, own }))
          assert.equal(fine(step.left), fine(own.quantity) - fine(step.closed))
        }
        state = undefined
      }
    }
  for (const [name, count] of Object.entries(counts)) assert.ok(count > 0, `${name} of ${JSON.stringify(counts)}`)
})

test('EXPLAIN-LIQUIDATION-004: balance and margin before a liquidation, with what its steps realised and cost, are balance and margin after it, as the exchange shows them', () => {
  let count = 0
  for (const { told, after, isAlone } of all) {
    assert.equal(unitsOf(told.end.balance), BigInt(after.available))
    addsUp(told.end, told.mode === 'cross')
    const open = after.positions.filter(({ position, mode }) =>
      told.mode === 'cross' ? mode === 'cross' : String(position) === told.positionId,
    )
    assert.deepEqual(
      told.end.positions.map(({ positionId, margin }) => [positionId, unitsOf(margin)]),
      open.map(({ position, margin }) => [String(position), BigInt(margin)]).sort(([a], [b]) => Number(a) - Number(b)),
    )
    const [stage, more] = told.stages
    if (stage?.before === undefined || more !== undefined || !isAlone || told.mode !== 'isolated') continue
    const behind = ({ positions }: LiquidationState): bigint => sum(positions.map(({ margin }) => unitsOf(margin)))
    const earned = sum(stage.steps.flatMap(({ realised, fee }) => [unitsOf(realised), -unitsOf(fee)]))
    const rest = behind(stage.before) + earned
    const has = unitsOf(told.end.balance) + behind(told.end)
    if (has === unitsOf(stage.before.balance) + (rest > 0n ? rest : 0n)) count++
  }
  assert.ok(count > 20, `${count} of ${all.length}`)
})
