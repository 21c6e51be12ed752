import { headHash } from '@candor/core/proof/chain/possession.ts'
import { readReserveText } from '@candor/core/proof/chain/reserve-text.ts'
import { readHeadText } from '@candor/core/proof/head.ts'
import { sign } from 'node:crypto'
import type pg from 'pg'
import { headsFrom } from '../store/query/proof/heads.ts'
import { publicHeadKey, readHeadKey } from './head-key.ts'

/**
 * Signs new statements of reserves with the key of the head that each names. It signs nothing but such a statement, which no head and no
 * announcement of a key can be. One of a head that an earlier key signed stays unsigned.
 *
 * returns  how many were signed
 */
export async function signReserves(pool: pg.Pool, keyFile: string): Promise<number> {
  const { rows } = await pool.query<{ n: number; head: number; text: string }>(
    `select n, head, body as text from reserve_statements
     where signature is null and n > coalesce((select max(n) from reserve_statements where signature is not null), 0) order by n`,
  )
  let count = 0
  for (const { n, head: number, text } of rows) {
    const [head] = await headsFrom(pool, number, 1)
    const { rows: keys } = await pool.query<{ key: number; public_key: string }>(
      'select key, public_key from proof_keys order by key desc limit 1',
    )
    const statement = readReserveText(text)
    const secret = readHeadKey(keyFile)
    const isRight =
      statement?.n === n &&
      head?.n === number &&
      statement.head.n === number &&
      statement.head.hash === headHash(head.text) &&
      readHeadText(head.text)?.key === keys[0]?.key &&
      publicHeadKey(secret) === keys[0]?.public_key
    if (!isRight) continue
    await pool.query('update reserve_statements set signature = $2 where n = $1 and signature is null', [
      ...[n, sign(null, Buffer.from(text), secret).toString('hex')],
    ])
    count++
  }
  return count
}
