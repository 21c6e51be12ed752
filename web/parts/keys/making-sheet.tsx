import { ApiError } from '@candor/client/errors.ts'
import { type QueryKey, useMutation } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { queries } from '../../app/client.ts'
import { problemOf } from '../../app/problem.ts'
import { useTranslation } from '../../app/translate.ts'
import { Button } from '../ui/button.tsx'
import { CopyField } from '../fields/copy-field.tsx'
import { withProof } from '../account/proof.ts'
import { PasswordField } from '../account/password-field.tsx'
import { Sheet } from '../ui/sheet.tsx'
import { FormError } from '../ui/state.tsx'

/** The input of a form and its errors. */
export type Form<Draft, Problems> = {
  readonly draft: Draft
  /** Undefined before the first attempt to send. */
  readonly problems: Problems | undefined
  /** The exchange's refusal of a field. */
  readonly said: (field: string) => string | undefined
  readonly onChange: (part: Partial<Draft>) => void
}

export type Words<Made> = {
  readonly title: string
  readonly send: string
  readonly made: string
  readonly done: (made: Made) => string
  readonly password: string
  readonly passwordHint?: string
  readonly passwordMissing: string
}

type Making<Draft, Made, Problems> = {
  readonly empty: Draft
  /** Finds the errors of a draft. */
  readonly problemsOf: (draft: Draft) => Problems
  readonly make: (draft: Draft) => Promise<Made>
  /** The query that an attempt makes stale. */
  readonly stale: QueryKey
  readonly onClose: () => void
}

/**
 * A form that is sent with the password, and after a proof where the account has a second factor; then its result. Input and result
 * are forgotten when the sheet closes.
 */
export function MakingSheet<
  Draft extends { readonly password: string },
  Made,
  Problems extends { readonly size: number; has(field: 'password'): boolean },
>({
  isOpen,
  onClose,
  words,
  empty,
  problemsOf,
  make,
  stale,
  fields,
  shown,
}: Making<Draft, Made, Problems> & {
  readonly isOpen: boolean
  readonly words: Words<Made>
  /** All fields except the password's. */
  readonly fields: (form: Form<Draft, Problems>) => ReactNode
  readonly shown: (made: Made) => ReactNode
}) {
  const { t } = useTranslation()
  const formId = useId()
  const { draft, setDraft, wasSent, making, close, submit } = useMaking({ empty, problemsOf, make, stale, onClose })
  const { data, error } = making
  const problems = wasSent ? problemsOf(draft) : undefined
  const field = error instanceof ApiError ? error.field : undefined
  const said = (name: string): string | undefined => (field === name ? problemOf(error, t).text : undefined)
  const onChange = (part: Partial<Draft>): void => setDraft({ ...draft, ...part })
  return (
    <Sheet
      isOpen={isOpen}
      onClose={close}
      title={data === undefined ? words.title : words.made}
      footer={
        data === undefined ? (
          <Button type="submit" form={formId} isWide isBusy={making.isPending}>
            {words.send}
          </Button>
        ) : (
          <Button isWide onClick={close}>
            {words.done(data)}
          </Button>
        )
      }
    >
      {data === undefined ? (
        <form id={formId} onSubmit={submit} noValidate className="flex flex-col gap-4">
          {fields({ draft, problems, said, onChange })}
          <PasswordField
            label={words.password}
            autoComplete="current-password"
            value={draft.password}
            onChange={(event) => setDraft({ ...draft, password: event.target.value })}
            hint={words.passwordHint}
            error={problems?.has('password') ? words.passwordMissing : said('password')}
          />
          {field === undefined && <FormError error={error} />}
        </form>
      ) : (
        shown(data)
      )}
    </Sheet>
  )
}

/** The state of the draft and its request. */
function useMaking<Draft, Made, Problems extends { readonly size: number }>({
  empty,
  problemsOf,
  make,
  stale,
  onClose,
}: Making<Draft, Made, Problems>) {
  const [draft, setDraft] = useState(empty)
  const [wasSent, setWasSent] = useState(false)
  const making = useMutation({
    mutationFn: () => withProof(() => make(draft)),
    onSuccess: () => setDraft(empty),
    onSettled: () => queries.invalidateQueries({ queryKey: stale }),
  })
  const close = (): void => {
    setDraft(empty)
    setWasSent(false)
    making.reset()
    onClose()
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    setWasSent(true)
    if (problemsOf(draft).size === 0 && !making.isPending) making.mutate()
  }
  return { draft, setDraft, wasSent, making, close, submit }
}

/** Values to copy. `warning`: says that a value is shown only once. */
export function Kept({
  warning,
  texts,
}: {
  readonly warning: string | undefined
  readonly texts: readonly { readonly label: string; readonly text: string }[]
}) {
  return (
    <div className="flex flex-col gap-4">
      {warning !== undefined && (
        <p role="alert" className="rounded-control bg-warntint px-3 py-2.5 text-13 text-fg">
          {warning}
        </p>
      )}
      {texts.map(({ label, text }) => (
        <CopyField key={label} label={label} text={text} />
      ))}
    </div>
  )
}
