/** Looks at the newest head about once an hour while the app is in sight, and tells what was found and not shown to the person yet. */
import type { Evidence } from '@candor/core/proof/evidence.ts'
import { queries } from '../../app/client.ts'
import { isDue, look, lookKey, unread } from './look.ts'

/** Between two looks whether one is due. */
const pollMs = 600_000

/** Starts now. Returns a function that ends it. */
export function watch(tell: (found: readonly Evidence[]) => void): () => void {
  let isOver = false
  const say = (): void => {
    if (!isOver && unread().length > 0) tell(unread())
  }
  const turn = async (): Promise<void> => {
    // Offline, the next turn tries again.
    if (!document.hidden && isDue()) await queries.fetchQuery({ queryKey: lookKey, queryFn: look }).catch(() => undefined)
    say()
  }
  void turn()
  const timer = setInterval(() => void turn(), pollMs)
  // The screen of proofs looks by itself.
  const end = queries.getQueryCache().subscribe(({ type, query }) => {
    if (type === 'updated' && query.queryHash === JSON.stringify(lookKey)) say()
  })
  return () => {
    isOver = true
    clearInterval(timer)
    end()
  }
}
