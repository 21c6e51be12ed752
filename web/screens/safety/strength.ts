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
