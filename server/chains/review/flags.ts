import type { Flag, FlagKind } from '@candor/core/protocol/wire/console/withdrawals.ts'
import { areAlike } from '@candor/core/risk/addresses.ts'

const hour = 3_600_000
const day = 24 * hour

export const flagTimes = {
  /** How long a device, an account, an address, and one that was opened again count as new. */
  newMs: 7 * day,
  /** How long a change of the account's protection counts. */
  changedMs: 72 * hour,
  /** Requests of so long count together. */
  dayMs: day,
  /** Withdrawals of so long are compared with a new one. */
  historyMs: 90 * day,
} as const

/** An amount is unusual above so many times the largest one, and above this part of all together. */
const largestTimes = 3
const allPart = 2

/** Entries of the account's log that are changes of its protection. */
export const protectionActions = [
  ...(['password-reset', 'password-changed', 'authenticator-added', 'authenticator-removed', 'passkey-added', 'passkey-removed'] as const),
  ...(['recovery-codes-renewed', 'recovery-used', 'address-set', 'address-removed', 'payment-password-set', 'allow-list-ending'] as const),
] as const
export const reopenedActions = ['account-unfrozen', 'regained'] as const

export type Event = { readonly action: string; readonly at: number }

/** What is known when a request arrives. Amounts are decimal text in the withdrawal's asset. */
export type Facts = {
  /** When the withdrawal was asked for. */
  readonly at: number
  readonly openedAt: number
  readonly amount: string
  /** How many people its terms ask for. */
  readonly people: number
  /** All that was asked for of the asset in the last day, this one included. */
  readonly day: string
  /** Amounts up to which nobody, and one person, decides; undefined: the asset has no terms on the network any more. */
  readonly limits: { readonly autoMax: string; readonly singleMax: string } | undefined
  /** Of the account's log, newest first. A login is in it only if its device was unknown. */
  readonly events: readonly Event[]
  readonly address: string
  readonly addressAddedAt: number
  /** Withdrawals that were paid to this address before, since the last one that failed. */
  readonly paidBefore: number
  /** Other addresses that the customer added before. */
  readonly earlierAddresses: readonly string[]
  /** Other accounts that have the address. */
  readonly sharedWith: readonly string[]
  /** The largest paid withdrawal of the last 90 days, and all that were ever paid; null without any. */
  readonly largest: string | null
  readonly all: string | null
  readonly debts: readonly { readonly asset: string; readonly amount: string }[]
  readonly hasUnfinal: boolean
}

/** Kinds of flags that need a person. In a sandbox everything is new, so what is merely new is shown and stops nothing. */
export const heavyFlags: Readonly<Record<'sandbox' | 'production', ReadonlySet<FlagKind>>> = {
  sandbox: new Set(['debt', 'look-alike', 'shared-address', 'reopened', 'unusual', 'unfinal']),
  production: new Set([
    ...(['debt', 'look-alike', 'shared-address', 'reopened', 'protection', 'new-device', 'new-account'] as const),
    ...(['new-address', 'unusual', 'unfinal'] as const),
  ]),
}

/** The flags of a withdrawal, the gravest first. */
export function flagsOf(facts: Facts, heavy: ReadonlySet<FlagKind>): readonly Flag[] {
  const flag = (kind: FlagKind, more: Omit<Flag, 'kind' | 'isHeavy'> = {}): Flag => ({ kind, isHeavy: heavy.has(kind), ...more })
  return [
    ...facts.debts.map(({ asset, amount }) => flag('debt', { asset, amount })),
    ...facts.earlierAddresses.filter((address) => areAlike(address, facts.address)).map((address) => flag('look-alike', { address })),
    ...(facts.sharedWith.length === 0 ? [] : [flag('shared-address', { uids: facts.sharedWith })]),
    ...ofLog(facts).map(({ kind, at, what }) => flag(kind, { at, what })),
    ...(facts.at - facts.openedAt < flagTimes.newMs ? [flag('new-account', { at: facts.openedAt })] : []),
    ...ofAddress(facts).map((what) => flag('new-address', { what, at: facts.addressAddedAt })),
    ...ofAmount(facts).map(({ what, amount }) => flag('unusual', { what, amount })),
    ...(facts.hasUnfinal ? [flag('unfinal')] : []),
  ]
}

type Found = { readonly kind: FlagKind; readonly at: number; readonly what: string }

/** Of each kind the newest entry; of the changes of protection, one of each. */
function ofLog({ at: now, events }: Facts): readonly Found[] {
  const since = (ms: number, ...actions: readonly string[]): readonly Event[] =>
    events.filter(({ action, at }) => actions.includes(action) && at > now - ms)
  const newest = (kind: FlagKind, found: readonly Event[]): readonly Found[] =>
    found.slice(0, 1).map(({ action, at }) => ({ kind, at, what: action }))
  const changes = protectionActions.flatMap((action) => newest('protection', since(flagTimes.changedMs, action)))
  return [
    ...newest('reopened', since(flagTimes.newMs, ...reopenedActions)),
    ...changes.toSorted((one, other) => other.at - one.at),
    ...newest('new-device', since(flagTimes.newMs, 'login')),
  ]
}

function ofAddress({ at, addressAddedAt, paidBefore }: Facts): readonly ('new' | 'unpaid')[] {
  if (at - addressAddedAt < flagTimes.newMs) return ['new']
  return paidBefore === 0 ? ['unpaid'] : []
}

/** Compared with what the customer withdrew before; a first withdrawal goes to an address that was never paid. */
function ofAmount(facts: Facts): readonly { readonly what: 'largest' | 'all' | 'day'; readonly amount: string }[] {
  const { amount, largest, all, day, people } = facts
  if (peopleOfDay(facts) > people) return [{ what: 'day', amount: day }]
  if (largest !== null && isAbove(amount, largest, largestTimes, 1)) return [{ what: 'largest', amount: largest }]
  return all !== null && isAbove(amount, all, 1, allPart) ? [{ what: 'all', amount: all }] : []
}

/** How many people would have to approve the amounts of the last day as one: a sum that is asked for in parts needs no fewer. */
export function peopleOfDay({ day, limits }: Facts): number {
  if (limits === undefined || isAbove(day, limits.singleMax, 1, 1)) return 2
  return isAbove(day, limits.autoMax, 1, 1) ? 1 : 0
}

/** No asset has more digits. */
const finestDigits = 18

function finest(text: string): bigint {
  const [whole = '', rest = ''] = text.split('.')
  return BigInt(whole + rest.padEnd(finestDigits, '0').slice(0, finestDigits))
}

/** Whether an amount is above another one times a fraction. */
function isAbove(amount: string, other: string, times: number, parts: number): boolean {
  return finest(amount) * BigInt(parts) > finest(other) * BigInt(times)
}
