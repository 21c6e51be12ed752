import { randomBytes, randomUUID } from 'node:crypto'
import type { WirePasskey } from '@candor/core/protocol/wire/factors.ts'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { Selectable } from 'kysely'
import type { Clock } from '../../ports.ts'
import { Refused } from '../../refused.ts'
import { hashOf } from '../secret.ts'
import type { IdentityDb, PasskeyTable } from '../tables.ts'

export const passkeysMax = 10
/** In bytes: what WebAuthn allows at most for an id, and more than a key of RSA with 4096 bits has. */
const idMax = 1_023
const publicKeyMax = 1_024
/** Ways to reach a device. Others that a browser names are ignored. */
const transportNames = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb']
const challengeLivesMs = 5 * 60_000

/** Options or response of WebAuthn in JSON; the library checks every field that it reads. */
export type PasskeyJson = Readonly<Record<string, unknown>>

/** A verified passkey that is not stored yet. */
export type MadePasskey = Pick<PasskeyTable, 'credential' | 'public_key' | 'counter' | 'transports' | 'is_synced'>

/** Ed25519, ES256 and RS256, which every device has one of. */
const algorithms = [-8, -7, -257] as const

/** Statements about a device without a certificate; the options ask for no other. `packed`: signed by the passkey itself. */
const statements: readonly unknown[] = ['none', 'packed']

/** The library has 90 modules: it is loaded with the first passkey. */
const library = () => import('@simplewebauthn/server')
const helpers = () => import('@simplewebauthn/server/helpers')

/**
 * Passkeys (WebAuthn): discoverable, and only with the device's own check of the person, so that one of them is two factors. Each
 * belongs to the host name of the page that made it.
 */
export class Passkeys {
  readonly #db: IdentityDb
  readonly #clock: Clock

  constructor(db: IdentityDb, clock: Clock) {
    this.#db = db
    this.#clock = clock
  }

  async list(account: string): Promise<readonly WirePasskey[]> {
    const rows = await this.#db.selectFrom('passkeys').selectAll().where('account', '=', account).orderBy('created_at').execute()
    return rows.map(wirePasskey)
  }

  /** What others need in order to check the account's signatures, by the passkey's own number. Nothing of it is secret. */
  async publicKeys(account: string): Promise<ReadonlyMap<string, { readonly id: string; readonly publicKey: string }>> {
    const rows = await this.#db.selectFrom('passkeys').select(['id', 'credential', 'public_key']).where('account', '=', account).execute()
    return new Map(rows.map((row) => [row.id, { id: row.credential, publicKey: row.public_key.toString('base64url') }]))
  }

  async count(account: string, db: IdentityDb = this.#db): Promise<number> {
    const { count } = await db
      .selectFrom('passkeys')
      .select((row) => row.fn.countAll<number>().as('count'))
      .where('account', '=', account)
      .executeTakeFirstOrThrow()
    return count
  }

  /**
   * Options for `navigator.credentials.create`.
   *
   * origin  of the page; `name`: what the device shows beside the passkey
   *
   * throws  Refused PASSKEY_LIMIT
   */
  async begin(account: string, name: string, origin: string): Promise<PasskeyJson> {
    const before = await this.#db.selectFrom('passkeys').select(['credential', 'transports']).where('account', '=', account).execute()
    if (before.length >= passkeysMax) throw new Refused('PASSKEY_LIMIT')
    const { generateRegistrationOptions } = await library()
    const options = await generateRegistrationOptions({
      ...{ rpName: 'Candor', rpID: hostOf(origin), userName: name },
      userID: new Uint8Array(Buffer.from(account.replaceAll('-', ''), 'hex')),
      challenge: await this.#challenge(account),
      excludeCredentials: before.map(({ credential, transports }) => ({ id: credential, transports: [...transports] })),
      supportedAlgorithmIDs: [...algorithms],
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    })
    return { ...options }
  }

