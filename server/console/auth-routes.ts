import { noContent } from '../http/schema.ts'
import { originOf } from '../identity/factors/factors.ts'
import { Refused } from '../refused.ts'
import { actions, may } from '../staff/permissions.ts'
import type { StaffSession } from '../staff/sessions.ts'
import type { Staff } from '../staff/staff.ts'
import type { StaffCookie } from './cookie.ts'
import * as schema from './schema.ts'
import type { ConsoleScope } from './scope.ts'

const meOf = ({ staff: id, email, name, role, loggedInAt }: StaffSession) => ({
  ...{ id, email, name, role, loggedInAt, mayDo: actions.filter((action) => may(role, action)) },
})

/** The page that a browser names; the gate has checked that it is one of ours. */
export const pageOf = ({ headers: { origin } }: { readonly headers: { readonly origin?: string | undefined } }): string =>
  originOf(origin === undefined ? {} : { origin })

/** Enrolment and login. */
export function doorRoutes(scope: ConsoleScope, staff: Staff, cookie: StaffCookie): void {
  scope.open(
    '/auth/enrol/options',
    {
      ...{ action: 'open', summary: 'Whom an enrolment is for, and what the device needs to create a passkey' },
      ...{ body: schema.enrolmentToken, answer: schema.enrolmentBegun },
    },
    ({ body, request }) => staff.enrolments.begin(body.token, pageOf(request)),
  )

  scope.open(
    '/auth/enrol',
    { action: 'open', summary: 'Set password and passkey, and log in', body: schema.enrolment, answer: schema.me },
    async ({ body, request, visitor, reply }) => {
      const { session, token } = await staff.enrolments.finish(body, pageOf(request), visitor)
      cookie.logIn(reply, token)
      return meOf(session)
    },
  )

  scope.open(
    '/auth/passkey/options',
    { action: 'open', summary: 'What a passkey must sign for a login', answer: schema.options },
    async ({ request }) => ({ options: await staff.passkeys.ask(undefined, pageOf(request)) }),
  )

  scope.open(
    '/auth/passkey',
    { action: 'open', summary: 'Log in with a passkey', body: schema.passkey, answer: schema.me },
    async ({ body, request, visitor, reply }) => {
      const { session, token } = await staff.logins.byPasskey(body.response, pageOf(request), visitor, cookie.tokenOf(request))
      cookie.logIn(reply, token)
      return meOf(session)
    },
  )

  scope.open(
    '/auth/login',
    { action: 'open', summary: 'Log in with a password and an authenticator code', body: schema.login, answer: schema.me },
    async ({ body, request, visitor, reply }) => {
      const email = body.email.trim().toLowerCase()
      const { session, token } = await staff.logins.byCode({ ...body, email }, visitor, cookie.tokenOf(request))
      cookie.logIn(reply, token)
      return meOf(session)
    },
  )
}

/** A member's own session, sessions and factors. */
export function ownRoutes(scope: ConsoleScope, staff: Staff, cookie: StaffCookie): void {
  scope.read('/auth/me', { action: 'own.read', summary: 'Who is logged in', answer: schema.me }, async ({ session }) => meOf(session))

  scope.read(
    '/auth/factors',
    { action: 'own.read', summary: 'The own passkeys and authenticator app', answer: schema.factors },
    ({ session }) => staff.own.factors(session.staff),
  )

  scope.read('/auth/sessions', { action: 'own.read', summary: 'The own sessions', answer: schema.sessions }, async ({ session }) => ({
    sessions: await staff.sessions.list(session.staff, session.id),
  }))

  scope.change('POST', '/auth/logout', { action: 'own.change', summary: 'End this session', answer: noContent }, async (asked) => {
    // Already ended by a request at the same moment: that is what was wanted.
    await staff.own.endSession({ only: asked.session.id }, asked).catch((cause: unknown) => {
      if (!(cause instanceof Refused)) throw cause
    })
    cookie.logOut(asked.reply)
  })

  scope.change(
    'DELETE',
    '/auth/sessions/:id',
    { action: 'own.change', summary: 'End one of the own sessions', params: schema.byId, answer: noContent },
    async (asked) => {
      await staff.own.endSession({ only: asked.params.id }, asked)
      if (asked.params.id === asked.session.id) cookie.logOut(asked.reply)
    },
  )

  scope.change(
    'DELETE',
    '/auth/sessions',
    { action: 'own.change', summary: 'End all other own sessions', answer: noContent },
    async (asked) => staff.own.endSession('others', asked),
  )

  scope.change(
    'POST',
    '/auth/authenticator',
    { action: 'own.change', summary: 'A new secret for an authenticator app', answer: schema.authenticator },
    (asked) => staff.own.beginAuthenticator(asked),
  )

  scope.change(
    'POST',
    '/auth/authenticator/confirm',
    { action: 'own.change', summary: 'Put that secret in force by a code of it', body: schema.authenticatorCode, answer: noContent },
    (asked) => staff.own.confirmAuthenticator(asked.body.code, asked),
  )

  scope.change(
    'POST',
    '/auth/password',
    { action: 'own.change', summary: 'Change the own password, and end all other sessions', body: schema.password, answer: noContent },
    (asked) => staff.own.changePassword(asked.body.password, asked),
  )
}

/** A member's own passkeys. */
export function passkeyRoutes(scope: ConsoleScope, staff: Staff): void {
  scope.change(
    'POST',
    '/auth/passkeys/options',
    { action: 'own.change', summary: 'What the device needs to create another passkey', answer: schema.options },
    async (asked) => ({ options: await staff.own.beginPasskey(pageOf(asked.request), asked) }),
  )

  scope.change(
    'POST',
    '/auth/passkeys',
    { action: 'own.change', summary: 'Add that passkey', body: schema.ownPasskey, answer: noContent },
    (asked) => staff.own.addPasskey(asked.body.label, asked.body.response, pageOf(asked.request), asked),
  )

  scope.change(
    'DELETE',
    '/auth/passkeys/:id',
    {
      ...{ action: 'own.change', summary: 'Remove one of several own passkeys, and end all other sessions' },
      ...{ params: schema.byId, answer: noContent },
    },
    (asked) => staff.own.removePasskey(asked.params.id, asked),
  )
}
