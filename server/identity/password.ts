import type { Refusal } from '@candor/core/protocol/refusal.ts'
import { Refused } from '../refused.ts'
import type { Address } from './address.ts'
import { isCommon } from './common-passwords.ts'

const lengthMin = 8
const lengthMax = 128

export type Least = { readonly length: number; readonly refusal: Refusal }
const customers: Least = { length: lengthMin, refusal: 'PASSWORD_TOO_SHORT' }

/**
 * Checks the length and a list of common passwords; capitals and symbols are not required. Length counts characters as people see
 * them, after the normalisation that the hash uses too.
 *
 * addresses  the user's own: a password made from one is the first that a stranger tries
 * least      characters, and the refusal of fewer, where customers' eight are too few
 * throws     Refused PASSWORD_TOO_SHORT or that of `least`, PASSWORD_TOO_LONG, PASSWORD_COMMON
 */
export function checkPassword(password: string, addresses: readonly Address[], least: Least = customers): void {
  const normal = password.normalize('NFKC')
  const length = [...normal].length
  if (length < least.length) throw new Refused(least.refusal, { field: 'password' })
  if (length > lengthMax) throw new Refused('PASSWORD_TOO_LONG', { field: 'password' })
  if (isCommon(normal) || addresses.some((address) => isOwn(normal.toLowerCase(), address))) {
    throw new Refused('PASSWORD_COMMON', { field: 'password' })
  }
}

/** throws  Refused PASSWORDS_DIFFER */
export function checkTwice(password: string, again: string): void {
  if (password !== again) throw new Refused('PASSWORDS_DIFFER', { field: 'passwordAgain' })
}

function isOwn(lower: string, { channel, value }: Address): boolean {
  if (channel === 'phone') {
    const digits = value.slice(1)
    const typed = lower.replace(/[^0-9]/g, '')
    return typed.length === lower.replace(/[+ ().-]/g, '').length && typed.length >= lengthMin && digits.endsWith(typed.replace(/^0+/, ''))
  }
  const at = value.lastIndexOf('@')
  const name = value.slice(0, at)
  return [value, name, value.slice(at + 1)].some((own) => lower === own || (bare(own).length > 3 && bare(lower) === bare(own)))
}

/** Without trailing digits and symbols. */
function bare(text: string): string {
  return text.replace(/[^\p{L}]+$/u, '')
}
