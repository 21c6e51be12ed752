import { randomInt } from 'node:crypto'
import { z } from 'zod'

/** What turns the direction of a line around, or hides in it. Joiners stay: some scripts and many pictographs need them. */
const hidden = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu
/** Controls except the line feed. */
const controls = /[^\P{Cc}\n]/gu
/** More marks on one letter than any language has: they cover the lines around them. */
const marks = /(\p{M}{8})\p{M}+/gu

/** A text as it is kept: it reads in one direction, is shown as a text and never as anything else, and has no pile of empty lines. */
export function cleanText(typed: string): string {
  return typed
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replaceAll('\t', ' ')
    .replace(hidden, '')
    .replace(controls, '')
    .replace(marks, '$1')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

/** Lines of text. It is measured as it was typed, so that nothing has to be cleaned that is far too long. */
export const lines = (max: number) =>
  z
    .string()
    .max(max)
    .refine((typed) => typed.isWellFormed() && cleanText(typed) !== '')
    .transform(cleanText)

export const oneLine = (max: number) =>
  z
    .string()
    .max(max)
    .refine((typed) => typed.isWellFormed() && !/[\n\r\u2028\u2029]/.test(typed.trim()) && cleanText(typed) !== '')
    .transform(cleanText)

/** Digits and capital letters that nobody confuses, without vowels, so that no word comes out. */
const letters = '23456789BCDFGHJKMNPQRTVWXYZ'
export const codePattern = /^[2-9B-DF-HJKMNP-RTV-Z]{4}-[2-9B-DF-HJKMNP-RTV-Z]{4}-[2-9B-DF-HJKMNP-RTV-Z]{4}$/

/** The number of a ticket: twelve random signs, about 57 bits, so that nobody finds another one by trying. */
export function newCode(): string {
  const part = (): string => Array.from({ length: 4 }, () => letters[randomInt(letters.length)]).join('')
  return `${part()}-${part()}-${part()}`
}
