import { MessageFault } from './fault.ts'

/** Hands a short message to a carrier. Adapters for a carrier's own API implement it, too. */
export type CarrySms = (to: string, text: string) => Promise<void>

/**
 * Posts `{ to, text }` as JSON to the URL of a carrier or of a small bridge to one.
 *
 * throws  MessageFault unless the answer is a success within ten seconds
 */
export function smsByWebhook(url: string): CarrySms {
  const { username, password } = new URL(url)
  const target = new URL(url)
  target.username = ''
  target.password = ''
  const credentials = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')
  const headers = { 'content-type': 'application/json', ...(username === '' ? {} : { authorization: `Basic ${credentials}` }) }
  return async (to, text) => {
    let status: number
    try {
      const answer = await fetch(target, {
        method: 'POST',
        headers,
        body: JSON.stringify({ to, text }),
        redirect: 'error',
        signal: AbortSignal.timeout(10_000),
      })
      await answer.body?.cancel()
      status = answer.status
    } catch (cause) {
      throw new MessageFault('The carrier of short messages cannot be reached', { cause })
    }
    if (status < 200 || status > 299)
      throw new MessageFault(`The carrier of short messages answered ${status}`, { isRetryable: status >= 500 })
  }
}
