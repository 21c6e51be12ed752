/** Password and authenticator code: the way in when no passkey is at hand. */
import { type FormEvent, type ReactNode, useState } from 'react'
import { changeOnce } from '../app/client.ts'
import { t } from '../app/texts.ts'
import type { Me } from '../app/wire.ts'
import { TextField } from '../parts/fields.tsx'
import { Button, FaultNote, useWork } from '../parts/ui.tsx'

type CodeFormProps = {
  /** The address of a member who is logged in already. */
  readonly email?: string
  readonly onDone: (me: Me) => void
}

export function CodeForm({ email: known, onDone }: CodeFormProps): ReactNode {
  const [email, setEmail] = useState(known ?? '')
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const { isBusy, fault, run } = useWork(async () => onDone(await changeOnce<Me>('POST', '/auth/login', { email, password, code })))
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    // A code counts once, so another try needs the next one.
    if (!(await run())) setCode('')
  }
  return (
    <form className="stack" onSubmit={submit}>
      {known === undefined && (
        <TextField label={t.login.email} type="email" autoComplete="username" required value={email} onText={setEmail} />
      )}
      <TextField label={t.login.password} type="password" autoComplete="current-password" required value={password} onText={setPassword} />
      <TextField
        label={t.login.code}
        help={t.login.codeHelp}
        className="input tn"
        inputMode="numeric"
        autoComplete="one-time-code"
        pattern="[0-9]{6}"
        maxLength={6}
        required
        value={code}
        onText={(text) => setCode(text.replaceAll(/\D/g, ''))}
      />
      <FaultNote cause={fault} />
      <Button type="submit" look="filled" size="wide" disabled={isBusy}>
        {t.login.submit}
      </Button>
    </form>
  )
}
