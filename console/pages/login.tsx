/** Log in: by passkey first, else by password and authenticator code. */
import { KeyRound } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { canUsePasskeys, logInByPasskey } from '../app/passkeys.ts'
import { endedBy, enter } from '../app/session.ts'
import { useShared } from '../app/store.ts'
import { t } from '../app/texts.ts'
import type { Me } from '../app/wire.ts'
import { Button, FaultNote, Mark, useWork } from '../parts/ui.tsx'
import { CodeForm } from './code-form.tsx'

export function LoginPage(): ReactNode {
  const by = useShared(endedBy)
  return (
    <main className="door">
      <div className="card door-card stack">
        <div className="logo">
          <Mark />
          <b>{t.app}</b>
          <span>{t.console}</span>
        </div>
        <h1>{t.login.title}</h1>
        {by !== 'nobody' && (
          <p className="fg2" role="status">
            {t.login.ended[by]}
          </p>
        )}
        <Ways onDone={enter} />
        <p className="help">{t.login.internal}</p>
      </div>
    </main>
  )
}

/** Both ways to log in. `email`: of the member whose login is repeated. */
export function Ways({ email, onDone }: { readonly email?: string; readonly onDone: (me: Me) => void }): ReactNode {
  const [isByCode, setByCode] = useState(!canUsePasskeys())
  const passkey = useWork(async () => onDone(await logInByPasskey()))
  if (isByCode)
    return (
      <div className="stack">
        {!canUsePasskeys() && <p className="help">{t.login.noPasskeys}</p>}
        <CodeForm {...(email === undefined ? {} : { email })} onDone={onDone} />
        {canUsePasskeys() && (
          <Button look="quiet" onClick={() => setByCode(false)}>
            {t.login.byPasskey}
          </Button>
        )}
      </div>
    )
  return (
    <div className="stack">
      <Button look="filled" size="wide" disabled={passkey.isBusy} onClick={() => void passkey.run()}>
        <KeyRound size={16} aria-hidden="true" />
        {t.login.passkey}
      </Button>
      <FaultNote cause={passkey.fault} />
      <Button look="quiet" onClick={() => setByCode(true)}>
        {t.login.byCode}
      </Button>
    </div>
  )
}
