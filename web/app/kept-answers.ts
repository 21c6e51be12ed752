/**
 * The customer's own data as this device last had it: balances, open orders, positions and records. Without a connection, the app shows
 * it below the strip that says since when there is none; with one, the first answer replaces it.
 */
import { acting } from './firm/acting.ts'
import { queries } from './client.ts'
import { isPresent, onPersonChange, useSession } from './session.ts'

const name = 'answers'
const keptForMs = 7 * 86_400_000
/** Largest text that is stored: a part of what browsers allow. */
const sizeMax = 400_000
/** What is worth reading offline, by the second word of its key; records are below `balances`. Secrets, addresses and documents are not among it. */
const areas: ReadonlySet<unknown> = new Set(['balances', 'orders', 'perp', 'margin', 'convert'])

type Answer = { readonly key: readonly unknown[]; readonly data: unknown; readonly at: number }
type Kept = { readonly uid: string; readonly answers: readonly Answer[] }

/** Shows what is kept for the logged-in person, and keeps what the app has whenever it goes into the background. */
export function keepAnswers(): void {
  recall()
  document.addEventListener('visibilitychange', () => document.hidden && keep())
  addEventListener('pagehide', keep)
  addEventListener('offline', keep)
  onPersonChange(forget)
  // Its owner may have ended the session of a lost phone.
  useSession.subscribe(({ isExpired }) => isExpired && forget())
}

function forget(): void {
  try {
    localStorage.removeItem(name)
  } catch {}
}

function recall(): void {
  if (acting !== undefined) return
  try {
    const kept = JSON.parse(localStorage.getItem(name) ?? 'null') as Kept | null
    if (kept === null || kept.uid !== useSession.getState().me?.uid) return
    for (const { key, data, at } of kept.answers) if (Date.now() - at < keptForMs) queries.setQueryData(key, data, { updatedAt: at })
  } catch {}
}

function keep(): void {
  const uid = useSession.getState().me?.uid
  // Another page may have logged out a moment ago: what it has deleted must not come back.
  // What a firm's account has stays on no member's device.
  if (uid === undefined || acting !== undefined || !isPresent()) return
  const answers = queries
    .getQueryCache()
    .getAll()
    .filter(({ queryKey: [whose, area], state }) => whose === 'own' && areas.has(area) && state.data !== undefined)
    .map(({ queryKey: key, state: { data, dataUpdatedAt: at } }): Answer => ({ key, data, at }))
    .sort((one, other) => other.at - one.at)
  let size = 0
  const fitting = answers.filter((answer) => (size += JSON.stringify(answer).length) <= sizeMax)
  try {
    localStorage.setItem(name, JSON.stringify({ uid, answers: fitting } satisfies Kept))
  } catch {}
}
