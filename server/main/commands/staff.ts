import type { Messages } from '../../ports.ts'
import type { Actor } from '../../staff/log.ts'
import { enrolmentLink } from '../../staff/mail.ts'
import { isRole, type Role, roles } from '../../staff/permissions.ts'
import type { Wish } from '../../staff/proposals.ts'
import { Staff } from '../../staff/staff.ts'
import { type CliCommand, type Input, optional, type Result, text, UsageFault, withExchange } from '../command.ts'
import { consoleUrlOf, type Ground } from '../roles.ts'
import { serverKeysOf } from '../server-key.ts'

/** The command line knows nobody's name: what it does is logged as its own. */
const owner: Actor = { visitor: { ip: 'command line', userAgent: 'candor' } }

/** Nothing that is decided here sends mail: the gateway does, after the approval. */
const noMessages: Messages = { send: () => Promise.reject(new Error('The command line sends no mail')) }

const roleOption = { type: 'string', value: 'ROLE', about: roles.join(', '), isRequired: true } as const
const reasonOption = { type: 'string', value: 'TEXT', about: 'why, for the log', isRequired: true } as const

function roleIn(input: Input): Role {
  const role = text(input, 'role')
  if (!isRole(role)) throw new UsageFault(`--role must be one of ${roles.join(', ')}`)
  return role
}

async function withStaff<T>(input: Input, work: (staff: Staff, ground: Ground) => Promise<T>): Promise<T> {
  return withExchange(input.settings, async (_, ground) => {
    const { settings, store } = ground
    const parts = { store, mode: settings.mode, serverKeys: serverKeysOf(settings), publicUrl: consoleUrlOf(settings) }
    await using staff = new Staff({ ...parts, messages: noMessages })
    return await work(staff, ground)
  })
}

const waits = (proposal: number): Result => ({
  json: { proposal },
  lines: [`Proposal ${proposal} waits for approval in the console, for a day`],
})

/** Proposes something about a member. The address is the command's operand. */
const propose = (input: Input, wish: (staff: string) => Wish): Promise<Result> =>
  withStaff(input, async (staff) => {
    const [email] = input.operands as [string]
    return waits(await staff.proposals.propose(wish(await staff.idOf(email)), owner))
  })

export const createStaff: CliCommand = {
  name: 'staff create',
  about: 'Print the link by which the first administrator sets password and passkey; from then on, propose to invite somebody',
  operands: ['EMAIL'],
  options: {
    name: { type: 'string', value: 'NAME', about: 'name of the person', isRequired: true },
    role: roleOption,
    reason: { ...reasonOption, isRequired: false },
  },
  run: (input) =>
    withStaff(input, async (staff, { settings }) => {
      const [email] = input.operands as [string]
      const reason = optional(input, 'reason') ?? 'invited by the machine’s owner'
      const created = await staff.create({ email, name: text(input, 'name').trim(), role: roleIn(input), reason }, owner)
      if ('proposal' in created) return waits(created.proposal)
      const { token } = created
      const link = enrolmentLink(consoleUrlOf(settings), token)
      return { json: { email, token, link }, lines: ['This link works once, within 24 hours, until an administrator is active:', link] }
    }),
}

export const proposeStaffRole: CliCommand = {
  name: 'staff role',
  about: 'Propose another role for a member of the staff; two administrators must approve it in the console within a day',
  operands: ['EMAIL'],
  options: { role: roleOption, reason: reasonOption },
  run: (input) => propose(input, (staff) => ({ kind: 'role', staff, role: roleIn(input), reason: text(input, 'reason') })),
}

export const proposeStaffEnrolment: CliCommand = {
  name: 'staff enrol',
  about: 'Propose a new enrolment of a member who lost passkey and password; its link goes to the member by mail after the approval',
  operands: ['EMAIL'],
  options: { reason: reasonOption },
  run: (input) => propose(input, (staff) => ({ kind: 'enrolment', staff, reason: text(input, 'reason') })),
}
