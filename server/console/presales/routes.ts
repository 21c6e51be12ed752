import type pg from 'pg'
import type { PreparedPresales } from '../../operations/presale-reading.ts'
import type { Clock } from '../../ports.ts'
import { PresaleTexts } from '../../presales/presales.ts'
import { Refused } from '../../refused.ts'
import type { Staff } from '../../staff/staff.ts'
import { paperOf } from '../../store/query/presale.ts'
import type { ConsoleScope } from '../scope.ts'
import * as schema from './schema.ts'

/** Bytes beside the whitepaper of a request. */
const frame = 1024
/** Texts in all languages, of which a character takes up to four bytes. */
const detailsMax = 2 * 1024 * 1024
const paperCost = 20

type Parts = { readonly pool: pg.Pool; readonly clock: Clock; readonly prepared: PreparedPresales; readonly staff: Staff }

/**
 * Presales: one member prepares texts and whitepaper, which no customer sees before terms name them. Opening, changing and cancelling are
 * decisions of two, below `/terms/presales`, whose second member reads the same texts and file by their hashes.
 */
export function presaleRoutes(scope: ConsoleScope, { pool, clock, prepared, staff }: Parts): void {
  const texts = new PresaleTexts(pool, clock)

  scope.read('/presales', { action: 'presales.read', summary: 'All presales, newest number first', answer: schema.presales }, () =>
    prepared.all(),
  )

  scope.read(
    '/presales/details/:hash',
    { action: 'presales.read', summary: 'Prepared texts by their hash', params: schema.byHash, answer: schema.details },
    ({ params }) => prepared.details(params.hash),
  )

  scope.read(
    '/presales/papers/:hash',
    { action: 'presales.read', summary: 'A whitepaper by its hash', cost: paperCost, params: schema.byHash, answer: schema.pdf },
    async ({ params, reply }) => {
      const bytes = await paperOf(pool, params.hash)
      if (bytes === undefined) throw new Refused('NOT_FOUND')
      // Never shown as a page of this origin, whatever it contains.
      reply.header('content-type', 'application/pdf').header('content-security-policy', "default-src 'none'; sandbox")
      reply.header('content-disposition', `attachment; filename="whitepaper-${params.hash.slice(0, 12)}.pdf"`)
      return bytes
    },
  )

  scope.change(
    'POST',
    '/presales/details',
    {
      ...{ action: 'presales.decide', summary: 'Prepare the texts of a presale; returns its number and their hash' },
      ...{ bodyMax: detailsMax, body: schema.draft, answer: schema.drafted },
    },
    async ({ body, session }) => {
      staff.sessions.requireFresh(session)
      await prepared.requireToken(body.details.token)
      return texts.add(body.details, session.staff, body.number)
    },
  )

  scope.change(
    'POST',
    '/presales/papers',
    {
      ...{ action: 'presales.decide', summary: 'Upload a whitepaper; returns its hash', cost: paperCost },
      ...{ bodyMax: schema.paperTextMax + frame, body: schema.upload, answer: schema.uploaded },
    },
    async ({ body, session }) => {
      staff.sessions.requireFresh(session)
      return { hash: await texts.addPaper(Buffer.from(body.pdf, 'base64'), session.staff) }
    },
  )
}
