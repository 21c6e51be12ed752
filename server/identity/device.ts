/** The visitor of a route. `deviceKey`: given to this browser at an earlier login. */
export type Visitor = {
  readonly ip: string
  readonly userAgent: string
  readonly deviceKey?: string | undefined
  /**
   * Counts the request for the visitor's network; throws Refused RATE_LIMITED. Set when the entrance counted it for the device
   * instead, which holds only for an account that knows this device.
   */
  readonly asStranger?: (() => void) | undefined
}

const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\/|\bOpera\b/, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\bHeadlessChrome\/|\bChrome\/|\bCriOS\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
  [/\bcurl\//, 'curl'],
]

const systems: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMacintosh\b|\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]

/** "Chrome · Android": a name by which people recognize a device in a list. Product names are the same in every language. */
export function deviceOf(userAgent: string): string {
  const named = (list: readonly (readonly [RegExp, string])[]) => list.find(([pattern]) => pattern.test(userAgent))?.[1]
  const found = [named(browsers), named(systems)].filter((name) => name !== undefined)
  if (found.length > 0) return found.join(' · ')
  return (
    userAgent
      .replace(/[^\x20-\x7e]/g, '')
      .trim()
      .slice(0, 40) || '—'
  )
}

export function isLoopback(ip: string): boolean {
  return ip === '::1' || ip.startsWith('127.') || ip.startsWith('::ffff:127.')
}
