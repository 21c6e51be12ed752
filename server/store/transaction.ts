import type pg from 'pg'

/**
 * Runs `run` in one transaction, on a connection of its own.
 *
 * mode    text after `begin`, such as `isolation level repeatable read read only`
 * throws  the error of `run`; nothing of it is committed then
 */
export async function inTransaction<Result>(pool: pg.Pool, run: (client: pg.PoolClient) => Promise<Result>, mode = ''): Promise<Result> {
  const client = await pool.connect()
  let isDone = false
  try {
    await client.query(`begin ${mode}`)
    const result = await run(client)
    await client.query('commit')
    isDone = true
    return result
  } finally {
    // A connection whose transaction did not end is closed, which ends the transaction.
    client.release(!isDone)
  }
}
