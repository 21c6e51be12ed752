/** The message after a cancelled order. Loaded with the first cancel. */
import { place as placePerp } from '@candor/client/column/perp.ts'
import type { WireOrder } from '@candor/core/protocol/wire/spot.ts'
import { client, http, newClientId, queries } from '../../app/client.ts'
import { problemOf } from '../../app/problem.ts'
import { isLost } from '../../app/send-once.ts'
import { useSession } from '../../app/session.ts'
import type { Translate } from '../../app/translate.ts'
import { toast } from '../ui/toast.tsx'
import { type Anew, anewOf } from './anew.ts'

/** Says that the order is cancelled, and offers to place what remained of it once more. */
export function announceCancelled(before: WireOrder, ended: WireOrder, t: Translate): void {
  const anew = anewOf(before, ended)
  if (anew === undefined) toast({ text: t('orders.cancelled') })
  else {
    const detail = anew.body.trigger === undefined ? { detail: t('orders.againLast') } : {}
    toast({ text: t('orders.cancelled'), ...detail, action: { text: t('orders.placeAgain'), run: sender(anew, t) } })
  }
}

/** Places the order, once, and only for the login that cancelled it. After a lost answer, it offers the same request again. */
function sender(anew: Anew, t: Translate): () => void {
  const { login } = useSession.getState()
  const clientId = newClientId()
  let isSent = false
  const run = async (): Promise<void> => {
    if (isSent || useSession.getState().login !== login) return
    isSent = true
    try {
      if (anew.product === 'perp') await placePerp(http, { ...anew.body, clientId })
      else await client.spot.place({ ...anew.body, clientId })
      toast({ text: t('orders.placed'), tone: 'good' })
    } catch (error) {
      isSent = false
      const retry = isLost(error) ? { action: { text: t('common.retry'), run: () => void run() } } : {}
      toast({ text: problemOf(error, t).text, tone: 'bad', ...retry })
    }
    void queries.invalidateQueries({ queryKey: ['own'] })
  }
  return () => void run()
}
