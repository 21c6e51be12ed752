import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Strict-Transport-Security, sent with every answer when the public address is https: https only, for a year. Not sent by a
 * sandbox on plain http.
 */
export function transportHeaders(isSecure: boolean): Readonly<Record<string, string>> {
  return isSecure ? { 'strict-transport-security': 'max-age=31536000' } : {}
}

/** The same as names and values in turns. */
export function transportList(isSecure: boolean): readonly string[] {
  return Object.entries(transportHeaders(isSecure)).flat()
}

/** Headers of every page. */
export const commonHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
} as const

/** Headers of data, which is never a page: nothing in it may run, be framed, be read by other sites or be stored. */
export const dataHeaders = {
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
} as const

/**
 * The policy of the page that asks a node of the reader's choice: any host, and only the script and the style in it. `sandbox` takes its
 * origin away, so that it has no cookies, no storage, and reads nothing of the app.
 */
export function askPolicy(html: string): string {
  const hashOf = (tag: string): string => {
    const inside = html.slice(html.indexOf(`<${tag}>`) + tag.length + 2, html.lastIndexOf(`</${tag}>`))
    return `'sha256-${createHash('sha256').update(inside).digest('base64')}'`
  }
  return [
    ...["default-src 'none'", `script-src ${hashOf('script')}`, `style-src ${hashOf('style')}`],
    ...["connect-src 'self' https: http://127.0.0.1:* http://localhost:*", "base-uri 'none'", "form-action 'none'"],
    ...["frame-ancestors 'none'", 'sandbox allow-scripts'],
  ].join('; ')
}

/** The header of a page's files: scripts, styles, pictures. A policy on what they load would bind service workers. */
export const filePolicy = "frame-ancestors 'none'"

/** Lines of the head of an answer that is written to the bare socket. */
export const rawDataHead = Object.entries(dataHeaders)
  .map(([name, value]) => `${name}: ${value}\r\n`)
  .join('')

/** Hashes of the build's inline parts (theme script, critical styles), from `csp.json` beside the pages. */
type InlineHashes = { readonly scripts: readonly string[]; readonly styles: readonly string[] }

export function readInlineHashes(folder: string): InlineHashes {
  try {
    const read = JSON.parse(readFileSync(join(folder, 'csp.json'), 'utf8')) as Partial<InlineHashes>
    const known = (list: readonly string[] | undefined) => (list ?? []).filter((hash) => /^sha(256|384|512)-[A-Za-z0-9+/=]+$/.test(hash))
    return { scripts: known(read.scripts), styles: known(read.styles) }
  } catch {
    return { scripts: [], styles: [] }
  }
}

/** Content security policy of an app's pages: own files, own sockets, the listed inline parts, nothing else. */
export function pagePolicy(hashes: InlineHashes): string {
  const sources = (own: readonly string[]) => ["'self'", ...own.map((hash) => `'${hash}'`)].join(' ')
  return [
    "default-src 'none'",
    `script-src ${sources(hashes.scripts)}`,
    `style-src ${sources(hashes.styles)}`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}
