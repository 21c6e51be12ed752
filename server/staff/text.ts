import { Refused } from '../refused.ts'

export const nameMax = 80
export const reasonMax = 500

/** One line that shows something and can't pretend to be several, or to read in another direction. */
export const plainText = /^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]*[^\p{Cc}\p{Cf}\p{Z}][^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]*$/u

/** For texts that no route has checked. throws  Refused FIELD_INVALID */
export function requirePlain(field: string, text: string, max: number): void {
  if (text.length > max || !plainText.test(text)) throw new Refused('FIELD_INVALID', { field })
}
