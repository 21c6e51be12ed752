export type PasswordFault = 'short' | 'long' | 'oneKind' | 'repeats' | 'sequence' | 'contact'
/** 0 unusable, 1 weak, 2 fair, 3 good, 4 strong. */
export type PasswordStrength = { readonly score: 0 | 1 | 2 | 3 | 4; readonly faults: readonly PasswordFault[] }

const sequences = ['abcdefghijklmnopqrstuvwxyz', '01234567890', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm', 'qwertzuiop', 'azertyuiop']

/**
 * The strength of a password, with its weaknesses. Length counts most; the exchange itself refuses common passwords.
 *
 * contact  the email or phone of the account, whose parts attackers try first
 */
export function strengthOf(password: string, contact = ''): PasswordStrength {
  const faults: PasswordFault[] = []
  const length = [...password].length
  if (length < 8) faults.push('short')
  if (length > 128) faults.push('long')
  const kinds = [/\p{Ll}/u, /\p{Lu}/u, /\d/, /[^\p{L}\d]/u].filter((kind) => kind.test(password)).length
  if (kinds < 2) faults.push('oneKind')
  if (/(.)\1{2,}/u.test(password) || new Set(password.toLowerCase()).size < Math.min(5, length)) faults.push('repeats')
  if (hasSequence(password.toLowerCase())) faults.push('sequence')
  if (namesContact(password.toLowerCase(), contact.toLowerCase())) faults.push('contact')
  if (faults.includes('short') || faults.includes('long')) return { score: 0, faults }

  const earned = (length >= 16 ? 3 : length >= 12 ? 2 : 1) + (kinds >= 3 ? 1 : 0)
  const score = Math.max(1, Math.min(4, earned - faults.length)) as 1 | 2 | 3 | 4
  return { score, faults }
}

function hasSequence(text: string): boolean {
  const runs = sequences.flatMap((run) => [run, [...run].reverse().join('')])
  for (let at = 0; at + 4 <= text.length; at += 1) if (runs.some((run) => run.includes(text.slice(at, at + 4)))) return true
  return false
}

function namesContact(password: string, contact: string): boolean {
  return contact.split(/[@.+\-_\s]/).some((part) => part.length >= 4 && password.includes(part))
}
