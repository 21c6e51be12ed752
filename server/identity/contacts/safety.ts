import type { WireSafety } from '@candor/core/protocol/wire/safety.ts'
import type { Clock } from '../../ports.ts'
import type { Accounts } from '../accounts.ts'
import { maskEmail, maskPhone } from '../address.ts'
import type { PaymentPasswords } from '../payment/payment-passwords.ts'
import type { AllowLists } from '../regain/allow-list.ts'
import type { Regains } from '../regain/regains.ts'

export type SafetyParts = {
  readonly accounts: Accounts
  readonly clock: Clock
  readonly of: { readonly paymentPasswords: PaymentPasswords; readonly allowLists: AllowLists; readonly regains: Regains }
}

/** How an account is protected, beside its second factors. */
export async function safetyOf({ accounts, clock, of }: SafetyParts, id: string): Promise<WireSafety> {
  const [{ email, phone, withdrawals_closed_until: until }, payment, allowList, regain] = await Promise.all([
    accounts.get(id),
    of.paymentPasswords.of(id),
    of.allowLists.of(id),
    of.regains.openOf(id),
  ])
  return {
    email: email === null ? null : maskEmail(email),
    phone: phone === null ? null : maskPhone(phone),
    hasPaymentPassword: payment.isSet,
    paymentLockedUntil: payment.lockedUntil ?? null,
    withdrawalsClosedUntil: until > clock() ? until : null,
    ...{ allowList, regain },
  }
}
