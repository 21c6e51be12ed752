import { addressOwners } from '@candor/core/protocol/wire/addresses.ts'
import { flagKinds, withdrawalViews } from '@candor/core/protocol/wire/console/withdrawals.ts'
import { withdrawalReasons } from '@candor/core/protocol/wire/withdrawal-reasons.ts'
import { z } from 'zod'
import { millis, queryInteger } from '../../http/schema.ts'
import { reason as note } from '../schema.ts'

const text = z.string()
const flag = z.strictObject({
  ...{ kind: z.enum(flagKinds), isHeavy: z.boolean(), at: millis.exactOptional(), what: text.exactOptional() },
  ...{ amount: text.exactOptional(), asset: text.exactOptional(), address: text.exactOptional() },
  uids: z.array(text).readonly().exactOptional(),
})
const state = z.enum(['requested', 'approved', 'rejected', 'cancelled', 'paid', 'failed'])
const payoutState = z.enum(['queued', 'signing', 'sent', 'settled', 'done'])
const reason = z.enum(withdrawalReasons)

const row = z.strictObject({
  ...{ id: z.int(), uid: text, asset: text, amount: text, fee: text, arrives: text, worthUsdt: text.nullable() },
  ...{ network: text, address: text.nullable(), isFrozen: z.boolean(), state, requestedAt: millis },
  ...{ decidedAt: millis.nullable(), endedAt: millis.nullable(), people: z.int(), approvals: z.array(text).readonly() },
  ...{ flags: z.array(flag).readonly().nullable(), claimedBy: text.nullable(), payout: payoutState.nullable() },
  trouble: text.nullable(),
})

export const filter = z.strictObject({ view: z.enum(withdrawalViews) })
export const page = filter.extend({ before: queryInteger(1, Number.MAX_SAFE_INTEGER).exactOptional() })
export const withdrawals = z.strictObject({
  withdrawals: z.array(row).readonly(),
  counts: z.strictObject({ requested: z.int(), late: z.int(), approved: z.int(), troubled: z.int() }),
  next: z.int().exactOptional(),
})

const customer = z.strictObject({
  ...{ uid: text, registeredAt: millis, certification: z.enum(['none', 'in-progress', 'certified']), region: text.nullable() },
  ...{ frozenAt: millis.nullable(), closedUntil: millis.nullable() },
})
const destination = z.strictObject({
  ...{ address: text, label: text, owner: z.enum(addressOwners), exchange: text.nullable(), beneficiary: text.nullable() },
  ...{ addedAt: millis, removedAt: millis.nullable(), paidBefore: z.int(), alike: z.array(text).readonly() },
})
const move = z.strictObject({
  ...{ kind: z.enum(['deposit', 'withdrawal']), asset: text, amount: text, network: text, state: text, at: millis },
})
const verdict = z.strictObject({ by: text, at: millis, isApproved: z.boolean(), reason: reason.nullable(), note: text.nullable() })
const attempt = z.strictObject({
  ...{ n: z.int(), txid: text.nullable(), fate: z.enum(['open', 'void', 'dead', 'replaced', 'paid', 'reverted']) },
  ...{ signedAt: millis.nullable(), sentAt: millis.nullable(), url: text.nullable() },
})
const payout = z.strictObject({
  ...{ state: payoutState, trouble: text.nullable(), block: z.int().nullable(), fee: text.nullable() },
  ...{ takenAt: millis.nullable(), settledAt: millis.nullable(), attempts: z.array(attempt).readonly() },
})
const signing = z.strictObject({ by: z.array(z.strictObject({ by: text, at: millis })).readonly(), isOperator: z.boolean() })
export const withdrawal = row.extend({
  ...{ customer, destination: destination.nullable(), moves: z.array(move).readonly(), verdicts: z.array(verdict).readonly() },
  ...{ reason: text.nullable(), isSending: z.boolean(), refusal: text.nullable(), payoutOf: payout.nullable() },
  signing: signing.nullable(),
  ending: z.strictObject({ id: z.int(), reason: text, proposedBy: text, expiresAt: millis, approvedBy: text.nullable() }).nullable(),
  isEndable: z.boolean(),
})

export const rejection = z.strictObject({ reason, note })
export const done = z.strictObject({ state: z.enum(['open', 'done', 'waits']) })

/** Columns of the file. */
export const line = z.strictObject({
  ...{ id: z.int(), customer: text, asset: text, amount: text, fee: text, worthUsdt: text, network: text, address: text, state },
  ...{ requestedAt: text, decidedAt: text, endedAt: text, people: z.int(), approvedBy: text, flags: text, claimedBy: text },
  ...{ payout: text, trouble: text },
})
