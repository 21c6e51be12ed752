import type { WireFirmRule } from '@candor/core/protocol/wire/firm/firm.ts'
import { Refused } from '../../refused.ts'
import type { FirmDb } from '../tables.ts'
import { requestDb } from './tables.ts'

/** One person for everything, which holds until the firm is accepted. */
const before: WireFirmRule = { bands: [{ upTo: null, people: 1 }], addressPeople: 1 }

/** The rule of a firm now. */
export async function ruleOf(db: FirmDb, firm: string): Promise<WireFirmRule> {
  const row = await requestDb(db)
    .selectFrom('firm_rules')
    .select(['bands', 'address_people'])
    .where('firm', '=', firm)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row === undefined ? before : { bands: row.bands, addressPeople: row.address_people }
}

/** How many requests of a firm wait for people. */
export async function openRequests(db: FirmDb, firm: string): Promise<number> {
  const { count } = await requestDb(db)
    .selectFrom('firm_requests')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('firm', '=', firm)
    .where('state', '=', 'open')
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** The most people that any part of a rule asks for. */
export const mostOf = ({ bands, addressPeople }: WireFirmRule): number => Math.max(addressPeople, ...bands.map(({ people }) => people))

/** Larger values never need fewer people, or parts of a withdrawal would need more than the whole. throws  Refused FIELD_INVALID */
export function checkRule({ bands }: WireFirmRule): void {
  const isOrdered = bands.every(({ upTo, people }, at) => {
    const last = at === bands.length - 1
    const earlier = bands[at - 1]
    if (last !== (upTo === null)) return false
    if (upTo !== null && Number(upTo) <= Number(earlier?.upTo ?? 0)) return false
    return earlier === undefined || people >= earlier.people
  })
  if (!isOrdered || bands.length === 0) throw new Refused('FIELD_INVALID', { field: 'bands' })
}
