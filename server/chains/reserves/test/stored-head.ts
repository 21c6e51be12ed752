import type pg from 'pg'
import { first } from '../../../../core/proof/test/story.ts'
import { headAt, owed } from './reserve-file.ts'

/** Stores a head as the head maker would, signed with the first key of the tests' story, that names their statement of liabilities. */
export async function storeHead(pool: pg.Pool, n: number, at: number): Promise<void> {
  const { text, signature } = headAt(n, at)
  await pool.query('insert into proof_keys (key, public_key) values (1, $1) on conflict do nothing', [first.publicKey])
  await pool.query('insert into liability_statements (n, at_ms, seq, body) values (12, $1, 40, $2) on conflict do nothing', [at, owed])
  await pool.query('insert into proof_heads (n, at_ms, seq, body, signature) values ($1, $2, 42, $3, $4)', [n, at, text, signature])
}
