import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { Refused } from '../refused.ts'

/** Largest body, in bytes. */
export const bodyMax = 256 * 1024
/** Largest body of a request whose sender is unknown, in bytes. */
export const strangerBodyMax = 8 * 1024

/** Depth of the deepest JSON that any route accepts. */
const depthMax = 8

/** Whether a body came compressed. Compressed bodies are not supported, and reading the bytes as they are would misread them. */
export function isCoded({ headers: { 'content-encoding': coding } }: Pick<IncomingMessage, 'headers'>): boolean {
  return coding !== undefined && coding.trim().toLowerCase() !== 'identity'
}

/**
 * One JSON value from the bytes of a body or a socket message. Stricter than `JSON.parse`: valid UTF-8 only, each key
 * once per object, bounded depth, no NUL and no lone surrogate in any text (PostgreSQL can hold neither).
 *
 * throws  Refused BODY_MALFORMED, with the key if it is repeated; FIELD_UNKNOWN for the key `__proto__`; FIELD_INVALID for such a text
 */
export function parseJson(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw new Refused('BODY_MALFORMED')
  return parseJsonText(bytes.toString('utf8'))
}

export function parseJsonText(text: string): unknown {
  checkDepth(text)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new Refused('BODY_MALFORMED')
  }
  checkKeys(text)
  // After the two checks above, raw control characters and surrogates can come only from an escape.
  if (text.includes('\\u')) checkTexts(value)
  return value
}

/**
 * Runs before `JSON.parse`, so that deep nesting uses no stack. Brackets inside texts are skipped.
 *
 * throws  Refused BODY_MALFORMED
 */
export function checkDepth(text: string): void {
  if (openings(text, '{') + openings(text, '[') <= depthMax) return
  let depth = 0
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i)
    if (c === 0x22) i = endOfText(text, i)
    else if (c === 0x7b || c === 0x5b) {
      if (++depth > depthMax) throw new Refused('BODY_MALFORMED')
    } else if (c === 0x7d || c === 0x5d) depth--
  }
}

/**
 * Count of this bracket in the text, at most one more than the deepest JSON has. Most bodies have so few that they can't be too deep,
 * and the search is much faster than a look at each character.
 */
function openings(text: string, bracket: string): number {
  let count = 0
  for (let at = text.indexOf(bracket); at >= 0 && count <= depthMax; at = text.indexOf(bracket, at + 1)) count++
  return count
}

/** Expects valid JSON. A text followed by a colon is a key. */
function checkKeys(text: string): void {
  const objects: Set<string>[] = []
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i)
    if (c === 0x7b) objects.push(new Set())
    else if (c === 0x7d) objects.pop()
    else if (c === 0x22) {
      const end = endOfText(text, i)
      let after = end + 1
      while (text.charCodeAt(after) <= 0x20) after++
      if (text.charCodeAt(after) === 0x3a) {
        const raw = text.slice(i + 1, end)
        const key = raw.includes('\\') ? (JSON.parse(`"${raw}"`) as string) : raw
        const keys = objects[objects.length - 1]!
        if (keys.has(key)) throw new Refused('BODY_MALFORMED', { field: key.toWellFormed() })
        if (key === '__proto__') throw new Refused('FIELD_UNKNOWN', { field: key })
        keys.add(key)
      }
      i = end
    }
  }
}

/** Index of the quote that ends the text starting at `start`; the end of the input when there is none. */
function endOfText(text: string, start: number): number {
  let i = start + 1
  while (i < text.length) {
    const c = text.charCodeAt(i)
    if (c === 0x22) return i
    i += c === 0x5c ? 2 : 1
  }
  return text.length
}

function checkTexts(value: unknown): void {
  if (typeof value === 'string') {
    if (value.includes('\0') || !value.isWellFormed()) throw new Refused('FIELD_INVALID')
  } else if (Array.isArray(value)) {
    for (const item of value) checkTexts(item)
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      checkTexts(key)
      checkTexts(item)
    }
  }
}
