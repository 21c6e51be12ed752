/**
 * Text in slots: six ASCII characters each, the first in the highest of 48 bits, padded with zeros. Every slot is therefore a
 * safe integer, equal texts have equal slots, and slots sort like their text.
 */
const perSlot = 6
const byte = 256
const halfSlot = 2 ** 24

export const clientIdSlots = 6
export const assetSymbolSlots = 2
export const marketSymbolSlots = 4
export const decimalSlots = 4
export const reasonSlots = 20

/** Slot by slot, without a loop: every order that rests takes its client id along. */
export function copyClientId(to: Float64Array, at: number, from: Float64Array, start: number): void {
  to[at] = from[start]!
  to[at + 1] = from[start + 1]!
  to[at + 2] = from[start + 2]!
  to[at + 3] = from[start + 3]!
  to[at + 4] = from[start + 4]!
  to[at + 5] = from[start + 5]!
}

/** Throws when the text is longer than the slots or has a character that is not printable ASCII. */
export function packText(text: string, data: Float64Array, at: number, slots: number): void {
  if (text.length > slots * perSlot) throw new Error(`text of ${text.length} characters is too long for ${slots} slots`)
  for (let slot = 0; slot < slots; slot++) {
    let packed = 0
    for (let i = slot * perSlot; i < (slot + 1) * perSlot; i++) {
      const code = i < text.length ? text.charCodeAt(i) : 0
      if (i < text.length && (code < 0x20 || code > 0x7e)) throw new Error('text is not printable ASCII')
      packed = packed * byte + code
    }
    data[at + slot] = packed
  }
}

/** Throws when the slots are not what `packText` writes. */
export function unpackText(data: Float64Array, at: number, slots: number): string {
  let text = ''
  let isOver = false
  for (let slot = 0; slot < slots; slot++) {
    const packed = data[at + slot]!
    if (packed === 0) {
      isOver = true
      continue
    }
    if (isOver || !Number.isSafeInteger(packed) || packed < 0 || packed >= 2 ** 48) throw new Error('slot does not hold text')
    const high = Math.floor(packed / halfSlot)
    const low = packed % halfSlot
    const [a, b, c, d, e, f] = [high >>> 16, (high >>> 8) & 0xff, high & 0xff, low >>> 16, (low >>> 8) & 0xff, low & 0xff]
    if (isPrintable(a) && isPrintable(b) && isPrintable(c) && isPrintable(d) && isPrintable(e) && isPrintable(f)) {
      text += String.fromCharCode(a, b, c, d, e, f)
      continue
    }
    for (const code of [a, b, c, d, e, f]) {
      if (code === 0) {
        isOver = true
        continue
      }
      if (isOver || !isPrintable(code)) throw new Error('slot does not hold text')
      text += String.fromCharCode(code)
    }
  }
  return text
}

function isPrintable(code: number): boolean {
  return code >= 0x20 && code <= 0x7e
}
