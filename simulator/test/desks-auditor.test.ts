import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Exchange } from '@candor/core/exchange/exchange.ts'
import { encodeCommand } from '@candor/core/protocol/codec/command.ts'
import { decodeEvents } from '@candor/core/protocol/codec/event.ts'
import { Records } from '@candor/core/protocol/codec/records.ts'
import type { EntryEvent, Event } from '@candor/core/protocol/event/index.ts'
import { accountKey } from '../auditor.ts'
import { DesksAuditor } from '../desks/audit/auditor.ts'
import { DesksFailure } from '../desks/failure.ts'
import { DesksWorkload } from '../desks/workload.ts'
import type { Step } from '../workload.ts'

type Told = { readonly step: Step; readonly events: readonly Event[] }

const stories: (readonly Told[])[] = []

/** Finds the first command in the runs of some seeds whose events match, with the commands before it. */
function find(isSuch: (events: readonly Event[]) => boolean, what: string): Told & { readonly before: readonly Told[] } {
  for (let seed = 1; seed <= 20; seed++) {
    const story = (stories[seed] ??= tell(seed, 2500))
    const at = story.findIndex(({ events }) => isSuch(events))
    if (at >= 0) return { ...(story[at] as Told), before: story.slice(0, at) }
  }
  return assert.fail(`no story has ${what}`)
}

/** Numbers whose change by one an auditor must notice. */
const numbers: Partial<Record<Event['type'], readonly string[]>> = {
  outcome: ['seq', 'at'],
  entry: ['delta', 'heldDelta', 'available', 'held'],
  traded: ['lots', 'price', 'quote', 'trade', 'makerFee', 'takerFee', 'makerUser', 'takerOrder'],
  'order.closed': ['executedLots', 'executedQuote'],
  'book.level': ['update'],
  'perp.position': ['lots', 'margin', 'user'],
  'perp.fundingDue': ['rate', 'mark'],
  'perp.funded': ['paid', 'received', 'rest', 'mark'],
  'perp.fundingPaid': ['amount', 'lots', 'rate', 'user'],
  'perp.liquidated': ['mark'],
  'perp.deleveraged': ['lots', 'price', 'position'],
  'perp.takenOver': ['lots', 'price', 'position'],
  'perp.inventory': ['lots', 'cost'],
  'perp.level': ['position'],
  'margin.loan': ['principal', 'interest', 'delta', 'user'],
  'margin.liquidated': ['levelPpm'],
  'lend.pool': ['borrowed', 'queued'],
  'lend.claim': ['claim', 'queued', 'earned'],
  'option.opened': ['stake', 'profit', 'strikeFrom', 'expiresAt', 'windowMs', 'reference'],
  'option.struck': ['strike', 'tick', 'at'],
  'option.settled': ['price', 'payout', 'at'],
  'tape.extended': ['tick', 'at'],
}

for (const [type, fields] of Object.entries(numbers)) {
  test(`SIM-DESKS-004: a ${type} with a number that is off by one is found`, () => {
    for (const field of fields) {
      const { before, step, events } = find((all) => all.some((event) => isMeant(event, type, field)), `a ${type} with ${field}`)
      const place = events.findIndex((event) => isMeant(event, type, field))
      const wrong = events.map((event, i) => (i === place ? { ...event, [field]: numberIn(event, field) + 1 } : event)) as readonly Event[]
      assert.throws(() => follow(before, wrong, step), DesksFailure, `${type}.${field}`)
    }
  })
}

const reasons = [
  'realised',
  'fee',
  'trade',
  'funding',
  'borrow',
  'repay',
  'interest',
  'payout',
  'stake',
  'transfer',
  'supply',
  'withdraw',
  'faucet',
] as const

for (const reason of reasons) {
  test(`SIM-DESKS-005: a unit of ${reason} moved to another account is found`, () => {
    const { before, step, events } = find((all) => pairOf(all, reason) !== undefined, `two entries for ${reason}`)
    const pair = pairOf(events, reason) as readonly [EntryEvent, EntryEvent]
    for (const [from, to] of [pair, [pair[1], pair[0]]] as const) {
      const wrong = shifted(shifted(events, from, -1), to, 1)
      assert.throws(() => follow(before, wrong, step), DesksFailure)
    }
  })
}

