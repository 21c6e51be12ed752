import type pg from 'pg'

export const userStreamKinds = ['spot', 'cross', 'isolated', 'futures'] as const
export type UserStreamKind = (typeof userStreamKinds)[number]

/** The owner of a stream, and which stream. `market`: of an isolated Margin account, otherwise 0. */
export type ListenKeyOwner = {
  /** Number of the API key that created it. */
  readonly keyId: number
  readonly user: number
  readonly kind: UserStreamKind
  readonly market: number
}

/** The stored form of a listen key: its hash, and the seed from which it is derived with a secret that is not stored here. */
export type ListenKeyTrace = { readonly seed: Buffer; readonly hash: Buffer }

export type ListenKeyRow = Omit<ListenKeyOwner, 'keyId'> & {
  /** The API key that created it. */
  readonly key: string
  readonly expiresAt: number
}

const dayMs = 86_400_000

/**
 * Stores the one listen key of an API key for a stream: an existing one gets a new end, otherwise `fresh` is stored. Resolves to
 * the one that is valid.
 */
export async function putListenKey(
  pool: pg.Pool,
  { keyId, user, kind, market }: ListenKeyOwner,
  fresh: ListenKeyTrace,
  expiresAt: number,
  now: number,
): Promise<ListenKeyTrace> {
  await pool.query('delete from listen_keys where expires_at < $1', [now - dayMs])
  const { rows } = await pool.query<ListenKeyTrace>(
    `insert into listen_keys (seed, hash, api_key, core_user, stream, market, is_token, expires_at)
     values ($1, $2, $3, $4, $5, $6, false, $7)
     on conflict (api_key, stream, market) where not is_token do update set
       seed = case when listen_keys.expires_at > $8 then listen_keys.seed else excluded.seed end,
       hash = case when listen_keys.expires_at > $8 then listen_keys.hash else excluded.hash end,
       expires_at = excluded.expires_at
     returning seed, hash`,
    [fresh.seed, fresh.hash, keyId, user, kind, market, expiresAt, now],
  )
  return rows[0]!
}

/** Largest count of one API key's tokens. */
const tokensMax = 100

/** Stores a token, which can't be renewed. When an API key has too many, those that end first are deleted. */
export async function addListenToken(
  pool: pg.Pool,
  { keyId, user, kind, market }: ListenKeyOwner,
  hash: Buffer,
  expiresAt: number,
): Promise<void> {
  await pool.query(
    `insert into listen_keys (hash, api_key, core_user, stream, market, is_token, expires_at) values ($1, $2, $3, $4, $5, true, $6)`,
    [hash, keyId, user, kind, market, expiresAt],
  )
  await pool.query(
    `delete from listen_keys where hash in (
       select hash from listen_keys where api_key = $1 and is_token order by expires_at desc, hash offset $2
     )`,
    [keyId, tokensMax],
  )
}

/** Gives a listen key a new end and resolves to it; undefined when there is none. `hash` undefined: the key of the API key. */
export async function renewListenKey(
  pool: pg.Pool,
  { keyId, user, kind, market }: ListenKeyOwner,
  hash: Buffer | undefined,
  expiresAt: number,
  now: number,
): Promise<ListenKeyTrace | undefined> {
  const { rows } = await pool.query<ListenKeyTrace>(
    `update listen_keys set expires_at = $1
     where core_user = $2 and stream = $3 and market = $4 and expires_at > $5 and not is_token
       and case when $6::bytea is null then api_key = $7 else hash = $6 end
     returning seed, hash`,
    [expiresAt, user, kind, market, now, hash ?? null, keyId],
  )
  return rows[0]
}

/** Deletes the key that `renewListenKey` would renew, and resolves to its hash. */
export async function deleteListenKey(
  pool: pg.Pool,
  { keyId, user, kind, market }: ListenKeyOwner,
  hash: Buffer | undefined,
  now: number,
): Promise<Buffer | undefined> {
  const { rows } = await pool.query<{ hash: Buffer }>(
    `delete from listen_keys
     where core_user = $1 and stream = $2 and market = $3 and expires_at > $4 and not is_token
       and case when $5::bytea is null then api_key = $6 else hash = $5 end
     returning hash`,
    [user, kind, market, now, hash ?? null, keyId],
  )
  return rows[0]?.hash
}

/** Resolves to undefined when the key is unknown or expired. */
export async function findListenKey(pool: pg.Pool, hash: Buffer, now: number): Promise<ListenKeyRow | undefined> {
  const { rows } = await pool.query<{ core_user: number; stream: UserStreamKind; market: number; expires_at: number; key: string }>(
    `select core_user, stream, market, listen_keys.expires_at, key
     from listen_keys join api_keys on number = api_key
     where hash = $1 and listen_keys.expires_at > $2 and deleted_at is null`,
    [hash, now],
  )
  const row = rows[0]
  if (!row) return undefined
  return { key: row.key, user: row.core_user, kind: row.stream, market: row.market, expiresAt: row.expires_at }
}
