import type { Event } from '@candor/core/protocol/event/index.ts'
import type { MarketId, Seq, UserId } from '@candor/core/protocol/ids.ts'
import type { LiquidationExplanation, MarginLiquidationExplanation } from '@candor/core/protocol/wire/explain/liquidation.ts'
import type pg from 'pg'
import { type Look, type LookFault, takeLooks } from '../../journal/looks.ts'
import { LiquidationLooks } from './futures.ts'
import { MarginLiquidationLooks } from './margin.ts'
import { liquidationPlace, marginLiquidationPlace } from './places.ts'

/** What one command did to one customer's position or account in liquidation. */
export type LiquidationAt = {
  readonly user: UserId
  readonly futures?: LiquidationExplanation
  readonly margin?: MarginLiquidationExplanation
  /** Why it can't be explained. */
  readonly fault?: string
}

/**
 * Every liquidation of which a command took a step, explained from this command alone: for the operator, of all customers. Executes the
 * command once more. `events`: those of the command.
 */
export async function liquidationsAt(pool: pg.Pool, seq: Seq, events: readonly Event[]): Promise<readonly LiquidationAt[]> {
  const futures = new Map<string, { readonly user: UserId; readonly faults: unknown[]; readonly looks: LiquidationLooks }>()
  const margin = new Map<string, { readonly user: UserId; readonly faults: unknown[]; readonly looks: MarginLiquidationLooks }>()
  for (const event of events) {
    const faults: unknown[] = []
    const onFault = (cause: unknown): void => void faults.push(cause)
    const alone = { commands: [seq], omitted: 0 }
    if (event.type === 'perp.liquidated') {
      const { user, position } = event
      const place = await liquidationPlace(pool, user, position, seq)
      const key = place?.mode === 'cross' ? `${user}` : `${user} ${position}`
      if (place !== undefined && !futures.has(key))
        futures.set(key, { user, faults, looks: new LiquidationLooks({ ...place, ...alone }, onFault) })
    }
    if (event.type === 'margin.liquidated' && !margin.has(`${event.user} ${event.market}`)) {
      const { user, market } = event
      const place = await marginLiquidationPlace(pool, user, await symbolOf(pool, market), seq)
      if (place !== undefined)
        margin.set(`${user} ${market}`, { user, faults, looks: new MarginLiquidationLooks({ ...place, ...alone }, onFault) })
    }
  }
  const looks = [...futures.values(), ...margin.values()].flatMap((one) => one.looks.looks)
  const missed: ReadonlyMap<Look, LookFault> = looks.length === 0 ? new Map() : await takeLooks(pool, looks, { reachMax: Infinity })
  return [
    ...[...futures.values()].map(({ user, faults, looks: one }) => ({
      user,
      ...toldOr(faults, one.result(missed), (futures) => ({ futures })),
    })),
    ...[...margin.values()].map(({ user, faults, looks: one }) => ({
      user,
      ...toldOr(faults, one.result(missed), (margin) => ({ margin })),
    })),
  ]
}

function toldOr<T extends object, R extends object>(
  faults: readonly unknown[],
  result: T | LookFault,
  tell: (explanation: T) => R,
): R | { readonly fault: string } {
  return typeof result === 'string' ? { fault: faults.length === 0 ? result : String(faults[0]) } : tell(result)
}

async function symbolOf(pool: pg.Pool, market: MarketId): Promise<string> {
  const { rows } = await pool.query<{ symbol: string }>('select symbol from markets where id = $1', [market])
  return rows[0]?.symbol ?? ''
}
