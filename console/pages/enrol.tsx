/** The page of an enrolment link: the new member sets a password and creates a passkey. */
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { changeOnce } from '../app/client.ts'
import { canUsePasskeys, createPasskey, type Options } from '../app/passkeys.ts'
import { enter } from '../app/session.ts'
import { t } from '../app/texts.ts'
import type { Me, Role } from '../app/wire.ts'
import { TextField } from '../parts/fields.tsx'
import { Button, Failed, FaultNote, Mark, Skeleton, useWork } from '../parts/ui.tsx'

type Begun = { readonly email: string; readonly name: string; readonly role: Role; readonly options: Options }
const passwordLeast = 15

/** The token stands behind `#`, so that no server receives it with the address of the page. */
const tokenOf = (hash: string): string | undefined => /^#?token=([\w-]{22})$/.exec(hash)?.[1]

export function EnrolPage({ onDone }: { readonly onDone: () => void }): ReactNode {
  const [token] = useState(() => tokenOf(location.hash))
  return (
    <main className="door">
      <div className="card door-card stack">
        <div className="logo">
          <Mark />
          <b>{t.app}</b>
          <span>{t.console}</span>
        </div>
        <h1>{t.enrol.title}</h1>
        {token === undefined ? <p className="fault">{t.enrol.broken}</p> : <Link token={token} onDone={onDone} />}
      </div>
    </main>
  )
}

type LinkProps = { readonly token: string; readonly onDone: () => void }

function Link({ token, onDone }: LinkProps): ReactNode {
  const begun = useQuery({
    queryKey: ['enrolment', token],
    queryFn: () => changeOnce<Begun>('POST', '/auth/enrol/options', { token }),
    staleTime: Infinity,
    gcTime: 0,
  })
  if (begun.error) return <Failed cause={begun.error} onRetry={() => void begun.refetch()} />
  if (begun.data === undefined) return <Skeleton rows={3} height={38} />
  return <Form token={token} begun={begun.data} onDone={onDone} />
}

function Form({ token, begun, onDone }: LinkProps & { readonly begun: Begun }): ReactNode {
  const [password, setPassword] = useState('')
  const [label, setLabel] = useState(t.enrol.defaultLabel)
  const { isBusy, fault, run } = useWork(async () => {
    // Each try needs a challenge of its own.
    const { options } = await changeOnce<Begun>('POST', '/auth/enrol/options', { token })
    const response = await createPasskey(options)
    const me = await changeOnce<Me>('POST', '/auth/enrol', { token, password, label: label.trim(), response })
    onDone()
    enter(me)
  })
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    await run()
  }
  return (
    <form className="stack" onSubmit={submit}>
      <p className="fg2">{t.enrol.whom(begun.name, t.roles[begun.role])}</p>
      <TextField label={t.login.email} type="email" autoComplete="username" readOnly value={begun.email} onText={() => undefined} />
      <TextField
        label={t.enrol.password}
        help={t.enrol.passwordHelp}
        type="password"
        autoComplete="new-password"
        required
        minLength={passwordLeast}
        value={password}
        onText={setPassword}
      />
      <TextField label={t.enrol.label} help={t.enrol.labelHelp} required maxLength={40} value={label} onText={setLabel} />
      {!canUsePasskeys() && <p className="fault">{t.login.noPasskeys}</p>}
      <FaultNote cause={fault} />
      <Button type="submit" look="filled" size="wide" disabled={isBusy || !canUsePasskeys()}>
        {t.enrol.submit}
      </Button>
      <p className="help">{t.enrol.steps}</p>
    </form>
  )
}
