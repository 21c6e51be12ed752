import { headKeyText } from '@candor/core/proof/head.ts'
import { keysMax } from '@candor/core/proof/head-keys.ts'
import { type KeyObject, sign } from 'node:crypto'
import { existsSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import type pg from 'pg'
import { syncFolder } from '../store/durable-file.ts'
import { type HeadKey, headKeys } from '../store/query/proof/heads.ts'
import { drawHeadKey, publicHeadKey, readHeadKey } from './head-key.ts'

/**
 * Generates another key for heads and announces it, signed with the present one. Ends a change that was interrupted, if there is one.
 *
 * Returns the number of the new key and its public part.
 * throws  Error when the present key is missing or another one than the one that signed so far, or there is none yet
 */
export async function rotateHeadKey(pool: pg.Pool, path: string): Promise<Pick<HeadKey, 'key' | 'publicKey'>> {
  const next = `${path}.next`
  const newest = (await headKeys(pool)).at(-1)
  if (newest === undefined) throw new Error('There is no key for heads yet: the exchange generates it with its first head')
  const announced = existsSync(next) ? readHeadKey(next) : undefined
  if (announced !== undefined && publicHeadKey(announced) === newest.publicKey) return put(path, newest)
  const present = readHeadKey(path)
  if (publicHeadKey(present) !== newest.publicKey)
    throw new Error(`${path} is not key ${newest.key}, which signs heads: bring that one back`)
  if (newest.key >= keysMax) throw new Error(`No verifier accepts more than ${keysMax} keys`)
  // Left by a change that ended before it was announced.
  rmSync(next, { force: true })
  drawHeadKey(next)
  const made = { key: newest.key + 1, publicKey: publicHeadKey(readHeadKey(next)) }
  await announce(pool, made, present)
  return put(path, made)
}

async function announce(pool: pg.Pool, made: Pick<HeadKey, 'key' | 'publicKey'>, present: KeyObject): Promise<void> {
  const signature = sign(null, Buffer.from(headKeyText(made)), present).toString('hex')
  await pool.query('insert into proof_keys (key, public_key, signature) values ($1, $2, $3)', [made.key, made.publicKey, signature])
}

/** The announced key takes the place of the one before it, which is gone then. */
function put(path: string, { key, publicKey }: Pick<HeadKey, 'key' | 'publicKey'>): Pick<HeadKey, 'key' | 'publicKey'> {
  renameSync(`${path}.next`, path)
  syncFolder(dirname(path))
  return { key, publicKey }
}
