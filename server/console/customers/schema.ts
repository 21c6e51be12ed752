import { accountKinds } from '@candor/core/protocol/account.ts'
import { ownLimitKinds, restCauses } from '@candor/core/protocol/wire/own-limits.ts'
import { z } from 'zod'
import { decimalOut, leverageCeiling, millis, side } from '../../http/schema.ts'
import { plainText } from '../../staff/text.ts'

const uid = z.string().regex(/^[1-9][0-9]{8}$/)
const kind = z.enum(['retail', 'maker', 'bench'])
const certification = z.enum(['none', 'in-progress', 'certified'])

export const byUid = z.strictObject({ uid })
export const text = z.strictObject({ q: z.string().min(1).max(254) })
export const note = z.strictObject({
  text: z
    .string()
    .max(2_000)
    .regex(plainText)
    .transform((typed) => typed.trim()),
})
export const declaration = z.strictObject({ uid: uid.nullable() })
export const declared = z.strictObject({ declared: z.strictObject({ uid: uid.nullable(), at: millis }).nullable() })

const filter = {
  state: z.enum(['frozen', 'staff']).exactOptional(),
  certification: certification.exactOptional(),
  class: kind.exactOptional(),
  region: z
    .string()
    .regex(/^[A-Z]{2}$/)
    .exactOptional(),
}
const placeForm = /^[0-9]{1,15}:[1-9][0-9]{8}$/
export const page = z.strictObject({ ...filter, before: z.string().regex(placeForm).exactOptional() })
export const file = z.strictObject(filter)
export const csv = z.custom<string>()

const row = {
  ...{ uid, email: z.string().nullable(), phone: z.string().nullable(), class: kind, certification, createdAt: millis },
  ...{ frozenAt: millis.nullable(), lastSeenAt: millis.nullable(), tier: z.int(), isStaff: z.boolean() },
  region: z.string().nullable(),
}
export const customers = z.strictObject({ customers: z.array(z.strictObject(row)).readonly(), next: z.string().exactOptional() })
export const found = z.strictObject({
  found: z.array(z.strictObject({ ...row, by: z.enum(['uid', 'email', 'phone', 'order']) })).readonly(),
})

export const contact = z.strictObject({ email: z.string().nullable(), phone: z.string().nullable() })

const cause = z.enum(['owner', 'link', 'staff'])
export const profile = z.strictObject({
  ...{ uid, email: z.string().nullable(), phone: z.string().nullable(), lang: z.string(), class: kind, certification },
  papers: z.strictObject({ id: z.uuid(), state: z.string(), sentAt: millis, decidedAt: millis.nullable() }).nullable(),
  ...{ createdAt: millis, lastSeenAt: millis.nullable(), inviter: uid.nullable(), withdrawalsClosedUntil: millis.nullable() },
  region: z.string().nullable(),
  firm: z.strictObject({ number: z.int(), name: z.string(), label: z.string() }).exactOptional(),
  frozen: z.strictObject({ id: z.int(), at: millis, by: cause, officer: z.string().nullable(), reason: z.string().nullable() }).nullable(),
  staff: z.array(z.strictObject({ email: z.string(), cause: z.enum(['address', 'declared']), at: millis })).readonly(),
  own: z.strictObject({
    limits: z
      .array(
        z.strictObject({
          ...{ kind: z.enum(ownLimitKinds), value: z.string().nullable(), used: z.string().nullable() },
          next: z.strictObject({ value: z.string().nullable(), at: millis }).nullable(),
        }),
      )
      .readonly(),
    ...{ minutesToday: z.int(), rest: z.strictObject({ until: millis, cause: z.enum(restCauses) }).nullable() },
  }),
  factors: z.strictObject({
    ...{ authenticatorSince: millis.nullable(), passkeys: z.int(), recoveryCodes: z.int(), paymentPasswordSince: millis.nullable() },
  }),
  sessions: z.array(z.strictObject({ device: z.string(), ip: z.string(), createdAt: millis, lastSeenAt: millis })).readonly(),
  keys: z
    .array(
      z.strictObject({
        ...{ label: z.string(), scopes: z.array(z.string()).readonly(), ips: z.int(), createdAt: millis, expiresAt: millis.nullable() },
        ...{ lastUsedAt: millis.nullable(), lastIp: z.string().nullable() },
      }),
    )
    .readonly(),
  notes: z.array(z.strictObject({ id: z.int(), at: millis, author: z.string(), text: z.string() })).readonly(),
})

const balance = z.strictObject({ asset: z.string(), available: decimalOut, held: decimalOut })
const account = z.strictObject({
  ...{ kind: z.enum(accountKinds), symbol: z.string().exactOptional(), balances: z.array(balance).readonly() },
  ...{ unrealisedUsdt: decimalOut.exactOptional(), debtUsdt: decimalOut.exactOptional() },
})
const order = z.strictObject({
  ...{ product: z.enum(['spot', 'margin', 'perp']), id: z.string(), symbol: z.string(), side, type: z.string(), status: z.string() },
  ...{ price: decimalOut.exactOptional(), quantity: decimalOut.exactOptional(), spend: decimalOut.exactOptional(), executed: decimalOut },
  placedAt: millis,
})
const position = z.strictObject({
  ...{ id: z.string(), symbol: z.string(), side, mode: z.string(), leverage: z.int(), quantity: decimalOut, entryPrice: decimalOut },
  ...{ liquidationPrice: decimalOut.nullable(), mark: decimalOut.nullable(), profitUsdt: decimalOut.nullable() },
})
const loan = z.strictObject({
  ...{ kind: z.enum(['margin-cross', 'margin-isolated']), symbol: z.string().nullable(), asset: z.string() },
  ...{ principal: decimalOut, interest: decimalOut, level: decimalOut.nullable() },
})
/** Of Second: what is staked in sum and what was settled, and nothing that tells an order or its direction. */
const sums = z.strictObject({
  ...{ openStakesUsdt: decimalOut, lossUsdt: decimalOut, lossMaxUsdt: decimalOut.nullable(), coolOffUntil: millis.nullable() },
  settled: z.strictObject({ orders: z.int(), stakesUsdt: decimalOut, resultUsdt: decimalOut }),
})
export const money = z.strictObject({
  money: z
    .strictObject({
      ...{ worthUsdt: decimalOut, volumeUsdt: decimalOut, tier: z.int(), makerFee: decimalOut, takerFee: decimalOut },
      ...{ ceiling: leverageCeiling.nullable(), accounts: z.array(account).readonly(), orders: z.array(order).readonly() },
      ...{ orderCount: z.int(), positions: z.array(position).readonly(), loans: z.array(loan).readonly(), sums },
    })
    .nullable(),
})

const cursorForm = /^[0-9]{1,15}:[01]:[0-9]{1,15}$/
export const timelinePage = z.strictObject({ before: z.string().regex(cursorForm).exactOptional() })
const moment = z.strictObject({
  ...{ id: z.string(), at: millis, of: z.enum(['own', 'staff']), action: z.string(), ip: z.string().nullable() },
  ...{ device: z.string().nullable(), by: z.string().nullable(), why: z.string().nullable(), about: z.string().nullable() },
})
export const timeline = z.strictObject({ moments: z.array(moment).readonly(), next: z.string().exactOptional() })
