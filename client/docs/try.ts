import { ed25519Signer, hmacSigner } from '../program/sign.ts'
import { codeBlock, el } from './dom.ts'
import type { Operation } from './operation.ts'
import { appRequest } from './samples.ts'

/** The key and secret that were typed: they live as long as the page and are stored nowhere. */
export const credentials = { key: '', secret: '' }

/** Fields for key and secret, shared by all routes. */
export function credentialFields(): HTMLElement {
  const key = el('input', { type: 'text', autocomplete: 'off', spellcheck: 'false', id: 'key' })
  const secret = el('textarea', { rows: '2', autocomplete: 'off', spellcheck: 'false', id: 'secret', class: 'secret' })
  key.addEventListener('input', () => (credentials.key = key.value.trim()))
  secret.addEventListener('input', () => (credentials.secret = secret.value.trim()))
  return el(
    'details',
    { class: 'credentials' },
    el('summary', {}, 'Key for signed requests'),
    el('p', {}, 'Requests are signed in the browser. Key and secret stay in the memory of this page and are gone when you leave it.'),
    el('label', {}, 'Key', key),
    el('label', {}, 'Secret, or private key (PEM) for Ed25519', secret),
  )
}

/** Sends the request and shows the answer. */
export async function send(operation: Operation, values: Readonly<Record<string, string>>): Promise<HTMLElement> {
  const startedAt = performance.now()
  try {
    const response = await (operation.isPrograms ? askPrograms(operation, values) : askApp(operation, values))
    const text = await response.text()
    const ms = Math.round(performance.now() - startedAt)
    const weight = response.headers.get('x-mbx-used-weight-1m')
    const said = `${response.status} ${response.statusText} · ${ms} ms${weight === null ? '' : ` · weight used this minute ${weight}`}`
    return el('div', {}, el('p', { class: response.ok ? 'good' : 'bad' }, said), codeBlock(pretty(text)))
  } catch (error) {
    return el('p', { class: 'bad' }, error instanceof Error ? error.message : String(error))
  }
}

async function askPrograms({ method, path, security }: Operation, values: Readonly<Record<string, string>>): Promise<Response> {
  const query = new URLSearchParams(values)
  const headers: Record<string, string> = {}
  if (security !== 'open') {
    if (credentials.key === '') throw new Error('Enter a key above first.')
    headers['X-MBX-APIKEY'] = credentials.key
  }
  let text = query.toString()
  if (security === 'signed') {
    if (credentials.secret === '') throw new Error('Enter the secret of the key above first.')
    query.set('timestamp', String(await serverTime()))
    text = query.toString()
    const isPrivate = credentials.secret.includes('PRIVATE KEY')
    const signer = isPrivate ? ed25519Signer(credentials.secret) : hmacSigner(credentials.secret)
    text += `&signature=${encodeURIComponent(await signer.sign(text))}`
  }
  return fetch(`${path}${text === '' ? '' : `?${text}`}`, { method, headers, credentials: 'omit' })
}

/** The exchange's time: the clock of a phone may be minutes off. */
async function serverTime(): Promise<number> {
  const { serverTime: now } = (await (await fetch('/api/v3/time', { credentials: 'omit' })).json()) as { readonly serverTime: number }
  return now
}

function askApp({ method, path, parameters, body }: Operation, values: Readonly<Record<string, string>>): Promise<Response> {
  const { url, json } = appRequest(path, parameters, body !== undefined, values)
  return fetch(url, {
    method,
    credentials: 'same-origin',
    ...(json === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: json }),
  })
}

const shownMax = 20_000

function pretty(text: string): string {
  let shown = text
  try {
    shown = JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    // Text that is not JSON is shown unchanged.
  }
  return shown.length > shownMax ? `${shown.slice(0, shownMax)}\n… ${shown.length - shownMax} more characters` : shown
}
