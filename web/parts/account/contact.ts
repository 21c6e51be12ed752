import type { Channel } from '@candor/core/protocol/wire/user.ts'

export type Contact = { readonly channel: Channel; readonly to: string; readonly isComplete: boolean }

/** Whether the input looks like a phone number: only digits and characters of phone numbers. An email soon has a letter or @. */
export function isPhoneLike(text: string): boolean {
  return /^(\+[\d\s()./-]+|[\d\s()./-]{3,})$/.test(text.trim())
}

/**
 * The input in the form for the exchange: an email in lower case, or a phone number in international form.
 *
 * dial  calling code without plus, for numbers typed without one; a leading 0 of the national form is dropped, except in Italy,
 *       where it is part of the number
 */
export function contactOf(text: string, dial: string): Contact {
  const trimmed = text.trim()
  if (!isPhoneLike(trimmed)) {
    const to = trimmed.toLowerCase()
    return { channel: 'email', to, isComplete: /^[^\s@]+@[^\s@]+\.[^\s@.]{2,}$/.test(to) && to.length <= 254 }
  }
  const digits = trimmed.replace(/\D/g, '')
  const isInternational = trimmed.startsWith('+') || digits.startsWith('00')
  const own = isInternational ? digits.replace(/^00/, '') : `${dial}${dial === '39' ? digits : digits.replace(/^0/, '')}`
  return { channel: 'phone', to: `+${own}`, isComplete: own.length >= 8 && own.length <= 15 }
}
