import {
  type SupportTopic,
  supportTopics,
  ticketSubjectMax,
  ticketTextMax,
  type WireAbout,
  type WireNewTicket,
} from '@candor/core/protocol/wire/support/tickets.ts'
import { type FormEvent, useId, useState } from 'react'
import { navigate } from '../../app/location.ts'
import { useTranslation } from '../../app/translate.ts'
import { useSendOnce } from '../../app/use-send-once.ts'
import { Field } from '../../parts/fields/field.tsx'
import { PlainSelect } from '../../parts/fields/plain-select.tsx'
import { Button } from '../../parts/ui/button.tsx'
import { PageHeader } from '../../parts/ui/page.tsx'
import { FormError } from '../../parts/ui/state.tsx'
import { support } from './data.ts'
import { AddedPictures, AddPictures, useUploads } from './pictures.tsx'
import { Presence, Safe } from './questions.tsx'

/** A new ticket; the record that it is about comes from the address. */
export function NewTicket({ about }: { readonly about: { readonly about: WireAbout; readonly topic: SupportTopic } | undefined }) {
  const { t } = useTranslation()
  const [topic, setTopic] = useState<SupportTopic>(about?.topic ?? 'other')
  const [subject, setSubject] = useState(about === undefined ? '' : t(`support.abouts.${about.about.kind}`, { id: about.about.id }))
  const [text, setText] = useState('')
  const [wasSent, setWasSent] = useState(false)
  const uploads = useUploads()
  const sending = useSendOnce<Omit<WireNewTicket, 'clientId'>, WireNewTicket, Awaited<ReturnType<typeof support.open>>>({
    request: (clientId, asked) => ({ clientId, ...asked }),
    call: (request) => support.open(request),
    onAnswer: ({ ticket }) => navigate(`/support?ticket=${ticket.id}`, { replace: true }),
  })
  const lacks = { subject: subject.trim() === '', text: text.trim() === '' }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    setWasSent(true)
    if (lacks.subject || lacks.text || uploads.isBusy) return
    const images = uploads.images.map(({ id }) => id)
    sending.send({
      ...{ topic, subject: subject.trim(), text: text.trim() },
      ...(about === undefined ? {} : { about: about.about }),
      ...(images.length === 0 ? {} : { images }),
    })
  }
  return (
    <>
      <PageHeader title={t('support.create')} fallback="/support" />
      <form onSubmit={submit} className="flex flex-col gap-4 px-4 pt-1 pb-8">
        <Presence />
        <PlainSelect
          label={t('support.topic')}
          value={topic}
          choices={supportTopics.map((one) => ({ value: one, label: t(`support.topics.${one}`) }))}
          onChange={setTopic}
        />
        {about !== undefined && (
          <p className="text-13 text-fg2">
            {t('support.aboutThis')}:{' '}
            <span className="tn font-medium break-all text-fg">{t(`support.abouts.${about.about.kind}`, { id: about.about.id })}</span>
          </p>
        )}
        <Field
          label={t('support.subject')}
          value={subject}
          maxLength={ticketSubjectMax}
          error={wasSent && lacks.subject ? t('support.subjectMissing') : undefined}
          onChange={(event) => setSubject(event.target.value)}
        />
        <TextArea text={text} error={wasSent && lacks.text ? t('support.textMissing') : undefined} onText={setText} />
        <div className="flex flex-col gap-2">
          <span className="flex items-center gap-1 text-13 text-fg2">
            <AddPictures uploads={uploads} />
            <span aria-hidden>{t('support.attach')}</span>
          </span>
          <AddedPictures uploads={uploads} />
        </div>
        <Safe />
        <FormError error={sending.error} />
        <Button type="submit" isWide isBusy={sending.isSending}>
          {t('support.open')}
        </Button>
      </form>
    </>
  )
}

function TextArea({
  text,
  error,
  onText,
}: {
  readonly text: string
  readonly error: string | undefined
  readonly onText: (text: string) => void
}) {
  const { t } = useTranslation()
  const id = useId()
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="text-13 font-medium text-fg2">
        {t('support.text')}
      </label>
      <textarea
        id={id}
        dir="auto"
        rows={6}
        maxLength={ticketTextMax}
        value={text}
        aria-invalid={error === undefined ? undefined : true}
        aria-describedby={error === undefined ? undefined : `${id}-below`}
        onChange={(event) => onText(event.target.value)}
        className={`rounded-control border bg-s2 px-3.5 py-3 text-15 outline-none focus:border-brand ${error === undefined ? 'border-transparent' : 'border-danger'}`}
      />
      {error !== undefined && (
        <p id={`${id}-below`} role="alert" className="text-12 text-danger">
          {error}
        </p>
      )}
    </div>
  )
}
