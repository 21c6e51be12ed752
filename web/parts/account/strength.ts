import type { WireFactors } from '@candor/core/protocol/wire/factors.ts'
import type { WireSafety } from '@candor/core/protocol/wire/safety.ts'

/** What protects an account, in the order in which it is advised. */
export const protections = ['factor', 'codes', 'address', 'payment', 'phrase', 'list'] as const
export type Protection = (typeof protections)[number]

/**
 * `level`: 1 without a second factor, or while somebody asks for access without it; 3 with every protection. `done`: how many of them the
 * account has. `advice`: `regain` while somebody asks, else the first protection that is missing; `done` if none is.
 */
export type Strength = { readonly level: 1 | 2 | 3; readonly done: number; readonly advice: Protection | 'regain' | 'done' }

/** With fewer codes, new ones are advised. */
const codesEnough = 3

/** How well an account is protected, and the one next step. */
export function strengthOf(
  own: Pick<WireFactors, 'authenticatorSince' | 'passkeys' | 'recoveryCodesLeft' | 'hasPhrase'>,
  safety: Pick<WireSafety, 'email' | 'phone' | 'hasPaymentPassword' | 'allowList' | 'regain'>,
): Strength {
  const { email, phone, hasPaymentPassword, allowList, regain } = safety
  const has: Readonly<Record<Protection, boolean>> = {
    factor: factorsIn(own) > 0,
    codes: factorsIn(own) > 0 && own.recoveryCodesLeft >= codesEnough,
    address: email !== null && phone !== null,
    payment: hasPaymentPassword,
    phrase: own.hasPhrase,
    list: allowList.isOn && allowList.endsAt === null,
  }
  const missing = protections.filter((one) => !has[one])
  const level = !has.factor || regain !== null ? 1 : missing.length === 0 ? 3 : 2
  const advice = regain !== null ? 'regain' : (missing[0] ?? 'done')
  return { level, done: protections.length - missing.length, advice }
}

/** The number of second factors, without recovery codes. */
export function factorsIn({ authenticatorSince, passkeys }: Pick<WireFactors, 'authenticatorSince' | 'passkeys'>): number {
  return passkeys.length + (authenticatorSince === null ? 0 : 1)
}
