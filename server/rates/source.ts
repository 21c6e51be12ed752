const ecb = 'https://www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml'
const local = new Set(['127.0.0.1', '[::1]', 'localhost'])

/** Whether a setting names a source: `off`, an https address, or one on this machine. */
export function isRatesSource(text: string): boolean {
  if (text === 'off') return true
  const url = URL.parse(text)
  return url !== null && url.username === '' && (url.protocol === 'https:' || (url.protocol === 'http:' && local.has(url.hostname)))
}

/** The address to fetch from; undefined: none. Without a setting, an exchange whose index prices come from outside asks the source. */
export function ratesUrlOf(setting: string | undefined, feed: string): string | undefined {
  if (setting !== undefined) return setting === 'off' ? undefined : setting
  return feed === 'auto' || feed === 'live' ? ecb : undefined
}
