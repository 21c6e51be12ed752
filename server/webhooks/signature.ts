import { createHmac } from 'node:crypto'

/**
 * The header `Candor-Signature`: the time of signing in seconds, and for each secret the HMAC-SHA256 of these seconds, a dot and
 * the body, in hexadecimal.
 *
 *   t=1767225600,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd
 */
export function signatureOf(body: string, secrets: readonly string[], atMs: number): string {
  const seconds = Math.floor(atMs / 1_000)
  const marks = secrets.map((secret) => `v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`)
  return [`t=${seconds}`, ...marks].join(',')
}
