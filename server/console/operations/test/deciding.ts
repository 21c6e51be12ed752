import assert from 'node:assert/strict'
import type { ConsoleWorld, Member } from '../../test/console-world.ts'

type By = Pick<Member, 'browser'>

/** What tests of decisions about terms do with a console: propose, approve and read, as members of risk and compliance. */
export function deciding(world: () => ConsoleWorld) {
  const people: Member[] = []
  const send = ({ browser }: By, path: string, body: object = {}) => browser.send('POST', `/terms/${path}`, body)
  const read = async ({ browser }: By, path: string) => (await browser.send('GET', path)).body
  return {
    send,
    read,
    /** Two members of risk and two of compliance, logged in. */
    async scene() {
      if (people.length === 0)
        for (const role of ['risk', 'risk', 'compliance', 'compliance'] as const) people.push(await world().hire(role))
      world().pass(60_000)
      for (const one of people) await world().logIn(one)
      const [rob, ria, carl, cora] = people as [Member, Member, Member, Member]
      return { rob, ria, carl, cora }
    },
    termsOf: async (member: By, subject: string) =>
      (await read(member, '/terms/markets')).markets.find((one: { subject: string }) => one.subject === subject).terms,
    async propose(member: By, area: string, wish: object): Promise<number> {
      const answer = await send(member, area, { reason: 'a good reason', ...wish })
      assert.equal(answer.status, 200, JSON.stringify(answer.body))
      return answer.body.id
    },
    approve: (member: By, area: string, id: number, body: object = {}) => send(member, `${area}/${id}/approve`, body),
  }
}
