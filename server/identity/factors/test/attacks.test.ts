/** Attacks on second factors and proofs, each of which once worked. */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { stranger } from '../../test/people.ts'
import { minute, quickWorld } from '../../test/quick-world.ts'
import { good, refused } from '../../test/world.ts'
import type { Person } from '../factors.ts'
import { withRevocationAt } from './hostile-attestation.ts'
import { SoftPasskey } from './soft-passkey.ts'

const { world, sessionOf, codeIn } = quickWorld()
const origin = 'https://candor.example'
const factors = () => world().identity.factors

type Customer = { readonly to: string; readonly account: string; readonly token: string; readonly person: Person }

/** A customer whose session has just proved itself. */
async function proven(): Promise<Customer> {
  const { to, token, account } = await world().customer(stranger())
  const person = { session: await sessionOf(token), visitor: stranger(), origin }
  world().pass(minute)
  await world().identity.sendProofCode(person)
  await factors().prove({ way: 'code', code: await codeIn(to), password: good }, person)
  return { to, account, token, person }
}

test('USER-FACTOR-006: a passkey with a certificate of its own makes the server send no request', async () => {
  let asked = 0
  const inside = createServer((_request, response) => {
    asked++
    response.end('secret')
  })
  await new Promise<void>((resolve) => inside.listen(0, '127.0.0.1', resolve))
  try {
    const { person } = await proven()
    const { port } = inside.address() as AddressInfo
    const made = new SoftPasskey(origin).create({ options: await factors().beginPasskey(person) })
    await assert.rejects(
      factors().addPasskey('x', withRevocationAt(`http://127.0.0.1:${port}/metadata`, made), person),
      refused('PASSKEY_WRONG'),
    )
    assert.equal(asked, 0)
  } finally {
    inside.close()
  }
})
