import type { WireFactors } from '@candor/core/protocol/wire/factors.ts'

/** `level`: 1 for the password alone, 3 for the most. `advice`: the one next step; `done` if there is none. */
export type Strength = { readonly level: 1 | 2 | 3; readonly advice: 'add' | 'renew' | 'keep' | 'done' }

/** With fewer codes, new ones are advised. */
const codesEnough = 3

/** How well an account is protected, and what to do next. */
export function strengthOf(own: Pick<WireFactors, 'authenticatorSince' | 'passkeys' | 'recoveryCodesLeft'>): Strength {
  const count = factorsIn(own)
  if (count === 0) return { level: 1, advice: 'add' }
  if (own.recoveryCodesLeft < codesEnough) return { level: 2, advice: 'renew' }
  return count === 1 ? { level: 2, advice: 'keep' } : { level: 3, advice: 'done' }
}

/** The number of second factors, without recovery codes. */
export function factorsIn({ authenticatorSince, passkeys }: Pick<WireFactors, 'authenticatorSince' | 'passkeys'>): number {
  return passkeys.length + (authenticatorSince === null ? 0 : 1)
}

const systems: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMacintosh\b/, 'Mac'],
  [/\bCrOS\b/, 'Chromebook'],
  [/\bLinux\b/, 'Linux'],
]

/** A label for a new passkey: the device's system, with a number if that label is taken. Product names need no translation. */
export function suggestedLabel(userAgent: string, taken: readonly string[]): string {
  const name = systems.find(([pattern]) => pattern.test(userAgent))?.[1] ?? 'Passkey'
  if (!taken.includes(name)) return name
  let number = 2
  while (taken.includes(`${name} ${number}`)) number += 1
  return `${name} ${number}`
}

/** A secret in groups of four, as people type it. */
export function inFours(secret: string): string {
  return (secret.match(/.{1,4}/g) ?? []).join(' ')
}