  /** The passkey in a browser's answer, made for this account and page. throws  Refused PASSKEY_WRONG */
  async made(account: string, response: PasskeyJson, origin: string): Promise<MadePasskey> {
    const { verifyRegistrationResponse } = await library()
    await refuseCertificate(response)
    const verified = await verifyRegistrationResponse({
      response: response as unknown as RegistrationResponseJSON,
      expectedChallenge: await this.#takeChallenge(response, account),
      expectedOrigin: origin,
      expectedRPID: hostOf(origin),
      supportedAlgorithmIDs: [...algorithms],
    }).catch(refuseWrong)
    if (!verified.verified) throw wrong()
    const { credential, credentialBackedUp } = verified.registrationInfo
    const { id, publicKey, counter } = credential
    if (Buffer.byteLength(id, 'base64url') > idMax || publicKey.length > publicKeyMax) throw wrong()
    // The library passes these on as they were sent.
    const given: readonly unknown[] = Array.isArray(credential.transports) ? credential.transports : []
    const transports = transportNames.filter((name) => given.includes(name))
    return { credential: id, public_key: Buffer.from(publicKey), counter, transports, is_synced: credentialBackedUp }
  }

  /** Within a transaction that holds the account's row. throws  Refused PASSKEY_WRONG when some account has it, PASSKEY_LIMIT */
  async add(db: IdentityDb, account: string, label: string, made: MadePasskey): Promise<void> {
    if ((await this.count(account, db)) >= passkeysMax) throw new Refused('PASSKEY_LIMIT')
    const added = await db
      .insertInto('passkeys')
      .values({ ...{ id: randomUUID(), account, label, created_at: this.#clock(), last_used_at: null }, ...made })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst()
    if (!added) throw wrong()
  }

  /** Options for `navigator.credentials.get`. `account`: only its passkeys; undefined leaves the choice to the device. */
  async ask(account: string | undefined, origin: string): Promise<PasskeyJson> {
    const own =
      account === undefined
        ? []
        : await this.#db.selectFrom('passkeys').select(['credential', 'transports']).where('account', '=', account).execute()
    const { generateAuthenticationOptions } = await library()
    const options = await generateAuthenticationOptions({
      ...{ rpID: hostOf(origin), userVerification: 'required', challenge: await this.#challenge(account) },
      allowCredentials: own.map(({ credential, transports }) => ({ id: credential, transports: [...transports] })),
    })
    return { ...options }
  }

  /**
   * Options for `navigator.credentials.get` with a challenge that says what is signed. Undefined: the account has no passkey that was
   * made by that time.
   *
   * challenge  in base64url
   */
  async askToSign(account: string, origin: string, challenge: string, madeBy: number): Promise<PasskeyJson | undefined> {
    const own = await this.#db
      .selectFrom('passkeys')
      .select(['credential', 'transports'])
      .where('account', '=', account)
      .where('created_at', '<=', madeBy)
      .execute()
    if (own.length === 0) return undefined
    const { generateAuthenticationOptions } = await library()
    const options = await generateAuthenticationOptions({
      ...{ rpID: hostOf(origin), userVerification: 'required', challenge: new Uint8Array(Buffer.from(challenge, 'base64url')) },
      allowCredentials: own.map(({ credential, transports }) => ({ id: credential, transports: [...transports] })),
    })
    return { ...options }
  }

  /** Whether the account has a passkey that was made by that time. */
  async hasMadeBy(account: string, madeBy: number): Promise<boolean> {
    const first = this.#db.selectFrom('passkeys').select('id').where('account', '=', account).where('created_at', '<=', madeBy)
    return (await first.limit(1).executeTakeFirst()) !== undefined
  }

  /** Checks that a passkey of the account, made by that time, signed this challenge. throws  Refused PASSKEY_WRONG, whatever is wrong */
  async checkSigned(
    response: PasskeyJson,
    origin: string,
    { account, challenge, madeBy }: { readonly account: string; readonly challenge: string; readonly madeBy: number },
  ): Promise<void> {
    const row = await this.#rowOf(response)
    if (row?.account !== account || row.created_at > madeBy || challengeIn(response) !== challenge) throw wrong()
    await this.#verify(response, origin, row, challenge)
  }

  /**
   * The account whose passkey signed the challenge. `account`: the only one that may have.
   *
   * throws  Refused PASSKEY_WRONG, whatever is wrong
   */
  async check(response: PasskeyJson, origin: string, account?: string): Promise<string> {
    const row = await this.#rowOf(response)
    if (!row || (account !== undefined && row.account !== account)) throw wrong()
    return this.#verify(response, origin, row, await this.#takeChallenge(response, account))
  }

  #rowOf(response: PasskeyJson): Promise<Selectable<PasskeyTable> | undefined> {
    const credential = typeof response['id'] === 'string' ? response['id'] : ''
    return this.#db.selectFrom('passkeys').selectAll().where('credential', '=', credential).executeTakeFirst()
  }

  /** Returns the account of the passkey, whose use it notes. throws  Refused PASSKEY_WRONG */
  async #verify(response: PasskeyJson, origin: string, row: Selectable<PasskeyTable>, challenge: string): Promise<string> {
    const { verifyAuthenticationResponse } = await library()
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: response as unknown as AuthenticationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: hostOf(origin),
      credential: { id: row.credential, publicKey: new Uint8Array(row.public_key), counter: row.counter },
    }).catch(refuseWrong)
    if (!verified) throw wrong()
    const { newCounter: counter, credentialBackedUp } = authenticationInfo
    // Since the row was read, its owner may have removed the passkey, or a copy of it may have used this count.
    const used = await this.#db
      .updateTable('passkeys')
      .set({ counter, last_used_at: this.#clock(), is_synced: credentialBackedUp })
      .where('id', '=', row.id)
      .where('counter', counter === 0 ? '=' : '<', counter)
      .returning('account')
      .executeTakeFirst()
    if (!used) throw wrong()
    return used.account
  }

  async remove(db: IdentityDb, account: string, id: string): Promise<boolean> {
    const removed = await db.deleteFrom('passkeys').where('account', '=', account).where('id', '=', id).returning('id').executeTakeFirst()
    return removed !== undefined
  }

  async #challenge(account: string | undefined): Promise<Uint8Array<ArrayBuffer>> {
    const challenge = new Uint8Array(randomBytes(32))
    const text = Buffer.from(challenge).toString('base64url')
    const expires = this.#clock() + challengeLivesMs
    await this.#db
      .insertInto('passkey_challenges')
      .values({ challenge: hashOf(text), account: account ?? null, expires_at: expires })
      .execute()
    return challenge
  }

  /** Uses up the challenge that was signed; it was made for this account, or for a login. */
  async #takeChallenge(response: PasskeyJson, account: string | undefined): Promise<string> {
    const challenge = challengeIn(response)
    const taken = await this.#db
      .deleteFrom('passkey_challenges')
      .where('challenge', '=', hashOf(challenge))
      .where('expires_at', '>', this.#clock())
      .where('account', 'is not distinct from', account ?? null)
      .returning('challenge')
      .executeTakeFirst()
    if (!taken) throw wrong()
    return challenge
  }
}

const wrong = (): Refused => new Refused('PASSKEY_WRONG')

/**
 * A certificate names the address where its revocation is listed, and the library asks there. Whoever adds a passkey could choose the
 * address, also one that only this machine can reach.
 *
 * throws  Refused PASSKEY_WRONG
 */
async function refuseCertificate({ response }: PasskeyJson): Promise<void> {
  const { decodeAttestationObject, isoBase64URL } = await helpers()
  try {
    const { attestationObject } = response as { readonly attestationObject: string }
    const object = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject))
    if (statements.includes(object.get('fmt')) && object.get('attStmt').get('x5c') === undefined) return
  } catch {}
  throw wrong()
}

/** The library throws for whatever a browser sent wrong. */
function refuseWrong(): never {
  throw wrong()
}

/** The challenge in a browser's answer, before anything of it is verified. */
function challengeIn({ response }: PasskeyJson): string {
  try {
    const { clientDataJSON } = response as { readonly clientDataJSON: string }
    const { challenge, crossOrigin } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString()) as Readonly<Record<string, unknown>>
    // Our page inside a page of somebody else asks for nothing.
    if (typeof challenge === 'string' && crossOrigin !== true) return challenge
  } catch {}
  throw wrong()
}

const hostOf = (origin: string): string => new URL(origin).hostname

function wirePasskey(row: Selectable<PasskeyTable>): WirePasskey {
  return { id: row.id, label: row.label, isSynced: row.is_synced, createdAt: row.created_at, lastUsedAt: row.last_used_at }
}
