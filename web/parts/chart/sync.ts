/**
 * Keeps the layout of a market's chart with the account. The device comes first: a change is stored there at once and sent a moment later,
 * or when there is a connection again. Of two devices that changed it, the later one wins.
 */
import { chartLayout, setChartLayout } from '@candor/client/column/preferences.ts'
import { ApiError } from '@candor/client/errors.ts'
import { http } from '../../app/client.ts'
import { type Keeping, layoutOf, read, write } from './kept.ts'

const restMs = 2_000

/** What the device knows of the account's layout. */
type Known = { readonly owner: string; readonly revision: number; readonly isChanged: boolean }

/** Reads the account's layout, and sends each change, until the returned function is called. `onAdopt`: another device's is shown. */
export function syncLayout(keeping: Keeping, symbol: string, uid: string, onAdopt: () => void): () => void {
  const key = `chart sync ${symbol}`
  const stored = read<Partial<Known>>(key, () => ({}))
  const isOwn = stored.owner === uid
  let known: Known = { owner: uid, revision: isOwn ? (stored.revision ?? 0) : 0, isChanged: isOwn && stored.isChanged === true }
  let timer: ReturnType<typeof setTimeout> | undefined
  let isGone = false
  let isSending = false
  const put = (change: Partial<Known>): void => {
    known = { ...known, ...change }
    write(key, known)
  }

  const send = async (tries = 3): Promise<void> => {
    if (isSending || isGone || !known.isChanged) return
    isSending = true
    try {
      put({ isChanged: false })
      const { revision } = await setChartLayout(http, symbol, {
        revision: known.revision,
        value: { version: 1, ...keeping.layout() },
      })
      put({ revision })
      isSending = false
      if (known.isChanged) plan()
    } catch (error) {
      isSending = false
      put({ isChanged: true })
      if (!(error instanceof ApiError) || error.code !== 'PREFERENCE_STALE' || tries <= 1) return
      put({ revision: (await chartLayout(http, symbol)).revision })
      await send(tries - 1)
    }
  }
  const plan = (): void => {
    clearTimeout(timer)
    timer = setTimeout(() => void send().catch(() => undefined), restMs)
  }
  const load = async (): Promise<void> => {
    if (known.isChanged) return send()
    const { revision, value } = await chartLayout(http, symbol)
    if (isGone || known.isChanged || revision === known.revision) return
    put({ revision })
    if (value === undefined) return
    keeping.adopt(layoutOf(value))
    onAdopt()
  }
  const again = (): void => void load().catch(() => undefined)
  keeping.onLayout = () => {
    put({ isChanged: true })
    plan()
  }
  addEventListener('online', again)
  again()
  return () => {
    // What was changed a moment ago is still sent; otherwise the next visit sends it.
    if (known.isChanged) void send().catch(() => undefined)
    isGone = true
    clearTimeout(timer)
    delete keeping.onLayout
    removeEventListener('online', again)
  }
}
