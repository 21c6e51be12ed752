/** Customers with second factors, for tests: a real database, a clock that tests move, and hashing that costs nothing. */
import assert from 'node:assert/strict'
import { generateSync } from 'otplib'
import type { Session } from '../../../ports.ts'
import { stranger } from '../../test/people.ts'
import { minute, quickWorld } from '../../test/quick-world.ts'
import { good } from '../../test/world.ts'
import type { Person } from '../factors.ts'
import { FactorNeeded } from '../logins.ts'
import { SoftPasskey } from './soft-passkey.ts'

export const origin = 'https://candor.example'

/** The world of one file of tests. */
export function factorWorld() {
  const quick = quickWorld()
  const { world, sessionOf, codeIn, login } = quick
  const factors = () => world().identity.factors

  /** A customer with a session, and one more browser. */
  async function customer() {
    const { to, token, account } = await world().customer(stranger())
    return { to, account, token, person: { session: await sessionOf(token), visitor: stranger(), origin } as Person }
  }

  async function proveByCode({ to, person }: { readonly to: string; readonly person: Person }) {
    world().pass(minute)
    await world().identity.sendProofCode(person)
    return factors().prove({ way: 'code', code: await codeIn(to), password: good }, person)
  }

  /** The code of the half-minute that is `later` half-minutes from now. */
  const codeOf = (secret: string, later = 0): string => generateSync({ secret, epoch: Math.floor(world().clock() / 1_000) + later * 30 })

  async function withApp() {
    const one = await customer()
    await proveByCode(one)
    const { secret } = await factors().beginAuthenticator(one.person)
    const { recoveryCodes } = await factors().confirmAuthenticator(codeOf(secret), one.person)
    world().pass(minute)
    return { ...one, secret, recoveryCodes: recoveryCodes! }
  }

  async function withPasskey() {
    const one = await customer()
    await proveByCode(one)
    const passkey = new SoftPasskey(origin)
    const made = passkey.create({ options: await factors().beginPasskey(one.person) })
    const { recoveryCodes } = await factors().addPasskey('my phone', made, one.person)
    return { ...one, passkey, recoveryCodes: recoveryCodes! }
  }

  /** The token of a login whose password is right. */
  async function waiting(to: string, needs: 'SECOND_FACTOR_NEEDED' | 'PASSKEY_NEEDED' = 'SECOND_FACTOR_NEEDED', password = good) {
    const error: unknown = await login(to, password).then(
      () => undefined,
      (cause: unknown) => cause,
    )
    assert.ok(error instanceof FactorNeeded)
    assert.equal(error.refusal, needs)
    return error.step
  }

  const byCode = (step: string | undefined, code: string) => world().identity.logins.byCode(step, code, stranger())
  const loggedIn = async (started: { readonly session: Session }): Promise<Person> => ({
    ...{ session: started.session, visitor: stranger(), origin },
  })
  const provenUntil = async (person: Person) => (await factors().of(person.session)).provenUntil

  return { ...quick, factors, customer, proveByCode, codeOf, withApp, withPasskey, waiting, byCode, loggedIn, provenUntil }
}
