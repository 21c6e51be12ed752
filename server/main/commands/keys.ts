import { Seal } from '../../identity/seal.ts'
import type { ServerKeys } from '../../identity/server-keys.ts'
import type { Store } from '../../store/open.ts'
import { headKeyFile } from '../../proof/head-key.ts'
import { rotateHeadKey } from '../../proof/rotate-key.ts'
import { type CliCommand, withExchange } from '../command.ts'
import { drawAnother, serverKeysOf } from '../server-key.ts'

/**
 * Columns with encrypted secrets, each before the one that its owner may move its secret to meanwhile. `place`: the column whose value
 * each secret is bound to.
 */
const sealed = [
  { table: 'api_keys', place: 'key', columns: ['secret'], purpose: 'api-key' },
  { table: 'webhooks', place: 'id', columns: ['secret', 'old_secret'], purpose: 'webhook' },
  { table: 'authenticators', place: 'account', columns: ['next_secret', 'secret'], purpose: 'authenticator' },
  { table: 'staff_authenticators', place: 'account', columns: ['next_secret', 'secret'], purpose: 'staff-authenticator' },
  { table: 'accounts', place: 'id', columns: ['phrase'], purpose: 'phrase' },
  { table: 'papers', place: 'account', columns: ['fields'], purpose: 'paper-fields' },
  { table: 'paper_photos', place: 'object', columns: ['key'], purpose: 'paper-photos' },
  { table: 'support_images', place: 'object', columns: ['key'], purpose: 'support-images' },
  { table: 'regains', place: 'account', columns: ['fields'], purpose: 'paper-fields' },
  { table: 'regain_photos', place: 'object', columns: ['key'], purpose: 'paper-photos' },
  { table: 'paper_tag_keys', place: 'name', columns: ['key'], purpose: 'paper-tags' },
  { table: 'withdrawal_addresses', place: 'id', columns: ['beneficiary'], purpose: 'beneficiary' },
  { table: 'push_subscriptions', place: 'id', columns: ['target'], purpose: 'push-target' },
  { table: 'push_keys', place: 'name', columns: ['key'], purpose: 'push-key' },
] as const

export const rotateKeys: CliCommand = {
  name: 'keys rotate',
  about: 'Generate a new server key, or use the first one in the setting, and re-encrypt all secrets in the database with it',
  operands: [],
  options: {},
  run: ({ settings }) =>
    withExchange(settings, async (_, { store }) => {
      const keys = serverKeysOf(settings)
      let renewed = await sealAnew(store, keys)
      if (settings.serverKey === undefined) {
        drawAnother(settings)
        renewed += await sealAnew(store, keys)
      }
      const { id } = keys.newest
      return { json: { key: id, renewed }, lines: [`Server key ${id} now encrypts secrets; ${renewed} existing secrets were re-encrypted`] }
    }),
}

export const rotateHeads: CliCommand = {
  name: 'keys rotate-head',
  about: 'Generate a new key for the signed heads of the journal, and announce it with the present one',
  operands: [],
  options: {},
  run: ({ settings }) =>
    withExchange(settings, async (_, { store }) => {
      const { key, publicKey } = await rotateHeadKey(store.pool, headKeyFile(settings.dataFolder))
      return { json: { key, publicKey }, lines: [`Key ${key} signs heads from now on: ${publicKey}`] }
    }),
}

/** Encrypts with the newest key all secrets that another key encrypted. Returns their count. */
async function sealAnew({ pool }: Store, keys: ServerKeys): Promise<number> {
  let renewed = 0
  for (const { table, place, columns, purpose } of sealed) {
    const seal = new Seal(keys, purpose)
    for (const column of columns) {
      const { rows } = await pool.query<{ place: string; secret: Buffer }>(
        `select ${place} as place, ${column} as secret from ${table} where ${column} is not null`,
      )
      for (const { place: where, secret } of rows) {
        const next = seal.renew(secret, where)
        if (next === undefined) continue
        // Only if the secret is still the one that was read: its owner may be renewing it right now.
        await pool.query(`update ${table} set ${column} = $1 where ${place} = $2 and ${column} = $3`, [next, where, secret])
        renewed++
      }
    }
  }
  return renewed
}
