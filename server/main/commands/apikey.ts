import { readFileSync } from 'node:fs'
import { type KeyScope, keyScopes, type WireKey } from '@candor/core/protocol/wire/keys.ts'
import { topics } from '../../gateway/topics.ts'
import type { KeyHolder, Keys } from '../../identity/keys.ts'
import { type CliCommand, CommandFault, type Input, type Option, optional, text, UsageFault, withExchange } from '../command.ts'
import { makeIdentity } from '../roles.ts'
import { findAccount } from './user.ts'

const whose: Option = { type: 'string', value: 'E', about: 'email address of the account', isRequired: true }
const day = 86_400_000

/**
 * Works on the keys of the account that `--email` names. Gateways hear of changes at once.
 *
 * throws  CommandFault for a new key of a customer in production: it would let one operator trade for the customer
 */
function withKeys<T>(input: Input, work: (keys: Keys, holder: KeyHolder) => Promise<T>, isNew = false): Promise<T> {
  return withExchange(input.settings, async (link, ground) => {
    const account = await findAccount(ground.store, text(input, 'email'))
    if (isNew && ground.settings.mode === 'production' && account.class === 'retail')
      throw new CommandFault('In production customers create their keys in the app; this command is for market makers')
    await using identity = makeIdentity(ground, link, { send: () => Promise.resolve() })
    const stop = identity.keys.onChanged((key) => link.publish(topics.keys, key))
    try {
      return await work(identity.keys, { account: account.id, visitor: { ip: 'local', userAgent: 'candor' } })
    } finally {
      stop()
    }
  })
}

const publicKey = (kind: string) =>
  ({ type: 'string', value: 'PEM', about: `${kind} public key, as PEM text or the path of a file, instead of a secret` }) as const

export const createKey: CliCommand = {
  name: 'apikey create',
  about: 'Create an API key; its secret is printed only once',
  operands: [],
  options: {
    email: whose,
    scopes: { type: 'string', value: 'LIST', about: `permissions, separated by commas: ${keyScopes.join(', ')} (default read)` },
    label: { type: 'string', value: 'TEXT', about: 'name of the key (default candor)' },
    ips: {
      type: 'string',
      value: 'LIST',
      about: 'addresses and networks from which the key works, separated by commas (default: anywhere)',
    },
    days: { type: 'string', value: 'N', about: 'days until the key expires (default: never, if that is allowed)' },
    ed25519: publicKey('Ed25519'),
    rsa: publicKey('RSA'),
  },
  run(input) {
    const form = {
      label: optional(input, 'label') ?? 'candor',
      scopes: listOf(optional(input, 'scopes') ?? 'read').map(scopeOf),
      ips: listOf(optional(input, 'ips') ?? ''),
      ...expiryOf(optional(input, 'days')),
      ...publicKeyOf(optional(input, 'ed25519') ?? optional(input, 'rsa')),
    }
    if (!/^[^\p{Cc}\p{Cf}]{1,40}$/u.test(form.label)) throw new UsageFault('--label must have 1 to 40 characters')
    return withKeys(
      input,
      async (keys, holder) => {
        const { key, secret } = await keys.grant(form, holder)
        return {
          json: { id: key.id, key: key.key, ...(secret === undefined ? {} : { secret }), kind: key.kind, scopes: key.scopes, ips: key.ips },
          lines: [`Key     ${key.key}`, ...(secret === undefined ? [] : [`Secret  ${secret}`, 'The secret is not shown again.'])],
        }
      },
      true,
    )
  },
}

export const listKeys: CliCommand = {
  name: 'apikey list',
  about: 'List the API keys of an account, without secrets',
  operands: [],
  options: { email: whose },
  run: (input) =>
    withKeys(input, async (keys, { account }) => {
      const list = (await keys.list(account)).keys
      return { json: { keys: list }, lines: list.length === 0 ? ['No keys.'] : list.map(lineOf) }
    }),
}

export const deleteKey: CliCommand = {
  name: 'apikey delete',
  about: 'Delete an API key; it stops working at once',
  operands: ['KEY'],
  options: { email: whose },
  run: (input) =>
    withKeys(input, async (keys, holder) => {
      const wanted = input.operands[0]
      const found = (await keys.list(holder.account)).keys.find(({ id, key }) => key === wanted || id === wanted)
      if (!found) throw new CommandFault('The account does not have this key')
      await keys.delete(found.id, holder)
      return { json: { key: found.key }, lines: [`Deleted ${found.key}`] }
    }),
}

function lineOf({ key, label, kind, scopes, ips, expiresAt, lastUsedAt }: WireKey): string {
  const at = (ms: number | undefined, none: string): string => (ms === undefined ? none : new Date(ms).toISOString())
  const from = ips.length === 0 ? 'anywhere' : ips.join(' ')
  return `${key}  ${label}, ${kind}, ${scopes.join('+')}, from ${from}, expires ${at(expiresAt, 'never')}, last used ${at(lastUsedAt, 'never')}`
}

const listOf = (words: string): readonly string[] =>
  words
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '')

function scopeOf(word: string): KeyScope {
  const scope = keyScopes.find((one) => one === word)
  if (!scope) throw new UsageFault(`--scopes must be one or more of ${keyScopes.join(', ')}`)
  return scope
}

function expiryOf(days: string | undefined): { readonly expiresAt?: number } {
  if (days === undefined) return {}
  if (!/^[1-9][0-9]{0,3}$/.test(days)) throw new UsageFault('--days must be a whole number from 1 to 9999')
  return { expiresAt: Date.now() + Number(days) * day }
}

function publicKeyOf(given: string | undefined): { readonly publicKey?: string } {
  if (given === undefined) return {}
  if (given.includes('-----BEGIN')) return { publicKey: given }
  try {
    return { publicKey: readFileSync(given, 'utf8') }
  } catch (cause) {
    throw new UsageFault(`the public key is neither PEM text nor a readable file: ${(cause as Error).message}`)
  }
}
