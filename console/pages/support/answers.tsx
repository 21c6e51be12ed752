/** Texts that members insert into answers, by language. */
import { langs } from '@candor/core/protocol/locales.ts'
import type { CannedAnswer } from '@candor/core/protocol/wire/console/support.ts'
import { ticketSubjectMax, ticketTextMax } from '@candor/core/protocol/wire/support/tickets.ts'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'
import { change } from '../../app/client.ts'
import { languageOf } from '../../app/format.ts'
import { t } from '../../app/texts.ts'
import { Ask, say } from '../../parts/dialog.tsx'
import { Choice, TextField } from '../../parts/fields.tsx'
import { Badge, Button, Card, Empty, Failed, Skeleton } from '../../parts/ui.tsx'
import { answersQuery, readTicketAgain } from './queries.ts'

const words = t.support
type Editing = { readonly id?: number; readonly lang: string; readonly title: string; readonly text: string }

export function Answers({ mayChange }: { readonly mayChange: boolean }): ReactNode {
  const { data, error, refetch } = useQuery(answersQuery)
  const [editing, setEditing] = useState<Editing>()
  const [leaving, setLeaving] = useState<CannedAnswer>()
  const add = (): void => setEditing({ lang: 'en', title: '', text: '' })
  return (
    <Card title={words.texts} action={mayChange ? <Button onClick={add}>{words.add}</Button> : undefined}>
      {data === undefined ? (
        error ? (
          <Failed cause={error} onRetry={() => void refetch()} />
        ) : (
          <Skeleton rows={2} />
        )
      ) : data.length === 0 ? (
        <Empty title={words.textsNone} text={words.textsNoneText} />
      ) : (
        <ul className="rows">
          {data.map((one) => (
            <li key={one.id}>
              <Badge>{languageOf(one.lang)}</Badge>
              <span className="grow">
                <b>{one.title}</b>
                <div className="fg2 clipped">{one.text}</div>
              </span>
              <span className="fg3 end">{one.changedBy}</span>
              {mayChange && (
                <span className="line">
                  <Button size="small" aria-label={`${words.edit}: ${one.title}`} onClick={() => setEditing(one)}>
                    {words.edit}
                  </Button>
                  <Button size="small" isDanger aria-label={`${words.remove}: ${one.title}`} onClick={() => setLeaving(one)}>
                    {words.remove}
                  </Button>
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
      {editing !== undefined && <EditAsk editing={editing} onEdit={setEditing} onClose={() => setEditing(undefined)} />}
      {leaving !== undefined && (
        <Ask
          title={words.removeTitle(leaving.title)}
          action={words.remove}
          isDanger
          onDo={async () => {
            await change('DELETE', `/support/answers/${leaving.id}`)
            await readTicketAgain()
          }}
          onClose={() => setLeaving(undefined)}
        />
      )}
    </Card>
  )
}

type EditProps = { readonly editing: Editing; readonly onEdit: (editing: Editing) => void; readonly onClose: () => void }

function EditAsk({ editing, onEdit, onClose }: EditProps): ReactNode {
  const id = useId()
  const { lang, title, text } = editing
  return (
    <Ask
      title={editing.id === undefined ? words.add : words.edit}
      action={words.save}
      isReady={title.trim() !== '' && text.trim() !== ''}
      onDo={async () => {
        await change('POST', editing.id === undefined ? '/support/answers' : `/support/answers/${editing.id}`, { lang, title, text })
        await readTicketAgain()
        say(words.saved)
      }}
      onClose={onClose}
    >
      <Choice
        label={words.language}
        value={lang}
        options={langs.map((one) => ({ value: one, label: languageOf(one) }))}
        onChoose={(chosen) => onEdit({ ...editing, lang: chosen })}
      />
      <TextField label={words.name} maxLength={ticketSubjectMax} value={title} onText={(typed) => onEdit({ ...editing, title: typed })} />
      <div className="field">
        <label htmlFor={id}>{words.body}</label>
        <textarea
          id={id}
          className="input tall"
          lang={lang}
          maxLength={ticketTextMax}
          value={text}
          onChange={({ target }) => onEdit({ ...editing, text: target.value })}
        />
      </div>
    </Ask>
  )
}
