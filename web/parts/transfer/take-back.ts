import type { Decimal } from '@candor/core/money/brand.ts'
import { client, queries } from '../../app/client.ts'
import { problemOf } from '../../app/problem.ts'
import { SendOnce } from '../../app/send-once.ts'
import type { Translate } from '../../app/translate.ts'
import { poolKey } from '../margin/data.ts'
import { toast } from '../ui/toast.tsx'
import type { Move } from './places.ts'

/** `symbol` is set when one of the accounts is isolated. */
export type Transferred = Pick<Move, 'asset' | 'from' | 'to'> & { readonly symbol?: string; readonly amount: Decimal }

/** Transfers the same amount back, and says what became of it. `id`: of the transfer, which is undone once, whichever devices offer it. */
export async function takeBack({ from, to, ...moved }: Transferred, done: string, t: Translate, id: string): Promise<void> {
  const once = new SendOnce<object, Parameters<typeof client.funds.transfer>[0]>(() => `undo-${id}`)
  const request = once.begin(moved, (clientId) => ({ clientId, ...moved, from: to, to: from }))
  try {
    if (request !== undefined) await client.funds.transfer(request)
    once.end()
    toast({ text: done, tone: 'good' })
  } catch (error) {
    once.end(error)
    toast({ text: problemOf(error, t).text, tone: 'bad' })
  }
  for (const queryKey of [['own'], poolKey]) void queries.invalidateQueries({ queryKey })
}
