import type { WireFactors } from '@candor/core/protocol/wire/factors.ts'
import type { WireSafety } from '@candor/core/protocol/wire/safety.ts'

/** What protects an account, in the order in which it is advised. */
export const protections = ['factor', 'codes', 'address', 'payment', 'phrase'] as const
export type Protection = (typeof protections)[number]

/**
 * `level`: 1 without a second factor, 3 with every protection. `done`: how many of them the account has. `advice`: the first that is
 * missing; `done` if none is.
 */
export type Strength = { readonly level: 1 | 2 | 3; readonly done: number; readonly advice: Protection | 'done' }

/** With fewer codes, new ones are advised. */
const codesEnough = 3

/** How well an account is protected, and the one next step. */
export function strengthOf(
  own: Pick<WireFactors, 'authenticatorSince' | 'passkeys' | 'recoveryCodesLeft' | 'hasPhrase'>,
  { email, phone, hasPaymentPassword }: Pick<WireSafety, 'email' | 'phone' | 'hasPaymentPassword'>,
): Strength {
  const has: Readonly<Record<Protection, boolean>> = {
    factor: factorsIn(own) > 0,
    codes: factorsIn(own) > 0 && own.recoveryCodesLeft >= codesEnough,
    address: email !== null && phone !== null,
    payment: hasPaymentPassword,
    phrase: own.hasPhrase,
  }
  const missing = protections.filter((one) => !has[one])
  const level = !has.factor ? 1 : missing.length === 0 ? 3 : 2
  return { level, done: protections.length - missing.length, advice: missing[0] ?? 'done' }
}

/** The number of second factors, without recovery codes. */
export function factorsIn({ authenticatorSince, passkeys }: Pick<WireFactors, 'authenticatorSince' | 'passkeys'>): number {
  return passkeys.length + (authenticatorSince === null ? 0 : 1)
}
