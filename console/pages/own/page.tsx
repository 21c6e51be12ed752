/** A member's own login: passkeys, authenticator app, password and sessions. */
import { useSuspenseQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { change } from '../../app/client.ts'
import { timeOf } from '../../app/format.ts'
import { meQuery, queryClient } from '../../app/session.ts'
import { t } from '../../app/texts.ts'
import { Ask, say } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/fields.tsx'
import { Button, Card } from '../../parts/ui.tsx'
import { OwnAccount } from './account.tsx'
import { Factors } from './factors.tsx'
import { Sessions } from './sessions.tsx'

export function OwnPage(): ReactNode {
  const { data: me } = useSuspenseQuery(meQuery)
  return (
    <div className="page">
      <div className="page-head">
        <h1>{t.own.title}</h1>
        {me && (
          <span className="fg2">
            {me.name} · {me.email} · {t.roles[me.role]} · {t.own.since(timeOf(me.loggedInAt))}
          </span>
        )}
      </div>
      <div className="two">
        <div className="stack">
          <Factors />
          <Password />
          <OwnAccount />
        </div>
        <Sessions />
      </div>
    </div>
  )
}

function Password(): ReactNode {
  const [isOpen, setOpen] = useState(false)
  const [password, setPassword] = useState('')
  const close = (): void => {
    setOpen(false)
    setPassword('')
  }
  return (
    <Card
      title={t.own.password}
      action={
        <Button size="small" onClick={() => setOpen(true)}>
          {t.own.changePassword}
        </Button>
      }
    >
      <p className="card-body fg2">{t.own.passwordText}</p>
      {isOpen && (
        <Ask
          title={t.own.changePassword}
          text={t.own.passwordText}
          action={t.own.changePassword}
          onClose={close}
          onDo={async () => {
            await change('POST', '/auth/password', { password })
            await queryClient.invalidateQueries({ queryKey: ['own'] })
            say(t.own.passwordDone)
          }}
        >
          <TextField
            label={t.own.newPassword}
            type="password"
            autoComplete="new-password"
            required
            minLength={15}
            value={password}
            onText={setPassword}
          />
        </Ask>
      )}
    </Card>
  )
}
