import { paperBytesMax, type PresaleDetails, type PresaleDraft } from '@candor/core/protocol/wire/console/presale.ts'
import type pg from 'pg'
import type { Clock } from '../ports.ts'
import { Refused } from '../refused.ts'
import { inTransaction } from '../store/transaction.ts'
import { hashOf, textOfDetails } from './details.ts'

/** A document of PDF begins with this, and ends with `%%EOF` within its last bytes. */
const [pdfStart, pdfEnd, endBytes] = ['%PDF-', '%%EOF', 1024] as const

/** Texts and whitepapers of presales. They are only ever added: terms name them by their hashes. */
export class PresaleTexts {
  readonly #pool: pg.Pool
  readonly #clock: Clock

  constructor(pool: pg.Pool, clock: Clock) {
    this.#pool = pool
    this.#clock = clock
  }

  /**
   * Keeps the details of a presale; the same ones are kept once. `number`: of a known presale; undefined for a new one, which gets the next
   * number.
   *
   * throws  Refused PRESALE_UNKNOWN, or FIELD_INVALID for another token than that of the number
   */
  add(details: PresaleDetails, staff: string | null, number?: number): Promise<PresaleDraft> {
    const text = textOfDetails(details)
    const hash = hashOf(text)
    return inTransaction(this.#pool, async (client) => {
      await client.query(`select pg_advisory_xact_lock(hashtext('presales'))`)
      const { rows } = await client.query<{ last: number; token: string | null }>(
        'select coalesce(max(number), 0) as last, min(token) filter (where number = $1) as token from presale_details',
        [number ?? 0],
      )
      const { last, token } = rows[0]!
      if (number !== undefined && token === null) throw new Refused('PRESALE_UNKNOWN')
      if (number !== undefined && token !== details.token) throw new Refused('FIELD_INVALID', { field: 'details.token' })
      const given = number ?? last + 1
      await client.query(
        `insert into presale_details (number, hash, token, details, prepared_by, prepared_at) values ($1, $2, $3, $4, $5, $6)
         on conflict do nothing`,
        [given, hash, details.token, text, staff, this.#clock()],
      )
      return { number: given, hash }
    })
  }

  /** Keeps a whitepaper. Returns its hash. throws  Refused MEDIA_TYPE_UNSUPPORTED, BODY_TOO_LARGE */
  async addPaper(bytes: Buffer, staff: string | null): Promise<string> {
    if (bytes.length > paperBytesMax) throw new Refused('BODY_TOO_LARGE')
    if (!bytes.subarray(0, 8).includes(pdfStart) || !bytes.subarray(-endBytes).includes(pdfEnd)) throw new Refused('MEDIA_TYPE_UNSUPPORTED')
    const hash = hashOf(bytes)
    await this.#pool.query(
      'insert into presale_papers (hash, bytes, uploaded_by, uploaded_at) values ($1, $2, $3, $4) on conflict do nothing',
      [hash, bytes, staff, this.#clock()],
    )
    return hash
  }
}
