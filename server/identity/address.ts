import { domainToASCII } from 'node:url'
import type { Channel } from '@candor/core/protocol/wire/user.ts'
import { parsePhoneNumberFromString } from 'libphonenumber-js/min'
import { Refused } from '../refused.ts'

/** A user's email address or phone number in the one form that is stored and compared. */
export type Address = { readonly channel: Channel; readonly value: string }

const local = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/
const domain = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/

/**
 * countries  to which text messages may be sent (ISO 3166, upper case); undefined: all
 * throws     Refused EMAIL_INVALID or PHONE_INVALID
 */
export function parseAddress(channel: Channel, to: string, countries?: ReadonlySet<string>): Address {
  return { channel, value: channel === 'email' ? parseEmail(to) : parsePhone(to, countries) }
}

/**
 * Lower case throughout: no mail system in use distinguishes `A@` from `a@`, and two accounts that differ only in case are a
 * trap. A domain in another script is stored as punycode. Characters that could end a header line are refused.
 */
export function parseEmail(text: string): string {
  const lower = text.trim().toLowerCase()
  const at = lower.lastIndexOf('@')
  const name = lower.slice(0, at)
  const host = domainToASCII(lower.slice(at + 1))
  const value = `${name}@${host}`
  if (at < 1 || name.length > 64 || value.length > 254 || !local.test(name) || !domain.test(host)) {
    throw new Refused('EMAIL_INVALID', { field: 'to' })
  }
  return value
}

/** E.164. A number without a country is refused rather than guessed. */
export function parsePhone(text: string, countries?: ReadonlySet<string>): string {
  const trimmed = text.trim()
  const isShaped = /^\+[0-9 ().-]{6,30}$/.test(trimmed)
  const phone = isShaped ? parsePhoneNumberFromString(trimmed) : undefined
  const isServed = countries === undefined || (phone?.country !== undefined && countries.has(phone.country))
  if (!phone?.isValid() || !isServed) throw new Refused('PHONE_INVALID', { field: 'to' })
  return phone.number
}

/** Country of a number that `parsePhone` returned (ISO 3166); `??` for none. */
export function countryOf(phone: string): string {
  return parsePhoneNumberFromString(phone)?.country ?? '??'
}

/** a•••e@example.com: enough for the owner to recognize it, too little for others. */
export const masked = ({ channel, value }: Address): string => (channel === 'email' ? maskEmail(value) : maskPhone(value))

export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@')
  return `${maskName(email.slice(0, at))}${email.slice(at)}`
}

/** +49•••••23 */
export function maskPhone(phone: string): string {
  return `${phone.slice(0, 3)}•••••${phone.slice(-2)}`
}

/** The inviter as the invited person sees them: never the whole address. */
export function maskInviter(email: string | null, phone: string | null): string {
  return email === null ? maskPhone(phone ?? '') : maskName(email.slice(0, email.lastIndexOf('@')))
}

function maskName(name: string): string {
  return name.length < 3 ? `${name.slice(0, 1)}•••` : `${name.slice(0, 1)}•••${name.slice(-1)}`
}