test('SIM-DESKS-006: a void of Second that is a millisecond early, or missing, is found', () => {
  const isVoid = (event: Event): boolean => event.type === 'option.settled' && event.reason === 'gap'
  const { before, step, events } = find((all) => all.some(isVoid) && all.every(isOfClock), 'a void without a tick')
  const { stamp } = step
  const early = events.map((event) => ('at' in event ? { ...event, at: event.at - 1 } : event)) as readonly Event[]
  assert.throws(() => follow(before, early, { ...step, stamp: { ...stamp, at: stamp.at - 1 } }), /too early/)
  assert.throws(() => follow(before, [events.at(-1) as Event], step), /overdue/)
})

test('SIM-DESKS-007: a debt charged at twice the rate of its hour is found', () => {
  const isCharge = (event: Event): boolean => event.type === 'margin.loan' && event.cause === 'interest'
  const isOfHour = (all: readonly Event[]): boolean =>
    all.some(isCharge) && !all.some((event) => event.type === 'margin.loan' && !isCharge(event))
  const { before, step, events } = find(isOfHour, 'an hour that is charged')
  const place = events.findIndex(isCharge)
  const wrong = events.map((event, i) => {
    if (i !== place || event.type !== 'margin.loan') return event
    return { ...event, delta: event.delta * 2, interest: event.interest + event.delta }
  }) as readonly Event[]
  assert.throws(() => follow(before, wrong, step), /is charged/)
})

/** Whether the event can come from a clock tick that only voids orders. */
function isOfClock({ type }: Event): boolean {
  return type === 'option.settled' || type === 'entry' || type === 'outcome'
}

/** Two entries of a command with the same reason and asset, in accounts that can lose a unit. */
function pairOf(events: readonly Event[], reason: string): readonly [EntryEvent, EntryEvent] | undefined {
  const entries = events.filter((event) => event.type === 'entry')
  const meant = entries.filter((event) => event.reason === reason && event.delta !== 0)
  const canLack = (one: EntryEvent): boolean =>
    entries.every(({ account, available }) => accountKey(account) !== accountKey(one.account) || available > 0 || isOutside(account))
  const [first, second] = meant.filter(canLack)
  return first === undefined || second?.account.asset !== first.account.asset ? undefined : [first, second]
}

function isOutside(account: EntryEvent['account']): boolean {
  return 'system' in account && account.system.startsWith('outside:')
}

/** The same events with a unit more or less in one entry, and its later balances changed accordingly. */
function shifted(events: readonly Event[], meant: EntryEvent, by: number): readonly Event[] {
  const from = events.findIndex((event) => event.type === 'entry' && event.reason === meant.reason && isSame(event, meant))
  return events.map((event, i) => {
    if (i < from || event.type !== 'entry' || !isSame(event, meant)) return event
    return { ...event, delta: event.delta + (i === from ? by : 0), available: event.available + by } as Event
  })
}

function isSame(a: EntryEvent, b: EntryEvent): boolean {
  return accountKey(a.account) === accountKey(b.account)
}

/** Events of the first commands of a seed. */
function tell(seed: number, steps: number): readonly Told[] {
  const exchange = Exchange.create()
  const workload = new DesksWorkload(seed)
  const commands = new Records()
  const told: Told[] = []
  for (let n = 0; n < steps; n++) {
    const due = exchange.nextDueAtMs
    const step = workload.next(Number.isFinite(due) ? due : undefined)
    const at = commands.length
    encodeCommand(step.command, step.stamp, commands)
    const records = new Records()
    exchange.execute(commands.data, at, records)
    const events = decodeEvents(records.data, 0, records.length)
    workload.observe(events)
    told.push({ step, events })
  }
  return told
}

function follow(before: readonly Told[], events: readonly Event[], step: Step): void {
  const auditor = new DesksAuditor()
  for (const one of before) auditor.follow(one.step, one.events)
  auditor.follow(step, events)
}

const numberIn = (event: Event, field: string): number => (event as unknown as Readonly<Record<string, number>>)[field]!

/** Whether the event is of this type and its number is relevant. */
function isMeant(event: Event, type: string, field: string): boolean {
  if (event.type !== type) return false
  const value = numberIn(event, field)
  if (event.type === 'perp.position') return event.lots !== 0
  if (event.type === 'perp.deleveraged') return event.lots !== 0
  return type === 'entry' || type === 'traded' ? value !== 0 : true
}
