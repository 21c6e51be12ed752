/** Requests to the signer and its answers, as they travel over the link. Amounts are decimal text. */
import { isDay } from '@candor/core/proof/chain/day.ts'
import { clientIdPattern } from '@candor/core/protocol/ids.ts'
import { z } from 'zod'
import type { Signed } from '../ports.ts'
import type { Reason } from './reasons.ts'

const hex = (bytes: number) => z.string().regex(new RegExp(`^[0-9a-f]{${2 * bytes}}$`))
export const signature = hex(64)
export const publicKey = hex(32)
export const count = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER)
const positive = count.min(1)
/** At most 2^256 − 1, which has 78 digits. */
export const amount = z
  .string()
  .regex(/^(0|[1-9][0-9]{0,77})$/)
  .transform(BigInt)
export const address = z.string().regex(/^(0x[0-9a-fA-F]{40}|T[1-9A-HJ-NP-Za-km-z]{33})$/)
export const networkName = z.string().regex(/^[a-z][a-z0-9-]{0,31}$/)
const base64url = (most: number) =>
  z
    .string()
    .regex(/^[A-Za-z0-9_-]+$/)
    .max(most)
export const passkeyId = base64url(1_400)
export const passkeyKey = base64url(1_000)

export const payment = z.strictObject({
  withdrawal: positive,
  user: positive,
  clientId: z.string().regex(clientIdPattern),
  network: networkName,
  chainId: positive,
  contract: address.exactOptional(),
  to: address,
  value: amount.refine((value) => value > 0n),
})

/** A withdrawal for which nothing may be signed. */
const ending = z.strictObject({
  withdrawal: positive,
  user: positive,
  clientId: z.string().regex(clientIdPattern).exactOptional(),
})

const evmSlot = z.strictObject({ kind: z.literal('evm'), nonce: count, gas: amount, maxFee: amount, maxTip: amount })
export const slot = z.discriminatedUnion('kind', [
  evmSlot,
  z.strictObject({
    ...{ kind: z.literal('tron'), refBytes: hex(2), refHash: hex(8) },
    ...{ timestamp: positive, expiration: positive, feeLimit: count },
  }),
])

/** A passkey's signature. */
export const assertion = z.strictObject({
  id: passkeyId,
  clientDataJSON: base64url(4_000),
  authenticatorData: base64url(4_000),
  signature: base64url(2_000),
})

const customer = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('passkey'), assertion }),
  z.strictObject({ kind: z.literal('attested'), signature }),
])

const operator = z.string().regex(/^[a-z][a-z0-9-]{0,31}$/)
const approval = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('ed25519'), operator, signature }),
  z.strictObject({ kind: z.literal('passkey'), operator, assertion }),
])

const sign = z.strictObject({
  ...{ kind: z.literal('sign'), payment, slot, engine: signature, customer, approvals: z.array(approval).max(8) },
  dead: z.strictObject({ txids: z.array(hex(32)).min(1).max(64), signature }).exactOptional(),
})

/** Payments that are signed at once. */
export const signMax = 16
const signAll = z.strictObject({
  kind: z.literal('sign.all'),
  requests: z
    .array(sign)
    .min(1)
    .max(signMax)
    .refine((requests) => new Set(requests.map(({ payment: { withdrawal } }) => withdrawal)).size === requests.length),
})

/** Number of a deposit address in its network's plan. */
export const place = positive.max(0x7fff_ffff)
/** A customer as deposit addresses name them. */
const uid = z.string().regex(/^[\x21-\x7e]{1,100}$/)

/** Most deposit addresses that one transaction sweeps. */
export const sweepMax = 50
const sweep = z.strictObject({
  ...{ kind: z.literal('sweep'), job: positive, network: networkName, contract: address.exactOptional(), slot },
  places: z
    .array(place)
    .min(1)
    .max(sweepMax)
    .refine((places) => new Set(places).size === places.length),
  /** On TRON: what the address pays of the token or the native coin. */
  value: amount.refine((value) => value > 0n).exactOptional(),
})
const fuel = z.strictObject({
  ...{ kind: z.literal('fuel'), job: positive, network: networkName, place, slot },
  value: amount.refine((value) => value > 0n),
})

/** A head of the journal: its number, and its leaf in the tree of heads, or for addresses its name by `ownHead`. */
const head = z.strictObject({ n: positive, hash: hex(32) })
const day = z.string().refine(isDay)
/** That an address is the exchange's: the hot one, the one that pays fees, or the deposit address at a place. */
const possess = z.strictObject({
  ...{ kind: z.literal('possess'), network: networkName, of: z.union([z.enum(['hot', 'gas']), place]), day, head },
})
const anchor = z.strictObject({ kind: z.literal('anchor'), network: networkName, day, head, slot: evmSlot })

const heartbeat = z.strictObject({
  kind: z.literal('heartbeat'),
  heartbeat: z.strictObject({ at: positive, isMatch: z.boolean(), seq: count, head: hex(32) }),
  signature,
})

export const request = z.discriminatedUnion('kind', [
  sign,
  signAll,
  heartbeat,
  z.strictObject({ kind: z.literal('end'), ending, engine: signature }),
  z.strictObject({ kind: z.literal('key.add'), user: positive, id: passkeyId, publicKey: passkeyKey, engine: signature }),
  z.strictObject({ kind: z.literal('key.remove'), user: positive, id: passkeyId, engine: signature }),
  sweep,
  fuel,
  possess,
  anchor,
  z.strictObject({ kind: z.literal('address.issue'), network: networkName, place, uid }),
  z.strictObject({ kind: z.literal('status') }),
])

export type Request = z.output<typeof request>
/** The same as JSON: amounts are text. */
export type RequestJson = z.input<typeof request>
export type SignRequest = Extract<Request, { kind: 'sign' }>
/** A sweep, or fuel for one. */
export type JobRequest = Extract<Request, { kind: 'sweep' | 'fuel' }>
export type HeartbeatRequest = Extract<Request, { kind: 'heartbeat' }>
export type PossessRequest = Extract<Request, { kind: 'possess' }>
export type AnchorRequest = Extract<Request, { kind: 'anchor' }>
export type Assertion = z.output<typeof assertion>

export type Status = {
  readonly isHalted: boolean
  /** Time of the last statement that books and chain match. */
  readonly matchedAt: number | undefined
  readonly seq: number
  readonly head: string
  /** Number of the policy in force. */
  readonly policy: number
  readonly addresses: Readonly<Record<string, string>>
  /** Keys of the policy's operators. Of a passkey: the id of its credential. */
  readonly operators: readonly { readonly operator: string; readonly key: string }[]
  /** The public key by which deposit addresses are checked. */
  readonly walletKey: string
}

/** A deposit address, and its signature as hex. */
export type IssuedAddress = { readonly address: string; readonly signature: string }

/** An address, and its signature of the message that it is the exchange's, as hex. */
export type Possessed = { readonly address: string; readonly signature: string }

/** What was signed, or why not. */
export type SignAnswer = { readonly ok: true; readonly signed: Signed } | { readonly ok: false; readonly reason: Reason }

export type Answer =
  | { readonly ok: true; readonly all: readonly SignAnswer[] }
  | { readonly ok: true; readonly signed: Signed }
  | { readonly ok: true; readonly status: Status }
  | { readonly ok: true; readonly issued: IssuedAddress }
  | { readonly ok: true; readonly possessed: Possessed }
  | { readonly ok: true }
  | { readonly ok: false; readonly reason: Reason }
