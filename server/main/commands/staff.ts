import type { Actor } from '../../staff/log.ts'
import { isRole, type Role, roles } from '../../staff/permissions.ts'
import { Staff } from '../../staff/staff.ts'
import { type CliCommand, type Input, text, UsageFault, withExchange } from '../command.ts'
import type { Ground } from '../roles.ts'
import { serverKeysOf } from '../server-key.ts'

/** The command line knows nobody's name: what it does is logged as its own. */
const owner: Actor = { visitor: { ip: 'command line', userAgent: 'candor' } }

const roleOption = { type: 'string', value: 'ROLE', about: roles.join(', '), isRequired: true } as const

function roleIn(input: Input): Role {
  const role = text(input, 'role')
  if (!isRole(role)) throw new UsageFault(`--role must be one of ${roles.join(', ')}`)
  return role
}

async function withStaff<T>(input: Input, work: (staff: Staff, ground: Ground) => Promise<T>): Promise<T> {
  return withExchange(input.settings, async (_, ground) => {
    const { settings, store } = ground
    using staff = new Staff({ store, mode: settings.mode, serverKeys: serverKeysOf(settings) })
    return await work(staff, ground)
  })
}

export const createStaff: CliCommand = {
  name: 'staff create',
  about: 'Invite somebody to the staff, and print the link by which they set password and passkey; until two administrators are active',
  operands: ['EMAIL'],
  options: {
    name: { type: 'string', value: 'NAME', about: 'name of the person', isRequired: true },
    role: roleOption,
  },
  run: (input) =>
    withStaff(input, async (staff, { settings }) => {
      const [email] = input.operands as [string]
      const token = await staff.create({ email, name: text(input, 'name').trim(), role: roleIn(input) }, owner)
      const base = settings.publicUrls[0] ?? `http://${settings.host}:${settings.port}`
      // Behind `#`, so that it stands in no log of a server.
      const link = `${base}/console/enrol#token=${token}`
      return { json: { email, token, link }, lines: ['This link works once, within 24 hours:', link] }
    }),
}

export const proposeStaffRole: CliCommand = {
  name: 'staff role',
  about: 'Propose another role for a member of the staff; two administrators must approve it in the console within a day',
  operands: ['EMAIL'],
  options: {
    role: roleOption,
    reason: { type: 'string', value: 'TEXT', about: 'why, for the log', isRequired: true },
  },
  run: (input) =>
    withStaff(input, async (staff) => {
      const [email] = input.operands as [string]
      const id = await staff.idOf(email)
      const proposal = await staff.proposals.propose({ kind: 'role', staff: id, role: roleIn(input), reason: text(input, 'reason') }, owner)
      return { json: { proposal }, lines: [`Proposal ${proposal}: two administrators must approve it`] }
    }),
}
