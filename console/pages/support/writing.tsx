/** The field below a thread: an answer, or a note for the staff. */
import type { TicketThread } from '@candor/core/protocol/wire/console/support.ts'
import { ticketTextMax } from '@candor/core/protocol/wire/support/tickets.ts'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId, useRef, useState } from 'react'
import { change } from '../../app/client.ts'
import { useKeys } from '../../app/keys.ts'
import { t } from '../../app/texts.ts'
import { say } from '../../parts/dialog.tsx'
import { Choice } from '../../parts/fields.tsx'
import { Button, FaultNote, useWork } from '../../parts/ui.tsx'
import { answersQuery, readTicketAgain } from './queries.ts'

const words = t.support

type WritingProps = { readonly ticket: TicketThread['ticket']; readonly mayDo: readonly string[] }

export function Writing({ ticket, mayDo }: WritingProps): ReactNode {
  const id = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  const [text, setText] = useState('')
  /** The same until the text is sent, so that a lost answer sends nothing twice. */
  const [clientId, setClientId] = useState(() => crypto.randomUUID())
  const [mayAnswer, mayNote] = [mayDo.includes('support.answer') && ticket.state !== 'closed', mayDo.includes('support.note')]
  const { data: canned = [] } = useQuery({ ...answersQuery, enabled: mayAnswer })
  const { isBusy, fault, run } = useWork(async (what: 'answers' | 'notes') => {
    await change('POST', `/support/tickets/${ticket.id}/${what}`, { clientId, text })
    setText('')
    setClientId(crypto.randomUUID())
    say(what === 'answers' ? words.sent : words.noted)
    await readTicketAgain()
  })
  useKeys(mayAnswer || mayNote ? { r: { what: words.keys.answer, run: () => field.current?.focus() } } : {})
  if (!mayAnswer && !mayNote) return null
  const fitting = canned.filter(({ lang }) => lang === ticket.lang || lang === 'en')
  const isEmpty = text.trim() === ''
  const write = (next: string): void => {
    setText(next)
    setClientId(crypto.randomUUID())
  }
  return (
    <div className="card-body stack ticket-writing">
      {mayAnswer && fitting.length > 0 && (
        <Choice
          label={words.canned}
          value=""
          options={[
            { value: '', label: words.cannedNone },
            ...fitting.map((one) => ({ value: String(one.id), label: `${one.title} (${one.lang})` })),
          ]}
          onChoose={(chosen) => {
            const found = fitting.find((one) => String(one.id) === chosen)
            if (found === undefined) return
            write(isEmpty ? found.text : `${text}\n\n${found.text}`)
            field.current?.focus()
          }}
        />
      )}
      <div className="field">
        <label htmlFor={id}>{mayAnswer ? words.answer : words.note}</label>
        <textarea
          id={id}
          ref={field}
          className="input tall"
          dir="auto"
          maxLength={ticketTextMax}
          value={text}
          readOnly={isBusy}
          aria-describedby={`${id}-help`}
          onChange={({ target }) => write(target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && mayAnswer && !isEmpty) void run('answers')
          }}
        />
        {mayAnswer && (
          <span id={`${id}-help`} className="help">
            {words.answerHelp}
          </span>
        )}
      </div>
      <FaultNote cause={fault} />
      <div className="line">
        {mayAnswer && (
          <Button look="filled" disabled={isEmpty || isBusy} onClick={() => void run('answers')}>
            {words.send}
          </Button>
        )}
        {mayNote && (
          <Button disabled={isEmpty || isBusy} onClick={() => void run('notes')}>
            {words.asNote}
          </Button>
        )}
      </div>
    </div>
  )
}
