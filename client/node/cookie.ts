import type { CookieJar } from '../http.ts'

/** Cookies of one exchange, in memory: name, value and removal, but no domains or paths. Enough for bots and tests. */
export function createCookieJar(): CookieJar {
  const values = new Map<string, string>()
  return {
    header: () => [...values].map(([name, value]) => `${name}=${value}`).join('; '),
    store(setCookies) {
      for (const line of setCookies) {
        const [pair = '', ...attributes] = line.split(';')
        const equals = pair.indexOf('=')
        if (equals <= 0) continue
        const name = pair.slice(0, equals).trim()
        if (attributes.some(isExpired)) values.delete(name)
        else values.set(name, pair.slice(equals + 1).trim())
      }
    },
  }
}

function isExpired(attribute: string): boolean {
  const [name = '', value = ''] = attribute.split('=')
  const kind = name.trim().toLowerCase()
  if (kind === 'max-age') return Number(value) <= 0
  return kind === 'expires' && Date.parse(value) <= Date.now()
}
